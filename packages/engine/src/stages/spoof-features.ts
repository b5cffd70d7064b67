import type { Box } from '../types.ts';
import { COLOUR_NAMES, colourFeatures, isGreyscale, TONE_NAMES, toneFeatures } from './spoof-colour.ts';
import { CONTEXT_NAMES, CONTEXT_TIMES, contextFeatures } from './spoof-context.ts';
import { nativeView, type RgbPixels, shareInside, squareView, type View } from './spoof-crop.ts';
import { PATCH, SPECTRUM_NAMES, spectrumFeatures } from './spoof-spectrum.ts';
import {
  CHROMA_PATTERN_NAMES,
  GRAIN_NAMES,
  grainFeatures,
  LUMA_PATTERN_NAMES,
  patternFeatures,
} from './spoof-texture.ts';

/** Names of the features, in the order of `spoofFeatures`. */
export const SPOOF_NAMES: readonly string[] = [
  ...TONE_NAMES,
  ...GRAIN_NAMES,
  ...LUMA_PATTERN_NAMES,
  ...COLOUR_NAMES,
  ...CHROMA_PATTERN_NAMES,
  ...CONTEXT_NAMES,
  ...SPECTRUM_NAMES,
];

const VIEW = 96;

/**
 * What the spoof model looks at: light, grain, texture, colour, surroundings and spectrum of a face. A feature
 * that the picture cannot tell is NaN: colours of a greyscale picture, surroundings that are cut off, the spectrum
 * of a face whose box is less than three quarters of the patch that is transformed.
 * @param box of the face, in these pixels
 */
export function spoofFeatures(pixels: RgbPixels, box: Box): number[] {
  const face = squareView(pixels, box, 1.1, VIEW);
  return [
    ...toneFeatures(face),
    ...grainFeatures(face),
    ...patternFeatures(face.y, VIEW),
    ...(isGreyscale(face) ? unknown([...COLOUR_NAMES, ...CHROMA_PATTERN_NAMES]) : chroma(face)),
    ...surroundings(pixels, box),
    ...fineDetail(pixels, box),
  ];
}

function chroma(face: View): number[] {
  return [...colourFeatures(face), ...patternFeatures(face.cb, VIEW), ...patternFeatures(face.cr, VIEW)];
}

/** Edges that repeat outside of the picture look like rims: a face that fills its picture has no surroundings. */
function surroundings(pixels: RgbPixels, box: Box): number[] {
  if (shareInside(pixels, box, CONTEXT_TIMES) < 0.8) return unknown(CONTEXT_NAMES);
  return contextFeatures(squareView(pixels, box, CONTEXT_TIMES, VIEW));
}

function fineDetail(pixels: RgbPixels, box: Box): number[] {
  if (Math.min(box.width, box.height) < PATCH * 0.75) return unknown(SPECTRUM_NAMES);
  return spectrumFeatures(nativeView(pixels, box, PATCH).y);
}

const unknown = (names: readonly string[]) => names.map(() => Number.NaN);
