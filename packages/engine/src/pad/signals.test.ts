import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../test/drawn/painted.ts';
import { saved, scene } from '../../test/support/saved.ts';
import { signalOf } from '../../test/support/signal-of.ts';
import { moire } from './signals/moire.ts';
import { spectrum } from './signals/spectrum.ts';
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
