import { nthSmallest } from '../imaging/nth-smallest.ts';
import { brightnessAt, type Crop, type Sampler } from '../imaging/sampler.ts';
import type { Box, Pose, QualityRule } from '../types.ts';
import type { Mesh } from './mesh/mesh.ts';
import { type Alignment, align } from './template/align.ts';

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

/** Aligned crop for `measureLight`. */
export function qualityCrop(from: Sampler, mesh: Mesh): Crop {
  return align(from, mesh, CHIP, CHIP_SIDE);
}

/**
 * Size of a face, the shorter side of its box in pixels, below which references cost recognition: see "Size of faces" in
 * docs/accuracy.md.
 */
const MIN_FACE_SIZE = 100;

/** Limits that nearly all ordinary photos keep and blurred, dark or tiny ones exceed; see docs/accuracy.md. */
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
} as const satisfies Record<keyof typeof LIMITS | 'size', string>;

/** Share of the aligned crop's side that is cut off on each side, to leave the face without background. */
const BORDER = 0.22;

/**
 * Measures a face against each rule, in a fixed order. The rules correspond to quality components of ISO/IEC 29794-5
 * (head size, sharpness, luminance, dynamic range, pose, cropping); values and limits are this engine's own.
 */
export function qualityOf(input: QualityInput): QualityRule[] {
  const { box, pose, light, minSize = MIN_FACE_SIZE } = input;
  const turned = Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch));
  return [
    atLeast('size', Math.min(box.width, box.height), minSize, 'pixels', ADVICE.size),
    atLeast('sharpness', light.sharpness, LIMITS.sharpness, 'share', ADVICE.sharpness),
    brightness(light.brightness),
    atLeast('contrast', light.contrast, LIMITS.contrast, 'share', ADVICE.contrast),
    atMost('pose', turned, LIMITS.pose, 'degrees', ADVICE.pose),
    atMost('cropped', outside(input), LIMITS.cropped, 'share', ADVICE.cropped),
  ];
}

/** @param aligned result of `qualityCrop`; RGB 0…255 */
export function measureLight(aligned: Crop): LightMeasures {
  const light = luminance(aligned);
  const [sharpness, brightness] = [sharpnessOf(light), mean(light.values) / 255];
  const at = (share: number) => nthSmallest(light.values, Math.round(share * (light.values.length - 1)));
  return { sharpness, brightness, contrast: (at(0.95) - at(0.05)) / 255 };
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

interface Light {
  readonly size: number;
  readonly values: Float32Array;
}

/** Luminance (ITU-R BT.601) of the inner face. */
function luminance(crop: Crop): Light {
  const { width } = crop;
  const from = Math.round(width * BORDER);
  const size = width - 2 * from;
  const values = new Float32Array(size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      values[y * size + x] = brightnessAt(crop, (y + from) * width + x + from);
    }
  }
  return { size, values };
}

function mean(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Width of the second blur, pixels. */
const REBLUR = 9;

/**
 * Share of the detail that a second blur removes, 0 (already blurred) to 1, in the less sharp direction; independent of
 * contrast. F. Crete et al., "The blur effect: perception and estimation with a new no-reference perceptual blur metric",
 * 2007.
 */
function sharpnessOf(light: Light): number {
  return Math.min(kept(light, 1, light.size), kept(light, light.size, 1));
}

function kept({ size, values }: Light, step: number, across: number): number {
  const reach = REBLUR >> 1;
  let all = 0;
  let lost = 0;
  for (let line = 0; line < size; line++) {
    const start = line * across;
    let sum = 0;
    for (let i = 0; i < REBLUR; i++) sum += values[start + i * step]!;
    for (let i = reach + 1; i < size - reach; i++) {
      const at = start + i * step;
      const before = sum;
      sum += values[at + reach * step]! - values[at - (reach + 1) * step]!;
      const change = Math.abs(values[at]! - values[at - step]!);
      all += change;
      lost += Math.max(0, change - Math.abs(sum - before) / REBLUR);
    }
  }
  return all > 0 ? lost / all : 0;
}
