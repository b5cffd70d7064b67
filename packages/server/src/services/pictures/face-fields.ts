import type { Box, Face, QualityRule } from '@wajah/engine';

/** Orders faces by area, the largest first. */
export function byArea({ box: a }: Pick<Face, 'box'>, { box: b }: Pick<Face, 'box'>): number {
  return b.width * b.height - a.width * a.height;
}

/** The box of a face in the names of the wire, rounded to hundredths of a pixel. */
export function placeOf({ box: { x, y, width, height } }: { readonly box: Box }) {
  return { box: { x: pixels(x), y: pixels(y), width: pixels(width), height: pixels(height) } };
}

/** Rounded to hundredths of a pixel. */
export function pixels(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** Four significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** The quality rules of a face in the names of the wire. */
export function qualityFields({ quality = [] }: Pick<Face, 'quality'>) {
  return quality.map(ruleFields);
}

function ruleFields({ name, value, limit, unit, passed, reason }: QualityRule) {
  const verdict = { rule: name, value: rounded(value), limit: rounded(limit), ok: passed, unit };
  return passed ? verdict : { ...verdict, reason };
}
