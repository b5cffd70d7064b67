import sharp from 'sharp';
import { between, blur, type Canvas, paint, toPixels } from '../recapture/canvas.ts';
import type { Random } from '../recapture/random.ts';
import type { Relief } from './relief.ts';
import { copyOf } from './still.ts';

/** What a simulated camera and room add to a frame. */
export interface Look {
  /** Standard deviation of the sensor's noise, 0…255. */
  readonly noise: number;
  /** Standard deviation of the blur, pixels. */
  readonly blur: number;
  /** Largest change of brightness, as a share. */
  readonly light: number;
  /** Strength of a shadow or light from one side, which follows the relief, 0…1. */
  readonly relit: number;
  /** Direction from the face to a lamp, to the right and down; undefined: another one in each frame. */
  readonly lamp?: readonly [number, number];
  /** Depth of a soft shadow that lies elsewhere in each frame, 0…1. */
  readonly shadow: number;
  /** Standard deviation of skin texture that is drawn anew for each frame, 0…255. */
  readonly pores: number;
  /** JPEG quality, 1…100. */
  readonly quality: number;
}

export const CLEAN: Look = { noise: 1.2, blur: 0, light: 0.03, relit: 0, shadow: 0, pores: 0, quality: 92 };

/** A JPEG of a frame as a camera with this look would take it. */
export async function photographed(
  frame: Canvas,
  look: Look,
  random: Random,
  relief?: Relief,
): Promise<Buffer> {
  const canvas = copyOf(frame);
  if (look.pores > 0) addTexture(canvas, look.pores, random);
  if (look.relit > 0 && relief) relight(canvas, relief, look, random);
  if (look.shadow > 0) castShadow(canvas, look.shadow, random);
  const gain = [0, 1, 2].map(() => 1 + random.between(-look.light, look.light) / 4);
  const bright = 1 + random.between(-look.light, look.light);
  paint(canvas, (value, channel) => value * gain[channel]! * bright);
  if (look.blur > 0) blur(canvas, look.blur);
  if (look.noise > 0) paint(canvas, (value) => value + look.noise * random.normal());
  const { data, width, height } = toPixels(canvas);
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: look.quality })
    .toBuffer();
}

/** Darkens one side of a soft edge across the picture. */
function castShadow(canvas: Canvas, depth: number, random: Random): void {
  const direction = random.between(0, 2 * Math.PI);
  const [dx, dy] = [Math.cos(direction), Math.sin(direction)];
  const edge = random.between(-0.2, 0.2) * canvas.width;
  const soft = random.between(0.1, 0.3) * canvas.width;
  const [cx, cy] = [canvas.width / 2, canvas.height * 0.45];
  paint(canvas, (value, _, x, y) => {
    const across = ((x - cx) * dx + (y - cy) * dy - edge) / soft;
    return value * (1 - depth / (1 + Math.exp(-across)));
  });
}

/** Brightness that varies over one to three pixels, equal in all channels, as pores and gloss do. */
function addTexture(canvas: Canvas, strength: number, random: Random): void {
  const { width, height } = canvas;
  const fine = noisePlane(width, height, random);
  const coarse = noisePlane(Math.ceil(width / 3), Math.ceil(height / 3), random);
  paint(canvas, (value, _, x, y) => {
    const rough = between(coarse, Math.ceil(width / 3), Math.ceil(height / 3), x / 3, y / 3);
    return value + strength * (0.6 * fine[y * width + x]! + rough);
  });
}

function noisePlane(width: number, height: number, random: Random): Float32Array {
  return Float32Array.from({ length: width * height }, () => random.normal());
}

/** Light from a random side or a lamp, falling on the relief by its slope (Lambert). */
function relight(canvas: Canvas, relief: Relief, { relit, lamp }: Look, random: Random): void {
  const { columns, rows, depth } = relief;
  const direction = random.between(0, 2 * Math.PI);
  const [lx, ly] = lamp ?? [Math.cos(direction), 0.6 * Math.sin(direction)];
  const amount = lamp ? relit : relit * random.between(0.5, 1);
  const slope = new Float32Array(columns * rows);
  for (let at = 0; at < slope.length; at++) {
    const dx = (depth[Math.min(slope.length - 1, at + 1)]! - depth[Math.max(0, at - 1)]!) / 16;
    const dy = (depth[Math.min(slope.length - 1, at + columns)]! - depth[Math.max(0, at - columns)]!) / 16;
    slope[at] = (dx * lx + dy * ly) / Math.hypot(dx, dy, 1);
  }
  const cell = canvas.width / (columns - 1);
  paint(canvas, (value, _, x, y) => value * (1 + amount * between(slope, columns, rows, x / cell, y / cell)));
}
