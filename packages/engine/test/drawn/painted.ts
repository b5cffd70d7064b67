import type { RgbPixels } from '../../src/pad/crops.ts';
import type { Box } from '../../src/types.ts';

/** A picture with a value for each pixel and channel, 0…255. */
export function painted(
  width: number,
  height: number,
  value: (x: number, y: number, channel: number) => number,
): RgbPixels {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / 3);
    data[i] = value(pixel % width, Math.floor(pixel / width), i % 3);
  }
  return { data, width, height };
}

/** Even noise of −1…1, the same for a number each time. */
export function noiseAt(i: number): number {
  const mixed = Math.imul(i ^ (i >>> 7) ^ 0x9e3779b9, 0x85ebca6b);
  return (((Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 8) & 255) - 127.5) / 127.5;
}

/** A square box around a point. */
export function boxAround(x: number, y: number, side: number): Box {
  return { x: x - side / 2, y: y - side / 2, width: side, height: side };
}
