import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoofScore, spoofThreshold } from './spoof.ts';
import { CONTEXT_NAMES } from './spoof-context.ts';
import { squareView } from './spoof-crop.ts';
import { SURFACE_NAMES } from './spoof-evidence.ts';
import { SPOOF_NAMES, spoofFeatures } from './spoof-features.ts';
import { PATCH, SPECTRUM_NAMES, spectrumFeatures } from './spoof-spectrum.ts';
import { patternFeatures } from './spoof-texture.ts';

/** A picture with a value for each pixel and channel. */
function picture(width: number, height: number, value: (x: number, y: number, channel: number) => number) {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / 3);
    data[i] = value(pixel % width, Math.floor(pixel / width), i % 3);
  }
  return { data, width, height };
}

const byName = (features: readonly number[]) =>
  Object.fromEntries(SPOOF_NAMES.map((name, i) => [name, features[i]!]));

const value = fc.oneof(fc.double({ noNaN: true }), fc.constant(Number.NaN));
const values = (count: number) => fc.array(value, { minLength: count, maxLength: count });

describe('spoofScore', () => {
  it('is a probability whatever was measured', () => {
    const evidence = fc.record({
      surface: values(SURFACE_NAMES.length),
      context: values(CONTEXT_NAMES.length),
      look: fc.array(value, { minLength: 20, maxLength: 20 }).map((some) => {
        return Float32Array.from({ length: 2048 }, (_, i) => some[i % 20]!);
      }),
      nets: fc.option(fc.double({ min: 0, max: 8, noNaN: true })),
    });
    fc.assert(
      fc.property(evidence, (measured) => {
        const { score } = spoofScore(measured);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });

  it('rises with the doubt of the installed nets', () => {
    const nothing = {
      surface: SURFACE_NAMES.map(() => Number.NaN),
      context: CONTEXT_NAMES.map(() => Number.NaN),
      look: new Float32Array(2048).fill(Number.NaN),
    };
    const at = (nets: number) => spoofScore({ ...nothing, nets }).score;
    expect(at(8)).toBeGreaterThan(at(4));
    expect(at(4)).toBeGreaterThan(at(0));
  });

  it('has thresholds between never and always', () => {
    for (const threshold of [spoofThreshold(false), spoofThreshold(true)]) {
      expect(threshold).toBeGreaterThan(0);
      expect(threshold).toBeLessThan(1);
    }
  });
});

describe('spoofFeatures', () => {
  it('are as many as their names for any picture and box', () => {
    const side = fc.integer({ min: 1, max: 90 });
    const at = fc.double({ min: -200, max: 200, noNaN: true });
    const length = fc.double({ min: 0, max: 300, noNaN: true });
    fc.assert(
      fc.property(side, side, at, at, length, length, (width, height, x, y, w, h) => {
        const pixels = picture(width, height, (px, py, channel) => (px * 31 + py * 17 + channel) & 255);
        expect(spoofFeatures(pixels, { x, y, width: w, height: h })).toHaveLength(SPOOF_NAMES.length);
      }),
      { numRuns: 40 },
    );
  });

  const box = { x: 100, y: 100, width: 200, height: 200 };

  it('leave colours out for a greyscale picture and the spectrum for a small face', () => {
    const grey = byName(
      spoofFeatures(
        picture(400, 400, (x, y) => (x * y) & 255),
        box,
      ),
    );
    expect(grey['cb-mean']).toBeNaN();
    expect(grey['pattern-cr-3']).toBeNaN();
    expect(grey['tone-50']).toBeGreaterThan(0);
    const small = byName(
      spoofFeatures(
        picture(400, 400, (x, _, c) => (x * c) & 255),
        { ...box, width: 60, height: 60 },
      ),
    );
    expect(small['spectrum-peak-fine']).toBeNaN();
    expect(small['cb-mean']).not.toBeNaN();
  });

  it('leave the surroundings out where the face fills the picture', () => {
    const close = byName(
      spoofFeatures(
        picture(220, 220, (x, y) => (x ^ y) & 255),
        { ...box, x: 10, y: 10 },
      ),
    );
    expect(close['frame-sides']).toBeNaN();
    expect(close['surround-contrast']).toBeNaN();
  });

  it('see a raster as a spot in the spectrum', () => {
    const noise = (i: number) => {
      const mixed = Math.imul(i ^ (i >>> 7) ^ 0x9e3779b9, 0x85ebca6b);
      return ((Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 8) & 255) / 8;
    };
    const plain = Float32Array.from({ length: PATCH * PATCH }, (_, i) => 100 + noise(i));
    const raster = plain.map(
      (value, i) => value + 12 * Math.cos(((i % PATCH) + Math.floor(i / PATCH) * 0.7) * 1.1),
    );
    const peak = SPECTRUM_NAMES.indexOf('spectrum-peak-middle');
    expect(spectrumFeatures(raster)[peak]! - spectrumFeatures(plain)[peak]!).toBeGreaterThan(1);
  });

  it('see the straight rim of a screen beside the face', () => {
    const rim = (x: number) => (Math.abs(x - 150) < 10 || Math.abs(x - 450) < 10 ? 255 : 90);
    const middle = { ...box, x: 200, y: 200 };
    const framed = byName(spoofFeatures(picture(600, 600, rim), middle));
    const bare = byName(
      spoofFeatures(
        picture(600, 600, () => 90),
        middle,
      ),
    );
    expect(framed['frame-left-right']! - bare['frame-left-right']!).toBeGreaterThan(0.3);
  });
});

describe('squareView', () => {
  it('averages what it shrinks and repeats the edge outside', () => {
    const checks = picture(64, 64, (x, y) => ((x + y) % 2 === 0 ? 0 : 200));
    const view = squareView(checks, { x: 0, y: 0, width: 64, height: 64 }, 2, 32);
    expect(view.y[16 * 32 + 16]!).toBeCloseTo(100, 0);
    expect(view.y[0]!).toBeCloseTo(checks.data[0]!, 0);
  });
});

describe('patternFeatures', () => {
  it('are shares that sum to one and do not change with brightness', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 144, maxLength: 144 }), (values) => {
        const plane = Float32Array.from(values);
        const shares = patternFeatures(plane, 12);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        expect(
          patternFeatures(
            plane.map((value) => value * 3 + 40),
            12,
          ),
        ).toEqual(shares);
      }),
    );
  });
});
