import { cutScaled, halvedPixels, type Scaling } from './crop-kernel.ts';
import type { Picture } from './decode.ts';
import { type Affine, scaleOf } from './geometry.ts';

/** A square or rectangular crop: three planes (R, G, B), values 0…255, row-major; plane = width × height. */
export interface Crop {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Luminance of a pixel (ITU-R BT.601), 0…255. @param i its index in a plane */
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
   */
  crop(toPicture: Affine, width: number, height: number, outside?: Outside): Crop;
  /** The same with scaled values, into the data of a crop: faster, and within a hundredth of a level. */
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
  return {
    width: picture.width,
    height: picture.height,
    crop(toPicture, width, height, outside = 'black') {
      const level = pickLevel(levels, scaleOf(toPicture) * picture.scale);
      const crop = { width, height, data: new Float32Array(3 * width * height) };
      warp(level, toPicture, crop, outside);
      return crop;
    },
    fill(into, toPicture, outside, scaling) {
      const level = pickLevel(levels, scaleOf(toPicture) * picture.scale);
      if (cutScaled(level, inLevel(toPicture, level), into, outside === 'edge', scaling)) return;
      warp(level, toPicture, into, outside);
      scale(into, scaling);
    },
  };
}

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
  return {
    ...{ a: a * scaleX, b: b * scaleX, tx: tx * scaleX },
    ...{ c: c * scaleY, d: d * scaleY, ty: ty * scaleY },
  };
}

function scale({ width, height, data }: Crop, { factors, summands }: Scaling): void {
  const plane = width * height;
  for (let i = 0; i < data.length; i++) {
    const channel = Math.floor(i / plane);
    data[i] = data[i]! * factors[channel]! + summands[channel]!;
  }
}

function warp(level: Level, m: Affine, { width, height, data }: Crop, outside: Outside): void {
  const plane = width * height;
  const lastX = level.width - 1;
  const lastY = level.height - 1;
  const stepX = m.a * level.scaleX;
  const stepY = m.c * level.scaleY;
  for (let row = 0; row < height; row++) {
    let x = (m.a * 0.5 + m.b * (row + 0.5) + m.tx) * level.scaleX - 0.5;
    let y = (m.c * 0.5 + m.d * (row + 0.5) + m.ty) * level.scaleY - 0.5;
    for (let to = row * width, end = to + width; to < end; to++, x += stepX, y += stepY) {
      if (x >= 0 && y >= 0 && x < lastX && y < lastY) {
        bilinear(level, x, y, 3, level.width * 3, data, to, plane);
        continue;
      }
      // Half a pixel beyond the last centre still belongs to the picture.
      const inside = x >= -0.5 && y >= -0.5 && x <= lastX + 0.5 && y <= lastY + 0.5;
      if (!inside && outside === 'black') {
        data[to] = data[to + plane] = data[to + 2 * plane] = 0;
        continue;
      }
      const cx = Math.max(0, Math.min(x, lastX));
      const cy = Math.max(0, Math.min(y, lastY));
      const right = cx < lastX ? 3 : 0;
      const below = cy < lastY ? level.width * 3 : 0;
      bilinear(level, cx, cy, right, below, data, to, plane);
    }
  }
}

/**
 * Writes one RGB value. (x, y) lies in the level and counts from the centre of the first pixel; `right` and `below` are the
 * distances of its neighbours in `pixels`.
 */
function bilinear(
  { pixels, width }: Level,
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
