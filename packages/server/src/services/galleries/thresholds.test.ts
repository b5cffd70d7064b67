import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSimilarity } from './format-similarity.ts';
import { createThresholds, identificationThreshold, similarityAtRate } from './thresholds.ts';

const engine = { threshold: 0.625 };
const settings = {
  verify: null,
  identifyFpir: 0.01,
  spoof: null,
  card: 0.6,
  unclearSpoof: null,
} as const;

describe('the threshold of identification', () => {
  it.each([
    [1, 0.625],
    [10, 0.625],
    [100, 0.75],
    [10_000, 0.9999],
    [100_000_000, 0.9999],
    [0, 0.625],
  ])('in a gallery of %d is %d', (faces, threshold) => {
    expect(identificationThreshold(0.625, faces, 0.01)).toBeCloseTo(threshold, 12);
  });

  it('keeps the rate of false identifications of a picture with several faces', () => {
    const { identification } = createThresholds(engine, settings);
    for (const searched of [1, 2, 5, 20]) {
      for (const faces of [1, 50, 400]) {
        const similarity = identification({ threshold: null, faces }, {}, searched);
        const rate = faces * searched * 10 ** ((0.25 - similarity) / 0.125);
        expect(rate).toBeLessThanOrEqual(settings.identifyFpir * 1.001);
      }
    }
    expect(identification({ threshold: null, faces: 100 }, {}, 10)).toBe(0.875);
    expect(identification({ threshold: null, faces: 100 }, { threshold: 0.3 }, 10)).toBe(0.3);
    expect(identification({ threshold: null, faces: 100 }, { far: 1e-2 }, 10)).toBe(0.5);
  });

  it('never lies below that of verification, never above 1, and never falls as the gallery grows', () => {
    const rate = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(1e6), rate, (verify, faces, fpir) => {
        const threshold = identificationThreshold(verify, faces, fpir);
        expect(threshold).toBeGreaterThanOrEqual(verify);
        expect(threshold).toBeLessThanOrEqual(1);
        expect(identificationThreshold(verify, faces + 1, fpir)).toBeGreaterThanOrEqual(threshold);
      }),
    );
  });
});

it('the settings override the pack', () => {
  const packs = createThresholds(engine, settings);
  expect([packs.verification(), packs.spoof]).toEqual([0.625, 0.4]);
  const own = createThresholds(engine, { ...settings, verify: 0.8, spoof: 0 });
  expect([own.verification(), own.spoof]).toEqual([0.8, 0]);
});

it('the mean of three frames or more has a threshold of its own, which the setting overrides', () => {
  const { spoofOfMean } = createThresholds(engine, settings);
  expect([1, 2, 3, 8, 10].map(spoofOfMean)).toEqual([0.4, 0.4, 0.1825, 0.1825, 0.1825]);
  const own = createThresholds(engine, { ...settings, spoof: 0.7 });
  expect([2, 3].map(own.spoofOfMean)).toEqual([0.7, 0.7]);
});

describe('the verdict on a spoof score', () => {
  const { spoofVerdict } = createThresholds(engine, settings);

  const networks = [{ name: 'near', score: 0.5 }] as const;

  it('compares a clear capture with the threshold', () => {
    expect(spoofVerdict({ score: 0.39, networks, unclear: [] })).toBe('bona_fide');
    expect(spoofVerdict({ score: 0.4, networks, unclear: [] })).toBe('attack');
  });

  it('of an unclear capture is an attack from the stricter threshold on, else none', () => {
    expect(spoofVerdict({ score: 0.01, networks, unclear: ['dark'] })).toBe('unclear');
    expect(spoofVerdict({ score: 0.73, networks, unclear: ['tight'] })).toBe('unclear');
    expect(spoofVerdict({ score: 0.74, networks, unclear: ['tight'] })).toBe('attack');
    const strict = createThresholds(engine, { ...settings, spoof: 0.9 });
    expect(strict.spoofVerdict({ score: 0.85, networks, unclear: ['tight'] })).toBe('unclear');
  });

  it('is none without networks, whatever the threshold', () => {
    for (const spoof of [null, 0, 0.3, 1]) {
      const own = createThresholds(engine, { ...settings, spoof });
      expect(own.spoofVerdict({ score: 0.5, networks: [], unclear: [] })).toBe('unclear');
    }
  });

  it.each([
    [null, { dark: false, unjudged: true }],
    ['accept', { dark: false, unjudged: false }],
    ['refuse', { dark: true, unjudged: true }],
  ] as const)('counts as a spoof where WAJAH_UNCLEAR_SPOOF is %s', (unclearSpoof, expected) => {
    const { countsAsSpoof, isUnjudged } = createThresholds(engine, { ...settings, unclearSpoof });
    const dark = { score: 0.1, networks, unclear: ['dark'] } as const;
    const unjudged = { score: 0.5, networks: [], unclear: [] } as const;
    expect({ dark: countsAsSpoof(dark), unjudged: countsAsSpoof(unjudged) }).toEqual(expected);
    expect([isUnjudged(dark), isUnjudged(unjudged)]).toEqual([false, expected.unjudged]);
    const clear = (score: number) => countsAsSpoof({ score, networks, unclear: [] });
    expect([clear(0.1), clear(0.9)]).toEqual([false, true]);
  });
});

describe('a threshold', () => {
  const thresholds = createThresholds(engine, { ...settings, verify: 0.8 });
  const plain = { threshold: null, faces: 1 };
  const strict = { threshold: 0.9, faces: 1 };

  it("of the call overrides that of the gallery, and that overrides the server's", () => {
    expect(thresholds.verification(plain)).toBe(0.8);
    expect(thresholds.verification(strict)).toBe(0.9);
    expect(thresholds.verification(strict, { threshold: 0.5 })).toBe(0.5);
    expect(thresholds.verification(strict, { threshold: 0 })).toBe(0);
    expect(thresholds.verification(strict, { far: 1e-4 })).toBeCloseTo(0.75, 12);
    expect(thresholds.verification({ threshold: 0 })).toBe(0);
  });

  it('of the call is used for identification as it is; that of the gallery is the minimum', () => {
    const crowd = { threshold: 0.9, faces: 100_000 };
    expect(thresholds.identification(strict)).toBe(0.9);
    expect(thresholds.identification(crowd)).toBe(0.9999);
    expect(thresholds.identification(crowd, { threshold: 0.4 })).toBe(0.4);
    expect(thresholds.identification(crowd, { far: 1e-3 })).toBeCloseTo(0.625, 12);
  });

  it.each([[{ threshold: 0.5, far: 0.1 }, /^far: threshold was sent as well/]])(
    'of a call is refused together with a rate: %o',
    (asked, detail) => {
      expect(() => thresholds.verification(undefined, asked)).toThrow(
        expect.objectContaining({ status: 'malformed', detail: expect.stringMatching(detail) }),
      );
    },
  );

  it.each([
    [1, 0.25],
    [1e-2, 0.5],
    [1e-3, 0.625],
    [1e-4, 0.75],
    [1e-6, 0.9999],
  ])('stands for a rate: %d is %d', (rate, similarity) => {
    expect(similarityAtRate(rate)).toBeCloseTo(similarity, 12);
  });
});

it('a similarity just below a threshold is not printed as equal to it', () => {
  expect(formatSimilarity(0.62499)).toBe('0.6249');
  expect(formatSimilarity(0.625)).toBe('0.6250');
});
