import { describe, expect, it } from 'vitest';
import type { Picture } from './decode.ts';
import { mirrored, squareCrop } from './geometry.ts';
import { sampler } from './sampler.ts';

/** A picture from a function of the pixel's centre, full-size coordinates. */
function picture(width: number, height: number, shade: (x: number, y: number) => number, scale = 1): Picture {
  const keptWidth = Math.round(width * scale);
  const keptHeight = Math.round(height * scale);
  const pixels = new Uint8Array(keptWidth * keptHeight * 3);
  for (let y = 0; y < keptHeight; y++) {
    for (let x = 0; x < keptWidth; x++) {
      pixels.fill(
        shade((x + 0.5) / scale, (y + 0.5) / scale),
        (y * keptWidth + x) * 3,
        (y * keptWidth + x) * 3 + 3,
      );
    }
  }
  return { pixels, keptWidth, keptHeight, width, height, scale, format: 'png' };
}

const ramp = (x: number, y: number) => x + y / 2;

describe('crop', () => {
  it('of the picture itself is the picture', () => {
    const from = picture(20, 20, (x, y) => (x * 13 + y * 7) % 251);
    const crop = sampler(from).crop(squareCrop({ x: 10, y: 10 }, 20, 0, 20), 20, 20);
    for (let i = 0; i < 400; i++) expect(crop.data[i]).toBeCloseTo(from.pixels[i * 3]!, 3);
  });

  for (const scale of [1, 0.5]) {
    for (const side of [30, 90, 150]) {
      it(`samples the right place at ${side} pixels a side when ${scale} of the pixels were kept`, () => {
        const from = sampler(picture(200, 200, ramp, scale));
        const m = squareCrop({ x: 100, y: 100 }, side, 0.3, 32);
        const crop = from.crop(m, 32, 32);
        for (const [x, y] of [
          [2, 3],
          [16, 16],
          [29, 20],
        ] as const) {
          const px = m.a * (x + 0.5) + m.b * (y + 0.5) + m.tx;
          const py = m.c * (x + 0.5) + m.d * (y + 0.5) + m.ty;
          expect(Math.abs(crop.data[y * 32 + x]! - ramp(px, py))).toBeLessThan(1.6);
        }
      });
    }
  }

  it('averages fine detail instead of skipping it', () => {
    const stripes = sampler(picture(512, 512, (x) => (Math.floor(x) % 2 ? 255 : 0)));
    const crop = stripes.crop(squareCrop({ x: 256, y: 256 }, 500, 0, 32), 32, 32);
    for (const value of crop.data) expect(Math.abs(value - 127.5)).toBeLessThan(3);
  });

  it('is black beyond the picture, or repeats its edge', () => {
    const from = sampler(picture(10, 10, () => 200));
    const m = squareCrop({ x: 0, y: 5 }, 20, 0, 20);
    expect(from.crop(m, 20, 20).data[2 * 20 + 2]).toBe(0);
    expect(from.crop(m, 20, 20).data[10 * 20 + 15]).toBe(200);
    expect(from.crop(m, 20, 20, 'edge').data[2 * 20 + 2]).toBe(200);
  });

  it('through a mirrored transform is the mirror image of the crop', () => {
    const from = sampler(picture(64, 64, (x, y) => (x * 3 + y) % 256));
    const m = squareCrop({ x: 30, y: 30 }, 20, 0.2, 16);
    const seen = from.crop(mirrored(m, 16), 16, 16).data;
    const plain = from.crop(m, 16, 16).data;
    for (let i = 0; i < seen.length; i++)
      expect(seen[i]).toBeCloseTo(plain[i - (i % 16) + 15 - (i % 16)]!, 1);
  });
});
