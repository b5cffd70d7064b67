import { cutScaled, halvedPixels, type Pixels, type Scaling, type Target } from './crop-kernel.ts';
import { type Affine, scaleOf } from './geometry.ts';

/** Pixels of an upright picture, scaled down to the size that detection and crops need. */
export interface KeptPixels {
  /** RGB, 8 bits each, row-major, `keptWidth × keptHeight × 3`. */
  readonly pixels: Uint8Array;
  readonly keptWidth: number;
  readonly keptHeight: number;
  /** Size of the upright full-size picture (EXIF applied), pixels: the space of all coordinates in results. */
  readonly width: number;
  readonly height: number;
  /** Kept pixels per full-size pixel, 0…1. */
  readonly scale: number;
}

/** A square or rectangular crop: three planes (R, G, B), values 0…255, row-major; plane = width × height. */
export interface Crop {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Scaling to luminance (ITU-R BT.601). */
const LUMINANCE: Scaling = { factors: [0.299, 0.587, 0.114], summands: [0, 0, 0], sum: true };

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
export function sampler(picture: KeptPixels): Sampler {
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

/** A sampler that fills crops with values that are `gain` times as large. */
export function brightened(from: Sampler, gain: number): Sampler {
  return {
    ...from,
    fill: (into, toPicture, outside, { factors, ...rest }) =>
      from.fill(into, toPicture, outside, { ...rest, factors: factors.map((one) => one * gain) }),
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

/** As `cutScaled`, without WASM: the exact values, in several times its time. */
export function cutPlainly(
  from: Pixels,
  m: Affine,
  to: Target,
  edge: boolean,
  { factors, summands, sum }: Scaling,
): void {
  const plane = to.width * to.height;
  const three = sum ? new Float32Array(3 * plane) : to.data;
  warp(from, m, { ...to, data: three }, edge);
  for (let i = 0; i < three.length; i++) {
    const channel = Math.floor(i / plane);
    three[i] = three[i]! * factors[channel]! + summands[channel]!;
  }
  for (let i = 0; sum && i < plane; i++) to.data[i] = three[i]! + three[i + plane]! + three[i + 2 * plane]!;
}

function warp(from: Pixels, m: Affine, { width, height, data }: Target, edge: boolean): void {
  const plane = width * height;
  const lastX = from.width - 1;
  const lastY = from.height - 1;
  for (let row = 0; row < height; row++) {
    let x = m.a * 0.5 + m.b * (row + 0.5) + m.tx - 0.5;
    let y = m.c * 0.5 + m.d * (row + 0.5) + m.ty - 0.5;
    for (let to = row * width, end = to + width; to < end; to++, x += m.a, y += m.c) {
      if (x >= 0 && y >= 0 && x < lastX && y < lastY) {
        bilinear(from, x, y, 3, from.width * 3, data, to, plane);
        continue;
      }
      // Half a pixel beyond the last centre still belongs to the picture.
      const inside = x >= -0.5 && y >= -0.5 && x <= lastX + 0.5 && y <= lastY + 0.5;
      if (!inside && !edge) {
        data[to] = data[to + plane] = data[to + 2 * plane] = 0;
        continue;
      }
      const cx = Math.max(0, Math.min(x, lastX));
      const cy = Math.max(0, Math.min(y, lastY));
      const right = cx < lastX ? 3 : 0;
      const below = cy < lastY ? from.width * 3 : 0;
      bilinear(from, cx, cy, right, below, data, to, plane);
    }
  }
}

/**
 * Writes one RGB value. (x, y) lies in the picture and counts from the centre of the first pixel; `right` and `below` are the
 * distances of its neighbours in `pixels`.
 */
function bilinear(
  { pixels, width }: Pixels,
  x: number,
  y: number,
  right: number,
  below: number,
  data: Float32Array,
  to: number,
  plane: number,
): void {
  const x0 = x | 0;
  const y0 = y | 0;
  const fx = x - x0;
  const fy = y - y0;
  const p = (y0 * width + x0) * 3;
  const q = p + below;
  // Written out: the loop over three channels takes twice as long.
  const top0 = pixels[p]! + (pixels[p + right]! - pixels[p]!) * fx;
  const low0 = pixels[q]! + (pixels[q + right]! - pixels[q]!) * fx;
  data[to] = top0 + (low0 - top0) * fy;
  const top1 = pixels[p + 1]! + (pixels[p + right + 1]! - pixels[p + 1]!) * fx;
  const low1 = pixels[q + 1]! + (pixels[q + right + 1]! - pixels[q + 1]!) * fx;
  data[to + plane] = top1 + (low1 - top1) * fy;
  const top2 = pixels[p + 2]! + (pixels[p + right + 2]! - pixels[p + 2]!) * fx;
  const low2 = pixels[q + 2]! + (pixels[q + right + 2]! - pixels[q + 2]!) * fx;
  data[to + 2 * plane] = top2 + (low2 - top2) * fy;
}
