import { cutScaled, halvedPixels, type Pixels, type Scaling } from './crop-kernel.ts';
import type { Picture } from './decode.ts';
import { type Affine, scaleOf } from './geometry.ts';
import { cutPlainly } from './plain-crop.ts';

/** A square or rectangular crop: three planes (R, G, B), values 0…255, row-major; plane = width × height. */
export interface Crop {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Scaling to luminance (ITU-R BT.601). */
const LUMINANCE: Scaling = { factors: [0.299, 0.587, 0.114], summands: [0, 0, 0], sum: true };

/** Luminance of a pixel, 0…255. @param i its index in a plane */
export function brightnessAt({ data, width, height }: Crop, i: number): number {
  const plane = width * height;
  return 0.299 * data[i]! + 0.587 * data[i + plane]! + 0.114 * data[i + 2 * plane]!;
}

/** Content of a crop beyond the edges of the picture: black, or the repeated edge. */
export type Outside = 'black' | 'edge';

/** Cuts crops out of one picture. Halved copies for crops that shrink are computed once, at first use. */
export interface Sampler {
  readonly width: number;
  readonly height: number;
  /**
   * @param toPicture maps crop pixels to full-size picture pixels (a similarity, mirrored or not); pixel i
   * covers i…i+1
   * @returns values within a hundredth of a level
   */
  crop(toPicture: Affine, width: number, height: number, outside?: Outside): Crop;
  /** Luminance of a crop (ITU-R BT.601), 0…255, row-major. */
  luminance(toPicture: Affine, width: number, height: number, outside?: Outside): Float32Array;
  /** The same as `crop` with scaled values, into the data of a crop. */
  fill(into: Crop, toPicture: Affine, outside: Outside, scaling: Scaling): void;
}

interface Level {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Level pixels per full-size pixel, in each direction. */
  readonly scaleX: number;
  readonly scaleY: number;
}

/** @example sampler(picture).crop(squareCrop(centre, 200, 0, 64), 64, 64).data.length // 3 × 64 × 64 */
export function sampler(picture: Picture): Sampler {
  const levels: Level[] = [
    {
      pixels: picture.pixels,
      width: picture.keptWidth,
      height: picture.keptHeight,
      scaleX: picture.keptWidth / picture.width,
      scaleY: picture.keptHeight / picture.height,
    },
  ];
  const fill: Sampler['fill'] = (into, toPicture, outside, scaling) => {
    const level = pickLevel(levels, scaleOf(toPicture) * picture.scale);
    cut(level, inLevel(toPicture, level), into, outside, scaling);
  };
  return {
    width: picture.width,
    height: picture.height,
    crop(toPicture, width, height, outside = 'black') {
      const crop = { width, height, data: new Float32Array(3 * width * height) };
      fill(crop, toPicture, outside, UNSCALED);
      return crop;
    },
    luminance(toPicture, width, height, outside = 'black') {
      const data = new Float32Array(width * height);
      fill({ width, height, data }, toPicture, outside, LUMINANCE);
      return data;
    },
    fill,
  };
}

/**
 * Luminance (ITU-R BT.601), 0…255, of a part of pixels, without halved copies.
 * @param toPixels maps the part's pixels to these; pixel i covers i…i+1
 */
export function luminanceIn(
  from: Pixels,
  toPixels: Affine,
  width: number,
  height: number,
  outside: Outside,
): Float32Array {
  const data = new Float32Array(width * height);
  cut(from, toPixels, { width, height, data }, outside, LUMINANCE);
  return data;
}

function cut(from: Pixels, toPixels: Affine, into: Crop, outside: Outside, scaling: Scaling): void {
  const edge = outside === 'edge';
  if (!cutScaled(from, toPixels, into, edge, scaling)) cutPlainly(from, toPixels, into, edge, scaling);
}

const UNSCALED: Scaling = { factors: [1, 1, 1], summands: [0, 0, 0] };

/** Bilinear sampling aliases when it skips pixels, so a crop that shrinks by s uses a copy halved about log2(s) times. */
function pickLevel(levels: Level[], shrink: number): Level {
  const wanted = Math.max(0, Math.round(Math.log2(shrink)));
  while (levels.length <= wanted) {
    const last = levels[levels.length - 1]!;
    if (last.width < 2 || last.height < 2) return last;
    levels.push(halve(last));
  }
  return levels[wanted]!;
}

/** Averages 2 × 2 pixels; an odd last row or column is dropped, which keeps the scales exact. */
function halve(from: Level): Level {
  const width = from.width >> 1;
  const height = from.height >> 1;
  const pixels = halvedPixels(from) ?? halvedPlainly(from);
  return { pixels, width, height, scaleX: from.scaleX / 2, scaleY: from.scaleY / 2 };
}

function halvedPlainly(from: Level): Uint8Array {
  const [width, height] = [from.width >> 1, from.height >> 1];
  const pixels = new Uint8Array(width * height * 3);
  const stride = from.width * 3;
  let to = 0;
  for (let y = 0; y < height; y++) {
    let at = 2 * y * stride;
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++, at++) {
        const sum =
          from.pixels[at]! + from.pixels[at + 3]! + from.pixels[at + stride]! + from.pixels[at + stride + 3]!;
        pixels[to++] = (sum + 2) >> 2;
      }
      at += 3;
    }
  }
  return pixels;
}

function inLevel({ a, b, tx, c, d, ty }: Affine, { scaleX, scaleY }: Level): Affine {
  // biome-ignore format: two rows; spread objects would take as long as a small crop
  return {
    a: a * scaleX, b: b * scaleX, tx: tx * scaleX,
    c: c * scaleY, d: d * scaleY, ty: ty * scaleY,
  };
}
