import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Variant, variantOf } from './variants.ts';

const SIDE = 300;
const WHOLE_FACE = new URL('../../../packages/engine/data/whole-face.json', import.meta.url);

/** A mean face in the middle of the picture. */
const mesh = (() => {
  const { points } = JSON.parse(readFileSync(WHOLE_FACE, 'utf8')) as { points: number[] };
  return Float32Array.from({ length: 468 * 3 }, (_, i) =>
    i % 3 === 2 ? 0 : SIDE * (0.3 + 0.4 * points[2 * Math.floor(i / 3) + (i % 3)]!),
  );
})();

const background = { r: 150, g: 150, b: 150 };
const grey = await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background } })
  .png()
  .toBuffer();

const make = (variant: Variant, seed = 'a') => variantOf(grey, mesh, variant, seed);

/** Largest difference between two pixels of a JPEG. */
async function range(jpeg: Buffer | undefined): Promise<number> {
  const { channels } = await sharp(jpeg).stats();
  return Math.max(...channels.map(({ min, max }) => max - min));
}

describe('variantOf', () => {
  it('paints each covering over a face, and nothing without one', async () => {
    const glasses = ['sunglasses', 'spectacles', 'mask and sunglasses'] as const;
    for (const covering of ['mask', 'beard', 'hand', 'shadow', ...glasses] as const) {
      const painted = await Promise.all(
        ['a', 'b', 'c'].map((seed) => make({ covering, tight: false }, seed)),
      );
      expect(Math.max(...(await Promise.all(painted.map(range))))).toBeGreaterThan(15);
    }
    expect(await range(await make({ covering: undefined, tight: false }))).toBeLessThan(5);
  });

  it('is the same for the same seed only', async () => {
    const variant = { covering: 'mask', tight: true } as const;
    expect(await make(variant)).toEqual(await make(variant));
    expect(await make(variant)).not.toEqual(await make(variant, 'b'));
  });

  it('leaves little around the face in a tight crop', async () => {
    const [wide, tight] = await Promise.all(
      [false, true].map(async (tight) => sharp(await make({ covering: undefined, tight })).metadata()),
    );
    expect(wide!.width).toBe(SIDE);
    expect(tight!.width).toBeLessThan(SIDE * 0.8);
  });
});
