import sharp, { type Sharp } from 'sharp';
import { type Random, seeded } from '../recapture/random.ts';
import { type Damage, damaged } from './damage.ts';
import { type Covering, paint } from './paint.ts';
import type { PaintableFace } from './paintable-face.ts';
import { type Pixels, raw, rgb } from './pixels.ts';

/** Changes of a picture of a face: something painted over it, damage, and a crop that may cut the face off. */
export interface Variant {
  readonly covering: Covering | undefined;
  readonly damage?: Damage | undefined;
  /** Whether the picture is cut at the face's edges, or within them, as crops of detectors are. */
  readonly tight: boolean;
}

/** Longest side of a variant, pixels. */
const LONGEST = 420;
/** Mesh points of cheeks and chin, whose median colour is that of the skin. */
const SKIN = [50, 280, 151, 205, 425] as const;
/** Brow to chin and temple to temple. */
const OUTLINE = [70, 105, 336, 334, 300, 127, 234, 58, 150, 152, 379, 288, 454, 356] as const;

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A JPEG of a face with a covering, in other light and at another size and quality.
 * @param bytes the picture
 * @param mesh x, y, z of 468 points, pixels of the upright picture
 * @param seed the same seed gives the same variant
 * @returns undefined where hardly anything of the picture would be left
 */
export async function variantOf(
  bytes: Uint8Array,
  mesh: Float32Array,
  { covering, tight, damage }: Variant,
  seed: string,
): Promise<Buffer | undefined> {
  const random = seeded([seed, covering, tight, ...(damage ? [damage] : [])].join(' '));
  const upright = await rgb(sharp(bytes).rotate());
  const area = tight
    ? tightCrop(mesh, upright.info, covering === 'mask', random)
    : wideCrop(mesh, upright.info);
  if (Math.min(area.width, area.height) < 24) return undefined;
  const target = tight ? random.between(60, 300) : LONGEST;
  const zoom = Math.min(1, target / Math.max(area.width, area.height));
  const [width, height] = [area.width, area.height].map((side) => Math.max(16, Math.round(side * zoom)));
  const cut = await rgb(
    sharp(upright.data, raw(upright)).extract(area).resize(width!, height!, { fit: 'fill' }),
  );
  const painted = covering === undefined ? cut : await covered(cut, covering, mesh, area, random);
  const left = damage ? await damaged(damage, painted, boxOf(mesh).width * zoom, random) : painted;
  return develop(sharp(left.data, raw(left)), random);
}

async function covered(cut: Pixels, covering: Covering, mesh: Float32Array, area: Rectangle, random: Random) {
  const { width, height } = cut.info;
  const at: PaintableFace['at'] = (index) => [
    ((mesh[3 * index]! - area.left) * width) / area.width,
    ((mesh[3 * index + 1]! - area.top) * height) / area.height,
  ];
  const svg = paint(covering, { width, height, at, skin: skinOf(cut, at) }, random);
  return rgb(sharp(cut.data, raw(cut)).composite([{ input: Buffer.from(svg) }]));
}

function skinOf({ data, info: { width, height } }: Pixels, at: PaintableFace['at']): PaintableFace['skin'] {
  const inside = (value: number, side: number) => Math.max(0, Math.min(side - 1, Math.round(value)));
  const starts = SKIN.map((index) => {
    const [x, y] = at(index);
    return 3 * (inside(y, height) * width + inside(x, width));
  });
  const median = (channel: number) => starts.map((start) => data[start + channel]!).sort((a, b) => a - b)[2]!;
  return [median(0), median(1), median(2)];
}

/** The face and what is around it. */
function wideCrop(
  mesh: Float32Array,
  picture: { readonly width: number; readonly height: number },
): Rectangle {
  const box = boxOf(mesh);
  const reach = 1.3 * Math.max(box.width, box.height);
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return within(x - reach, y - reach, x + reach, y + reach, picture);
}

/** Edges near those of the face; half of them cut into it. A masked face keeps most of its mask. */
function tightCrop(
  mesh: Float32Array,
  picture: { readonly width: number; readonly height: number },
  masked: boolean,
  random: Random,
): Rectangle {
  const { left, top, width, height } = boxOf(mesh);
  const side = () => (random.chance(0.5) ? -random.between(0, 0.12) : random.between(0, 0.3));
  const chin = random.chance(0.75) ? -random.between(0, masked ? 0.18 : 0.3) : random.between(0, 0.15);
  return within(
    left - width * side(),
    top - height * random.between(0.1, 0.5),
    left + width * (1 + side()),
    top + height * (1 + chin),
    picture,
  );
}

function boxOf(mesh: Float32Array): Rectangle {
  const of = (axis: number) => OUTLINE.map((index) => mesh[3 * index + axis]!);
  const [left, top] = [Math.min(...of(0)), Math.min(...of(1))];
  return { left, top, width: Math.max(...of(0)) - left, height: Math.max(...of(1)) - top };
}

function within(
  x: number,
  y: number,
  right: number,
  bottom: number,
  picture: { readonly width: number; readonly height: number },
): Rectangle {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  const width = Math.min(picture.width, Math.round(right)) - left;
  return { left, top, width, height: Math.min(picture.height, Math.round(bottom)) - top };
}

/** Other light, greyscale, blur and compression, each in a part of the variants. */
function develop(image: Sharp, random: Random): Promise<Buffer> {
  const gain = random.chance(0.4) ? random.between(0.4, 1.3) : 1;
  const tint = [0, 1, 2].map((channel) => gain * (channel === 1 ? 1 : random.between(0.9, 1.1)));
  const lit = image.linear(gain === 1 ? [1, 1, 1] : tint, [0, 0, 0]);
  const grey = random.chance(0.25) ? lit.modulate({ saturation: 0.01 }) : lit;
  const blurred = random.chance(0.3) ? grey.blur(random.between(0.5, 1.7)) : grey;
  return blurred.jpeg({ quality: Math.round(random.between(40, 95)) }).toBuffer();
}
