import type { QualityComponent } from '../../types.ts';
import { component, rise } from './component.ts';
import { cheekZones, type FacePoints, type Portrait, type Zone } from './portrait.ts';

const LEVELS = 256;
/** Luminance levels that count as under- and overexposed, both ends included. */
const DARK = [0, 25] as const;
const BRIGHT = [247, 255] as const;

/** IEC 61966-2-1 (sRGB) decoded, 0…1, of each level of a channel. */
const LINEAR = Float64Array.from({ length: LEVELS }, (_, level) => {
  const value = level / 255;
  return value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92;
});

/**
 * Components of the light on the face, by the formulas of ISO/IEC 29794-5:2025 as OFIQ implements them: mean, variance
 * and entropy of the luminance in the region of the face, its share of dark and of bright pixels, and the overlap of the
 * histograms of both cheeks.
 */
export function lightComponents(portrait: Portrait, points: FacePoints): QualityComponent[] {
  const luminance = luminanceOf(portrait);
  const face = shares(luminance.filter((_, i) => portrait.face[i] === 1));
  const mean = sumOf(face, (share, level) => (share * level) / 255);
  const variance = sumOf(face, (share, level) => share * (level / 255 - mean) ** 2);
  const entropy = sumOf(face, (share) => (share > 0 ? -share * Math.log2(share) : 0));
  const within = ([from, to]: readonly [number, number]) =>
    face.slice(from, to + 1).reduce((sum, share) => sum + share, 0);
  const [dark, bright] = [within(DARK), within(BRIGHT)];
  const even = evenness(luminance, portrait, points);
  return [
    component('illumination_uniformity', even, 100 * even ** 0.3),
    component('luminance_mean', mean, 100 * rise(mean, 0.2, 0.05) * (1 - rise(mean, 0.8, 0.05))),
    component(
      'luminance_variance',
      variance,
      100 * Math.sin(((60 * variance) / (60 * variance + 1)) * Math.PI),
    ),
    component('under_exposure_prevention', dark, 120 * (0.832 - rise(dark, 0.92, 0.05))),
    component('over_exposure_prevention', bright, 1 / (bright + 0.01)),
    component('dynamic_range', entropy, 12.5 * entropy),
  ];
}

/** Luminance in linear light (CIE Y of sRGB), 0…255, row-major; beyond the face as in the picture. */
function luminanceOf({ crop: { data, width, height } }: Portrait): Uint8Array {
  const plane = width * height;
  const linear = (at: number) => LINEAR[Math.max(0, Math.min(255, Math.round(data[at]!)))]!;
  return Uint8Array.from({ length: plane }, (_, i) => {
    const y = 0.2126 * linear(i) + 0.7152 * linear(i + plane) + 0.0722 * linear(i + 2 * plane);
    return Math.floor(255 * y + 0.5);
  });
}

/** Share of the values at each level; zeros when there are none. */
function shares(values: Uint8Array): Float64Array {
  const histogram = new Float64Array(LEVELS);
  for (const value of values) histogram[value]! += 1;
  return histogram.map((count) => count / Math.max(1, values.length));
}

function sumOf(histogram: Float64Array, term: (share: number, level: number) => number): number {
  return histogram.reduce((sum, share, level) => sum + term(share, level), 0);
}

/** Overlap of the histograms of both cheeks, 0 (no level in common) to 1. */
function evenness(luminance: Uint8Array, portrait: Portrait, points: FacePoints): number {
  const [right, left] = cheekZones(portrait, points).map((zone) => shares(inZone(luminance, portrait, zone)));
  return sumOf(right!, (share, level) => Math.min(share, left![level]!));
}

/** Values of a zone, 0 outside of the face. */
function inZone(luminance: Uint8Array, { crop, face }: Portrait, { x, y, side }: Zone): Uint8Array {
  const values = new Uint8Array(side * side);
  for (let i = 0; i < values.length; i++) {
    const [column, row] = [x + (i % side), y + Math.floor(i / side)];
    if (column < 0 || row < 0 || column >= crop.width || row >= crop.height) continue;
    const at = row * crop.width + column;
    values[i] = luminance[at]! * face[at]!;
  }
  return values;
}
