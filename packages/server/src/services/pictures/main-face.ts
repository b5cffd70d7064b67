import type { Analysis, Face, QualityRule } from '@wajah/engine';
import { Refusal } from '../../errors.ts';

/** Size of a face: the shorter side of its box, in pixels of the upright picture. */
export function faceSize(face: Face): number {
  return Math.min(face.box.width, face.box.height);
}

/**
 * The face that counts: the most prominent one.
 * @param field name of the picture's field
 * @throws Refusal `faceNotDetected`
 */
export function mainFace(analysis: Analysis, field: string): Face {
  const face = analysis.faces[0];
  if (face) return face;
  const { width, height } = analysis.image;
  throw new Refusal(
    'faceNotDetected',
    `${field}: no face was found in the picture of ${width}x${height} px; send one that shows the face whole, upright and well lit`,
  );
}

/**
 * @param what the face in a sentence, with the field of its picture (see `theFace`)
 * @param limit least size in pixels
 * @param remedy what else the caller can do, appended to the detail
 * @throws Refusal `faceTooSmall`
 */
export function requireSize(face: Face, what: string, limit: number, remedy = ''): void {
  const size = faceSize(face);
  if (size >= limit) return;
  throw new Refusal(
    'faceTooSmall',
    `${what} is ${Math.floor(size)} px, the minimum is ${limit} px (shorter side of its box); come closer or send a larger picture${remedy}`,
  );
}

/** The main face of a picture in a sentence; it says so when there are others. */
export function describeFace(analysis: Analysis, field: string): string {
  return `${field}: the face${analysis.found > 1 ? ` (the largest of ${analysis.found})` : ''}`;
}

/**
 * @param waived rules that are not looked at
 * @throws Refusal `qualityTooLow`, listing each rule that failed with its value and limit
 */
export function requireQuality(face: Face, what: string, waived: readonly QualityRule['name'][] = []): void {
  const failed = (face.quality ?? []).filter((rule) => !rule.passed && !waived.includes(rule.name));
  if (failed.length === 0) return;
  const rules = failed.map(({ name, value, limit, unit, reason }) => ({
    rule: name,
    value: rounded(value),
    limit: rounded(limit),
    unit,
    reason,
  }));
  const list = rules.map((r) => `${r.rule} ${r.value} (limit ${r.limit} ${r.unit}): ${r.reason}`).join('; ');
  throw new Refusal('qualityTooLow', `${what} fails ${rules.length} of the quality rules: ${list}`, {
    rules,
  });
}

/** The template of a face that was analysed with `embedding`. */
export function templateOf(face: Face): Float32Array {
  if (!face.embedding) throw new Error('the engine returned a face without the embedding it was asked for');
  return face.embedding;
}

/** Whether a face that was analysed with `mask` wears one. */
export function wearsMask(face: Face): boolean {
  if (!face.mask) throw new Error('the engine returned a face without the mask it was asked for');
  return face.mask.worn;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** Angles and states under the names of the specification: those that were looked for. */
export function statesOf({ pose, eyes, mouth }: Pick<Face, 'pose' | 'eyes' | 'mouth'>) {
  return {
    ...(pose && { roll: pose.roll, pitch: pose.pitch, yaw: pose.yaw }),
    ...(eyes && {
      left_eye: eyes.left.state,
      right_eye: eyes.right.state,
      left_eye_score: eyes.left.score,
      right_eye_score: eyes.right.score,
    }),
    ...(mouth && { mouth: mouth.state, mouth_score: mouth.score }),
  };
}
