import { nthSmallest } from '../imaging/nth-smallest.ts';
import type { Sampler } from '../imaging/sampler.ts';
import type { Box, Pose, QualityRule } from '../types.ts';
import type { Mesh } from './mesh/mesh.ts';
import { type Alignment, alignTo } from './template/align.ts';
import { DARK_LIMIT, UNCLEAR_LIMIT, type Unclear } from './unclear.ts';

/** Input of the quality rules. */
export interface QualityInput {
  /** Face box in pixels of the upright picture. */
  readonly box: Box;
  /** Size of the upright picture, pixels. */
  readonly width: number;
  readonly height: number;
  readonly pose: Pose;
  /** Least size of the face, pixels. Default 100. */
  readonly minSize?: number | undefined;
  readonly light: LightMeasures;
  readonly unclear: Unclear;
}

/** Measures of the inner face. */
export interface LightMeasures {
  /** 0 (blurred)…1, see `sharpnessOf`. */
  readonly sharpness: number;
  /** Mean luminance, 0…1. */
  readonly brightness: number;
  /** Luminance between the 5th and the 95th percentile, 0…1. */
  readonly contrast: number;
}

/**
 * Alignment that the limits were measured with, independent of the pack: dlib's five-point face chip (mean face shape of
 * its get_face_chip_details) with a quarter of its side added on each side.
 */
const CHIP = {
  padding: 0.25,
  points: [
    { mesh: 263, x: 0.8595674595992, y: 0.2134981538014 },
    { mesh: 362, x: 0.6460604764104, y: 0.2289674387677 },
    { mesh: 33, x: 0.1205750620789, y: 0.2137274526848 },
    { mesh: 133, x: 0.3340850613712, y: 0.2290642403242 },
    { mesh: 2, x: 0.4901123135679, y: 0.6277975316475 },
  ],
} satisfies Alignment;
const CHIP_SIDE = 150;
/** Pixels that are cut off on each side, to leave the face without background, and the side of what is left. */
const BORDER = 33;
export const INNER_SIDE = CHIP_SIDE - 2 * BORDER;

/** Luminance (ITU-R BT.601) of the inner face, for `measureLight`. */
export function innerFace(from: Sampler, mesh: Mesh): Float32Array {
  const { a, b, c, d, tx, ty } = alignTo(mesh, CHIP, CHIP_SIDE);
  const inner = { a, b, c, d, tx: tx + (a + b) * BORDER, ty: ty + (c + d) * BORDER };
  return from.luminance(inner, INNER_SIDE, INNER_SIDE);
}

/**
 * Size of a face, the shorter side of its box in pixels, below which references cost recognition: see "Size of faces" in
 * lab/results/tuning.json.
 */
const MIN_FACE_SIZE = 100;

/** Limits that nearly all ordinary photos keep and blurred, dark or tiny ones exceed. */
const LIMITS = {
  sharpness: 0.3,
  dark: 0.18,
  bright: 0.85,
  contrast: 0.18,
  pose: 35,
  cropped: 0.05,
} as const;

const ADVICE = {
  size: 'The face is too small; move closer.',
  sharpness: 'The face is blurred; hold still and focus.',
  dark: 'The face is too dark; use more light.',
  bright: 'The face is too bright; use less light.',
  contrast: 'The face is flat; use more even, stronger light.',
  pose: 'The head is turned away; look into the camera.',
  cropped: 'The face is cut off; keep all of it in the picture.',
  covered: 'The eyes are covered; take the sunglasses off.',
  squeezed: 'The picture is squeezed; send it in its true proportions.',
} as const satisfies Record<keyof typeof LIMITS | 'size' | 'covered' | 'squeezed', string>;

/**
 * Measures a face against each rule, in a fixed order. The rules correspond to components of ISO/IEC 29794-5 (head size,
 * sharpness, luminance, dynamic range, pose, cropping); values and limits are this engine's own.
 */
export function qualityOf(input: QualityInput): QualityRule[] {
  const { box, pose, light, unclear, minSize = MIN_FACE_SIZE } = input;
  const turned = Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch));
  return [
    atLeast('size', Math.min(box.width, box.height), minSize, 'pixels', ADVICE.size),
    atLeast('sharpness', light.sharpness, LIMITS.sharpness, 'share', ADVICE.sharpness),
    brightness(light.brightness),
    atLeast('contrast', light.contrast, LIMITS.contrast, 'share', ADVICE.contrast),
    atMost('pose', turned, LIMITS.pose, 'degrees', ADVICE.pose),
    atMost('cropped', outside(input), LIMITS.cropped, 'share', ADVICE.cropped),
    eyes(unclear),
    proportions(unclear),
  ];
}

const eyes = ({ covered }: Unclear) => likely('eyes', covered, ADVICE.covered);
const proportions = ({ squeezed }: Unclear) => likely('proportions', squeezed, ADVICE.squeezed);

function likely(name: Name, probability: number, advice: string, limit = UNCLEAR_LIMIT): QualityRule {
  return atMost(name, probability, limit, 'probability', advice);
}

/** The rules that a face fails which says too little to tell people apart. */
export function unclearRules(unclear: Unclear): QualityRule[] {
  return [
    likely('blurred', unclear.blurred, ADVICE.sharpness),
    likely('dark', unclear.dark, ADVICE.dark, DARK_LIMIT),
    eyes(unclear),
    proportions(unclear),
  ].filter(({ passed }) => !passed);
}

/** @param light result of `innerFace`, which is reordered */
export function measureLight(light: Float32Array): LightMeasures {
  const [sharpness, brightness] = [sharpnessOf(light), mean(light) / 255];
  const at = (share: number) => nthSmallest(light, Math.round(share * (light.length - 1)));
  return {
    sharpness,
    brightness,
    // Only quality asks for it.
    get contrast() {
      return (at(0.95) - at(0.05)) / 255;
    },
  };
}

type Name = QualityRule['name'];

function atLeast(name: Name, value: number, limit: number, unit: string, advice: string): QualityRule {
  const passed = value >= limit;
  return { name, value, limit, unit, passed, reason: passed ? '' : advice };
}

function atMost(name: Name, value: number, limit: number, unit: string, advice: string): QualityRule {
  const passed = value <= limit;
  return { name, value, limit, unit, passed, reason: passed ? '' : advice };
}

/** Of the two limits, the nearer one is reported. */
function brightness(value: number): QualityRule {
  return value < (LIMITS.dark + LIMITS.bright) / 2
    ? atLeast('brightness', value, LIMITS.dark, 'share', ADVICE.dark)
    : atMost('brightness', value, LIMITS.bright, 'share', ADVICE.bright);
}

/** Share of the face box that lies beyond the edges of the picture. */
function outside({ box, width, height }: QualityInput): number {
  const inX = Math.max(0, Math.min(box.x + box.width, width) - Math.max(box.x, 0));
  const inY = Math.max(0, Math.min(box.y + box.height, height) - Math.max(box.y, 0));
  return 1 - (inX * inY) / (box.width * box.height);
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** Width of the second blur, pixels. */
const REBLUR = 9;

/**
 * Share of the detail that a second blur removes, 0 (already blurred) to 1, in the less sharp direction; independent of
 * contrast. F. Crete et al., "The blur effect: perception and estimation with a new no-reference perceptual blur metric",
 * 2007.
 */
function sharpnessOf(light: Float32Array): number {
  return Math.min(kept(light, 1, INNER_SIDE), kept(light, INNER_SIDE, 1));
}

function kept(values: Float32Array, step: number, across: number): number {
  const reach = REBLUR >> 1;
  let all = 0;
  let lost = 0;
  for (let line = 0; line < INNER_SIDE; line++) {
    const start = line * across;
    for (let i = reach + 1; i < INNER_SIDE - reach; i++) {
      const at = start + i * step;
      // What the mean of REBLUR values changes by.
      const blurred = (values[at + reach * step]! - values[at - (reach + 1) * step]!) / REBLUR;
      const change = Math.abs(values[at]! - values[at - step]!);
      all += change;
      lost += Math.max(0, change - Math.abs(blurred));
    }
  }
  return all > 0 ? lost / all : 0;
}
