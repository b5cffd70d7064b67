import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../test/drawn/painted.ts';
import { saved, scene } from '../../test/support/saved.ts';
import { signalOf } from '../../test/support/signal-of.ts';
import { colour } from './signals/colour.ts';
import { light } from './signals/light.ts';
import { moire } from './signals/moire.ts';
import { spectrum } from './signals/spectrum.ts';
import { texture } from './signals/texture.ts';
import { PAD_SIGNALS } from './signals.ts';

/** Cues that are computed from the pixels alone. */
const MEASURES = PAD_SIGNALS.filter(({ name }) => !['look', 'scene', 'nets'].includes(name));
const box = boxAround(200, 200, 200);

it('are as many as their names for any picture and box', async () => {
  const side = fc.integer({ min: 1, max: 90 });
  const at = fc.double({ min: -200, max: 200, noNaN: true });
  const length = fc.double({ min: 0, max: 300, noNaN: true });
  await fc.assert(
    fc.asyncProperty(side, side, at, at, length, length, async (width, height, x, y, w, h) => {
      const pixels = painted(width, height, (px, py, channel) => (px * 31 + py * 17 + channel) & 255);
      for (const cue of MEASURES) await signalOf(cue, pixels, { x, y, width: w, height: h });
    }),
    { numRuns: 40 },
  );
});

describe('are unknown', () => {
  it('for colours of a greyscale picture', async () => {
    const grey = painted(400, 400, (x, y) => (x * y) & 255);
    expect((await signalOf(colour, grey, box))['cb-mean']).toBeNaN();
    const patterns = await signalOf(texture, grey, box);
    expect(patterns['pattern-cr-3']).toBeNaN();
    expect(patterns['pattern-y-3']).not.toBeNaN();
    expect((await signalOf(light, grey, box))['tone-50']).toBeGreaterThan(0);
  });

  it('for the spectrum of a small face', async () => {
    const pixels = painted(400, 400, (x, _, c) => (x * c) & 255);
    expect((await signalOf(spectrum, pixels, boxAround(200, 200, 60)))['spectrum-peak-fine']).toBeNaN();
  });
});

/** Noise, and a raster of a strength in levels. */
const rastered = (strength: number) =>
  painted(400, 400, (x, y) => 100 + 8 * noiseAt(y * 400 + x) + strength * Math.cos((x + y * 0.5) * 1.25));

it('a raster is a spot in the spectrum', async () => {
  const seen = async (strength: number) => await signalOf(spectrum, rastered(strength), box);
  const [bare, raster] = [await seen(0), await seen(12)];
  expect(raster['spectrum-peak-middle']! - bare['spectrum-peak-middle']!).toBeGreaterThan(1);
});

describe('moiré', () => {
  it('is a spot that stands out', async () => {
    expect((await signalOf(moire, rastered(0), box))['moire']).toBe(0);
    expect((await signalOf(moire, rastered(6), box))['moire']).toBeGreaterThan(0.8);
  });

  it('is not what compression leaves', async () => {
    for (const quality of [30, 60, 90]) {
      const face = boxAround(240, 240, 260);
      expect((await signalOf(moire, await saved(scene, quality), face))['moire']).toBe(0);
    }
  });
});

it('patterns are shares that sum to one and do not change with brightness', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 97, maxLength: 97 }),
      async (some) => {
        // The view of a box of 96 / 1.1 pixels is the pixels themselves.
        const face = boxAround(48, 48, 96 / 1.1);
        const of = async (gain: number, lift: number) => {
          const pixels = painted(96, 96, (x, y) => some[(x + 31 * y) % 97]! * gain + lift);
          const patterns = await signalOf(texture, pixels, face);
          return Object.values(patterns).slice(0, 10);
        };
        const shares = await of(1, 0);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        expect(await of(3, 40)).toEqual(shares);
      },
    ),
    { numRuns: 20 },
  );
});
