import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { boxOf, encodePng, isOn, paste, scaledTo } from './compose.ts';

const plain = (width: number, height: number, value: number) => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(value),
});

describe('a card that is pasted', () => {
  it('covers the points on it and no others', () => {
    const card = plain(86, 54, 250);
    fc.assert(
      fc.property(fc.integer({ min: -15, max: 15 }), fc.integer({ min: 30, max: 60 }), (degrees, width) => {
        const selfie = plain(200, 160, 10);
        const placement = { centre: { x: 100, y: 80 }, width, angle: (degrees * Math.PI) / 180 };
        paste(selfie, card, placement);
        for (let y = 0; y < 160; y += 3) {
          for (let x = 0; x < 200; x += 3) {
            const value = selfie.data[(y * 200 + x) * 3]!;
            if (value === 250) expect(isOn(placement, card, { x: x + 0.5, y: y + 0.5 })).toBe(true);
            if (value === 10) {
              const near = { ...placement, width: width - 4 };
              expect(isOn(near, card, { x: x + 0.5, y: y + 0.5 })).toBe(false);
            }
          }
        }
        const box = boxOf(placement, card);
        expect(box.width).toBeGreaterThanOrEqual(width * Math.cos(placement.angle) - 1e-9);
      }),
      { numRuns: 20 },
    );
  });

  it('may reach beyond the picture', () => {
    const selfie = plain(20, 20, 0);
    paste(selfie, plain(10, 6, 200), { centre: { x: 0, y: 20 }, width: 10, angle: 0.2 });
    expect(selfie.data.some((value) => value === 200)).toBe(true);
  });
});

it('a picture is scaled to a width, and keeps an even colour', () => {
  const scaled = scaledTo(50, plain(20, 10, 77));
  expect([scaled.width, scaled.height]).toEqual([50, 25]);
  expect(new Set(scaled.data)).toEqual(new Set([77]));
});

it('a PNG has the pixels row by row', async () => {
  const pixels = { width: 2, height: 2, data: Uint8Array.from({ length: 12 }, (_, i) => i * 20) };
  const { data, info } = await sharp(await encodePng(pixels))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 2, height: 2, channels: 3 });
  expect(new Uint8Array(data)).toEqual(pixels.data);
});
