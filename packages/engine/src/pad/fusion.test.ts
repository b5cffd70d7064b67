import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leavesLookOpen, scoreWithoutNetworks, signalsInUse, spoofScore, spoofThresholds } from './fusion.ts';
import { PAD_SIGNALS } from './signals.ts';

const value = fc.oneof(fc.double({ noNaN: true }), fc.constant(Number.NaN));

/** Values for each cue; of many, twenty that repeat. */
const evidence = (withNets: boolean) =>
  fc.record(
    Object.fromEntries(
      signalsInUse(withNets).map(({ name, values }) => [
        name,
        fc.array(value, { minLength: 20, maxLength: 20 }).map((some) => values.map((_, i) => some[i % 20]!)),
      ]),
    ),
  );

describe('spoofScore', () => {
  it.each([false, true])('is a probability whatever was measured, with nets: %s', (withNets) => {
    fc.assert(
      fc.property(evidence(withNets), (measured) => {
        const { score, signals } = spoofScore(measured);
        for (const one of [score, ...signals.map((signal) => signal.score)]) {
          expect(one).toBeGreaterThanOrEqual(0);
          expect(one).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('rises with the log odds of the installed networks', () => {
    const nothing = Object.fromEntries(
      signalsInUse(true).map(({ name, values }) => [name, values.map(() => Number.NaN)]),
    );
    const at = (nets: number) => spoofScore({ ...nothing, nets: [nets] }).score;
    expect(at(4)).toBeGreaterThan(at(0));
    expect(at(0)).toBeGreaterThan(at(-4));
  });

  it('is known without networks where it was computed with them', () => {
    fc.assert(
      fc.property(evidence(true), (measured) => {
        const { nets: _, ...own } = measured;
        expect(scoreWithoutNetworks(spoofScore(measured).signals)).toBeCloseTo(spoofScore(own).score, 9);
      }),
      { numRuns: 10 },
    );
  });

  it.each([false, true])('has an expected look where the others are clear, with networks: %s', (withNets) => {
    fc.assert(
      fc.property(evidence(withNets), ({ look, ...others }) => {
        const { score, signals } = spoofScore(others);
        expect(signals.map(({ name }) => name)).not.toContain('look');
        const { sessionSpoofThreshold: low, unclearSpoofThreshold: high } = spoofThresholds(withNets);
        if (leavesLookOpen(others)) return;
        expect(score < low || score > high).toBe(true);
        expect(spoofScore({ ...others, look: look! }).signals.map(({ name }) => name)).toContain('look');
      }),
      { numRuns: 20 },
    );
  });

  it.each([false, true])('has thresholds between never and always, with networks: %s', (withNetworks) => {
    const { spoofThreshold, unclearSpoofThreshold, sessionSpoofThreshold } = spoofThresholds(withNetworks);
    expect(sessionSpoofThreshold).toBeGreaterThan(0);
    expect(spoofThreshold).toBeGreaterThanOrEqual(sessionSpoofThreshold);
    expect(unclearSpoofThreshold).toBeGreaterThanOrEqual(spoofThreshold);
    expect(unclearSpoofThreshold).toBeLessThan(1);
  });
});

describe('signals in use', () => {
  it('need networks only where they are installed', () => {
    expect(signalsInUse(false).filter(({ needs }) => needs !== undefined)).toEqual([]);
    expect(signalsInUse(true).map(({ name }) => name)).toContain('nets');
  });

  it('have names of their own, and so have their values', () => {
    const names = PAD_SIGNALS.map(({ name }) => name);
    const values = PAD_SIGNALS.flatMap((signal) => signal.values);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(values).size).toBe(values.length);
  });
});
