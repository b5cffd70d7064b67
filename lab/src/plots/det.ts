import type { PairScores } from '../calibration/pairs.ts';
import { countBelow, rate } from '../metrics/scores.ts';

const COLOURS = ['#1a7f37', '#0550ae', '#b35900', '#8250df', '#cf222e'];

/** Numbers of pairs below which a curve has too few steps to be drawn. */
const FEWEST = { genuine: 20, impostor: 300 } as const;

const WIDTH = 640;
const HEIGHT = 420;
const LEFT = 70;
const BOTTOM = 50;
const TOP = 36;
const RIGHT = 16;

/** A point of a curve: FMR and FNMR, 0…1. */
type Point = readonly [fmr: number, fnmr: number];

/**
 * DET curves as SVG: FNMR over FMR, both logarithmic. Values beyond an axis are drawn at its end.
 * @param kinds by name; a curve for the first and each other that has enough pairs
 */
export function detPlot(title: string, kinds: Readonly<Record<string, PairScores>>): string {
  const curves = Object.entries(kinds).filter(
    ([, { genuine, impostor }], i) =>
      i === 0 || (genuine.length >= FEWEST.genuine && impostor.length >= FEWEST.impostor),
  );
  const decades = (kind: keyof PairScores) =>
    Math.ceil(Math.log10(Math.max(10, ...curves.map(([, scores]) => scores[kind].length))));
  const [fmrDecades, fnmrDecades] = [decades('impostor'), decades('genuine')];
  const toX = scale(fmrDecades, LEFT, WIDTH - RIGHT);
  const toY = scale(fnmrDecades, HEIGHT - BOTTOM, TOP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${WIDTH / 2}" y="20" text-anchor="middle" font-size="14">${escaped(title)}</text>`,
    ...ticks(fmrDecades).map((value) => {
      const x = toX(value);
      return `${rule(x, HEIGHT - BOTTOM, x, TOP)}<text x="${x}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${labelOf(value)}</text>`;
    }),
    ...ticks(fnmrDecades).map((value) => {
      const y = toY(value);
      return `${rule(LEFT, y, WIDTH - RIGHT, y)}<text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${labelOf(value)}</text>`;
    }),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">FMR</text>`,
    `<text transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">FNMR</text>`,
    ...curves.flatMap(([name, scores], i) => {
      const colour = COLOURS[i % COLOURS.length]!;
      const path = tradeOff(scores).map(([fmr, fnmr]) => `${toX(fmr)},${toY(fnmr)}`);
      const [x, y] = [WIDTH - RIGHT - 190, TOP + 16 + i * 18];
      return [
        `<path d="M${path.join(' L')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour}"/><text x="${x + 16}" y="${y}">${escaped(`${name} (${scores.genuine.length} / ${scores.impostor.length})`)}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** FMR and FNMR in steps of a twentieth of a decade, as far as there are impostor pairs. */
function tradeOff({ genuine, impostor }: PairScores): Point[] {
  const points: Point[] = [];
  for (let log = 0; 10 ** log >= 1 / impostor.length; log -= 0.05) {
    const index = impostor.length - Math.max(1, Math.round(impostor.length * 10 ** log));
    points.push([10 ** log, rate(countBelow(genuine, impostor[index]!))]);
  }
  return points;
}

/** Place of a rate on an axis from 10^−decades to 1. */
function scale(decades: number, start: number, end: number): (value: number) => number {
  return (value) => {
    const share = 1 + Math.log10(Math.max(value, 1e-300)) / decades;
    return Math.round((start + Math.min(1, Math.max(0, share)) * (end - start)) * 10) / 10;
  };
}

const ticks = (decades: number) => Array.from({ length: decades + 1 }, (_, i) => 10 ** (i - decades));

const rule = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#ddd"/>`;

const labelOf = (value: number) => (value < 0.01 ? value.toExponential(0) : String(value));

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
