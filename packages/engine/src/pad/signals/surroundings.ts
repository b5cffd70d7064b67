import { gaussianBlur } from '../../imaging/gaussian-blur.ts';
import { squareCrop } from '../../imaging/geometry.ts';
import { nthSmallest } from '../../imaging/nth-smallest.ts';
import { brightnessAt, type Crop } from '../../imaging/sampler.ts';
import type { Box, Point } from '../../types.ts';
import {
  detectorBox,
  nativeLuminance,
  type PadFace,
  type PadSignal,
  type RgbPixels,
  unknownValues,
} from '../signal.ts';

/** Side of the crop whose colours are compared, over the longer side of the face box, and its pixels. */
const WINDOW = 3.2;
const WINDOW_PIXELS = 64;
/** Least pixels of the window outside the head and inside the picture. */
const LEAST_OUTSIDE = 40;
/** Side of the face crop over the mean side of the box, and its pixels. */
const FACE = 0.9;
const FACE_PIXELS = 32;
/** Side of a patch at the picture's own resolution, pixels. */
const PATCH = 64;
/** The head over the detector's box. */
const HEAD = 1.25;
/** Detail, squared levels, that counts as none: less than what rounding leaves. */
const NONE = 0.02;

const NAMES = ['cast', 'sharpness', 'coloured-detail'];

/**
 * The face compared with what is around it, and its coloured detail. The face of a recapture was seen by a second camera
 * and printed or displayed, its surroundings were not.
 *
 * - `cast`: median blue-difference chroma (Cb) of the face less that of its surroundings. Screens are bluer than skin.
 * - `sharpness`: logarithm of the finest octave's detail over that of the next at the picture's own resolution, of the face
 *   less that of its surroundings.
 * - `coloured-detail`: logarithm of the chroma's detail over the luminance's, of the face. Rasters and the noise of
 *   screens and printers are coloured.
 *
 * NaN where the picture has no surroundings. Those are crops, which were encoded again: their chroma says nothing either.
 */
export const surroundings: PadSignal = {
  name: 'surroundings',
  values: NAMES,
  rising: true,
  measure: (face) => {
    const cast = castOf(face);
    return Number.isNaN(cast) ? unknownValues(NAMES) : [cast, sharpnessOf(face), colouredDetail(face)];
  },
};

function headOf(box: Box): Box {
  const { x, y, width, height } = detectorBox(box);
  const by = (HEAD - 1) / 2;
  return { x: x - by * width, y: y - by * height, width: HEAD * width, height: HEAD * height };
}

const isInside = ({ x, y }: Point, box: Box) =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

/** Whether a point lies beside or above the head, and not on the body below it. */
function isAround({ x, y }: Point, box: Box, head: Box): boolean {
  const beside = x < head.x || x >= head.x + head.width;
  return beside ? y < box.y + box.height : y < head.y;
}

function castOf({ from, box }: PadFace): number {
  const side = WINDOW * Math.max(box.width, box.height, 1);
  const centre = { x: box.x + box.width / 2, y: box.y + 0.4 * box.height };
  const toPicture = squareCrop(centre, side, 0, WINDOW_PIXELS);
  const crop = from.crop(toPicture, WINDOW_PIXELS, WINDOW_PIXELS, 'edge');
  const picture = { x: 0, y: 0, width: from.width, height: from.height };
  const head = headOf(box);
  const [face, around] = [new Float64Array(WINDOW_PIXELS ** 2), new Float64Array(WINDOW_PIXELS ** 2)];
  let [faces, arounds] = [0, 0];
  for (let i = 0; i < WINDOW_PIXELS ** 2; i++) {
    const place = {
      x: toPicture.tx + toPicture.a * ((i % WINDOW_PIXELS) + 0.5),
      y: toPicture.ty + toPicture.d * (Math.floor(i / WINDOW_PIXELS) + 0.5),
    };
    if (!isInside(place, picture)) continue;
    if (isAround(place, box, head)) around[arounds++] = blueAt(crop, i);
    else if (isInside(place, box)) face[faces++] = blueAt(crop, i);
  }
  if (arounds < LEAST_OUTSIDE || faces === 0) return Number.NaN;
  return median(face.subarray(0, faces)) - median(around.subarray(0, arounds));
}

/** Blue-difference chroma (Cb, ITU-R BT.601), −128…127. */
function blueAt(crop: Crop, i: number): number {
  return 0.564 * (crop.data[2 * crop.width * crop.height + i]! - brightnessAt(crop, i));
}

/** Red-difference chroma (Cr, ITU-R BT.601), −128…127. */
function redAt(crop: Crop, i: number): number {
  return 0.713 * (crop.data[i]! - brightnessAt(crop, i));
}

function median(values: Float64Array): number {
  return nthSmallest(values, values.length >> 1);
}

/** NaN where the face is smaller than a patch, or no patch fits beside or above the head. */
function sharpnessOf({ pixels, pixelBox: box }: PadFace): number {
  const head = headOf(box);
  const half = PATCH / 2;
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const sides = [head.x - half, head.x + head.width + half];
  const around = [
    ...[box.y, centre.y].flatMap((y) => sides.map((x) => ({ x, y }))),
    { x: centre.x, y: head.y - half },
  ];
  const inner = { x: half, y: half, width: pixels.width - PATCH, height: pixels.height - PATCH };
  const places = around.filter((place) => isInside(place, inner));
  if (Math.min(box.width, box.height) < PATCH || places.length === 0) return Number.NaN;
  return finestShare(pixels, [centre]) - finestShare(pixels, places);
}

/** Logarithm of the finest octave's detail over that of the next, both summed over patches. */
function finestShare(pixels: RgbPixels, centres: readonly Point[]): number {
  let [finest, next] = [0, 0];
  for (const { x, y } of centres) {
    const patch = nativeLuminance(pixels, { x, y, width: 0, height: 0 }, PATCH);
    const [first, second] = octaves(patch, PATCH, 2);
    finest += first! / centres.length;
    next += second! / centres.length;
  }
  return Math.log((finest + NONE) / (next + NONE));
}

/** Detail of one octave, the second of a face crop of this size. */
function colouredDetail({ from, box }: PadFace): number {
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const side = Math.max(1, (FACE * (box.width + box.height)) / 2);
  const crop = from.crop(squareCrop(centre, side, 0, FACE_PIXELS), FACE_PIXELS, FACE_PIXELS, 'edge');
  const detailOf = (valueAt: (crop: Crop, i: number) => number) => {
    const values = new Float32Array(FACE_PIXELS ** 2);
    for (let i = 0; i < values.length; i++) values[i] = valueAt(crop, i);
    return octaves(values, FACE_PIXELS, 2)[1]!;
  };
  const chroma = (detailOf(blueAt) + detailOf(redAt)) / 2;
  return Math.log((chroma + NONE) / (detailOf(brightnessAt) + NONE));
}

/** Standard deviation of the filter, pixels, and the pixels to each side that it reads. */
const SIGMA = 1;
const REACH = 2;

/**
 * Detail of a square plane by octave, the finest first: mean square of what a Gaussian filter removes. Each octave is
 * measured on the filtered plane of the one before at half its side.
 * @param side an even number of pixels at each octave
 */
export function octaves(plane: Float32Array, side: number, count: number): number[] {
  const energies: number[] = [];
  let [rest, size] = [plane, side];
  while (energies.length < count) {
    const coarse = gaussianBlur(rest, size, SIGMA, REACH);
    let squares = 0;
    for (let i = 0; i < coarse.length; i++) {
      const removed = rest[i]! - coarse[i]!;
      squares += removed * removed;
    }
    energies.push(squares / coarse.length);
    if (energies.length < count) rest = halved(coarse, size);
    size /= 2;
  }
  return energies;
}

/** Means of 2 × 2 pixels. */
function halved(plane: Float32Array, side: number): Float32Array {
  const half = side / 2;
  const means = new Float32Array(half * half);
  for (let row = 0, i = 0, at = 0; row < half; row++, at += side) {
    for (let column = 0; column < half; column++, i++, at += 2)
      means[i] = (plane[at]! + plane[at + 1]! + plane[at + side]! + plane[at + side + 1]!) / 4;
  }
  return means;
}
