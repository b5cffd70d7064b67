import { type Phrase, phrase } from '@wajah/contract/refusals';
import type { Analysis, Attribute, Box, Face, QualityRule } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { PictureField, Pictures } from './ports.ts';

/** The main face of a picture, and the analysis that it was found by. */
export interface AnalyzedFace {
  readonly face: Face;
  readonly analysis: Analysis;
}

/**
 * Analyses a decoded picture and returns its main face.
 * @param minimum least size of the face, pixels (see `faceSize`)
 * @param remedy what else the caller can do about a small face
 * @throws Refusal of the picture, `faceNotDetected` | `faceTooSmall`
 */
export async function analyzeMainFace(
  pictures: Pictures,
  caller: Caller,
  { field, bytes }: { field: PictureField; bytes: Uint8Array },
  attributes: readonly Attribute[],
  minimum: number,
  remedy?: Phrase,
): Promise<AnalyzedFace> {
  const request = { attributes, maxFaces: 1, search: 'fast' } as const;
  const analysis = await pictures.analyze(field, bytes, request, caller);
  const face = mainFace(analysis, field.name);
  requireSize(face, describeFace(analysis, field.name), minimum, remedy);
  return { face, analysis };
}

/** Waits for both. When both fail, the first one's error is thrown. */
export async function settleBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}

/** Size of a face: the shorter side of its box, in pixels of the upright picture. */
export function faceSize({ box }: Pick<Face, 'box'>): number {
  return Math.min(box.width, box.height);
}

/**
 * The most prominent face.
 * @param field name of the picture's field
 * @throws Refusal `faceNotDetected`
 */
export function mainFace(analysis: Analysis, field: string): Face {
  const face = analysis.faces[0];
  if (face) return face;
  const { width, height } = analysis.image;
  throw new Refusal('faceNotDetected', { field, width, height });
}

/** A face as refusals name it. */
export interface FaceSubject {
  /** Name of the picture's field. */
  readonly field: string;
  readonly face: Phrase;
}

/**
 * @param subject see `describeFace`
 * @param limit least size, pixels
 * @param remedy what else the caller can do
 * @throws Refusal `faceTooSmall`
 */
export function requireSize(face: Face, subject: FaceSubject, limit: number, remedy?: Phrase): void {
  const size = faceSize(face);
  if (size >= limit) return;
  throw new Refusal('faceTooSmall', { ...subject, size: Math.floor(size), minimum: limit, remedy });
}

/** Boxes that a `detail` lists; the answer has all. */
const listedBoxes = 5;

/**
 * @param boxes of the faces that count
 * @param allowed number of faces
 * @throws Refusal `qualityTooLow` of the rule `faces`, with the boxes
 */
export function requireFaces(boxes: readonly Box[], field: string, allowed: number): void {
  if (boxes.length <= allowed) return;
  const listed = boxes.slice(0, listedBoxes).map(({ x, y, width, height }) =>
    phrase('faceAt', {
      width: Math.round(width),
      height: Math.round(height),
      x: Math.round(x),
      y: Math.round(y),
    }),
  );
  const others = boxes.length > listedBoxes ? phrase('andOthers') : undefined;
  const reason = 'Other faces are in the picture; crop it, or take one of the person alone.';
  const fields = {
    rules: [{ rule: 'faces', value: boxes.length, limit: allowed, unit: 'faces', reason }],
    faces: boxes.map((box) => placeOf({ box })),
  };
  const params = { field, found: boxes.length, faces: listed, others };
  if (allowed === 1) throw new Refusal('severalFaces', params, fields);
  throw new Refusal('tooManyFaces', { ...params, most: allowed }, fields);
}

/** The number of faces and the place of the one that was taken, where there are several. */
export function among({
  face,
  analysis: { found },
}: Pick<AnalyzedFace, 'face'> & { readonly analysis: Pick<Analysis, 'found'> }) {
  return found > 1 ? { found, face: placeOf(face) } : undefined;
}

/** The main face of a picture as `detail` names it, with the number of faces when there are others. */
export function describeFace({ found }: Analysis, field: string): FaceSubject {
  return { field, face: found > 1 ? phrase('largestFace', { found }) : phrase('theFace') };
}

type FailedRule = Pick<QualityRule, 'value' | 'limit' | 'unit' | 'reason'>;

/** What the detail says of a rule that failed. */
const failures: Readonly<Record<QualityRule['name'], (rule: FailedRule) => Phrase>> = {
  size: (rule) => phrase('failedSize', rule),
  sharpness: (rule) => phrase('failedSharpness', rule),
  brightness: (rule) => phrase(rule.value < rule.limit ? 'failedDark' : 'failedBright', rule),
  contrast: (rule) => phrase('failedContrast', rule),
  pose: (rule) => phrase('failedPose', rule),
  cropped: (rule) => phrase('failedCropped', rule),
  eyes: (rule) => phrase('failedEyes', rule),
  proportions: (rule) => phrase('failedProportions', rule),
  blurred: (rule) => phrase('failedBlurred', rule),
  dark: (rule) => phrase('failedUnlit', rule),
};

/**
 * @param waived rules that are not enforced
 * @throws Refusal `qualityTooLow`, listing each failed rule with its value and limit
 */
export function requireQuality(
  face: Face,
  subject: FaceSubject,
  waived: readonly QualityRule['name'][] = [],
): void {
  const failed = (face.quality ?? []).filter((rule) => !rule.passed && !waived.includes(rule.name));
  if (failed.length === 0) return;
  const { rules, listed } = failuresOf(failed);
  throw new Refusal('qualityTooLow', { ...subject, count: rules.length, rules: listed }, { rules });
}

/** Whether a face that was analysed with `unclear` says too little to tell people apart: nobody is matched by it. */
export function isUnclear({ unclear }: Pick<Face, 'unclear'>): boolean {
  if (!unclear) throw new Error('the engine returned a face without the requested rules');
  return unclear.length > 0;
}

/**
 * @param face analysed with `unclear`
 * @param remedy what else the caller can do
 * @throws Refusal `qualityTooLow`, with each rule that makes it say too little
 */
export function requireClear(face: Face, subject: FaceSubject, remedy?: Phrase): void {
  if (!isUnclear(face)) return;
  const { rules, listed } = failuresOf(face.unclear!);
  throw new Refusal('unclear', { ...subject, rules: listed, remedy }, { rules });
}

function failuresOf(failed: readonly QualityRule[]) {
  const rules = failed.map(({ name, value, limit, unit, reason }) => ({
    rule: name,
    value: rounded(value),
    limit: rounded(limit),
    unit,
    reason,
  }));
  return { rules, listed: rules.map(({ rule, ...measured }) => failures[rule](measured)) };
}

/** The template of a face that was analysed with `embedding`. */
export function templateOf(face: Face): Float32Array {
  if (!face.embedding) throw new Error('the engine returned a face without the requested embedding');
  return face.embedding;
}

/** The template of one crop of a face that was analysed with `quickEmbedding`. */
export function quickTemplateOf(face: Face): Float32Array {
  const { quickEmbedding } = face;
  if (!quickEmbedding) throw new Error('the engine returned a face without the requested template');
  return quickEmbedding;
}

/** Whether a face that was analysed with `mask` wears one. */
export function wearsMask(face: Face): boolean {
  if (!face.mask) throw new Error('the engine returned a face without the requested mask');
  return face.mask.worn;
}

/** The analysed angles and states, in the names of the wire. */
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
function rounded(value: number): number {
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
