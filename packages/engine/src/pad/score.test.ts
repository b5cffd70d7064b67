import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxAround, painted } from '../../test/drawn/painted.ts';
import { sigmoid } from '../stages/maths.ts';
import type { PadNetworkScore } from '../types.ts';
import { padFace } from './networks.ts';
import { estimateSpoof, scoreOf } from './score.ts';
import {
  meanSpoofScore,
  meanSpoofThreshold,
  SPOOF_THRESHOLD,
  UNCLEAR_SPOOF_THRESHOLD,
} from './thresholds.ts';

const odds = fc.double({ min: -4, max: 4, noNaN: true });
const room = fc.double({ min: 0, max: 10, noNaN: true });

describe('the score', () => {
  it('lies between what the networks say, and rises with each', () => {
    fc.assert(
      fc.property(odds, odds, room, (near, close, space) => {
        const score = scoreOf({ near, close }, space);
        expect(score).toBeGreaterThanOrEqual(sigmoid(Math.min(near, close)) - 1e-9);
        expect(score).toBeLessThanOrEqual(sigmoid(Math.max(near, close)) + 1e-9);
        expect(scoreOf({ near: near + 1, close }, space)).toBeGreaterThan(score);
        expect(scoreOf({ near, close: close + 1 }, space)).toBeGreaterThan(score);
      }),
    );
  });

  it('follows the near network where there is room around the head, and the close network in a tight crop', () => {
    const apart = { near: 4, close: -4 };
    expect(scoreOf(apart, 2)).toBeGreaterThan(0.5);
    expect(scoreOf(apart, 1)).toBeLessThan(0.5);
    expect(scoreOf(apart, 1.3)).toBeCloseTo(0.5, 9);
  });

  it('knows nothing without networks but whether there is room', async () => {
    const picture = painted(90, 120, () => 128);
    const light = { sharpness: 1, brightness: 0.5, contrast: 0.5 };
    const estimateOf = (side: number) =>
      estimateSpoof(null, padFace(90, picture, boxAround(45, 60, side)), light);
    expect(await estimateOf(68)).toEqual({ score: 0.5, networks: [], unclear: [] });
    // The box of the head is 1.32 times as high as that of the face, and longer than the picture is wide.
    expect(await estimateOf(69)).toEqual({ score: 0.5, networks: [], unclear: ['tight'] });
  });
});

const estimate = (near: number, close: number): { networks: PadNetworkScore[] } => ({
  networks: [
    { name: 'near', score: sigmoid(near) },
    { name: 'close', score: sigmoid(close) },
  ],
});

describe('the mean of several frames', () => {
  it('is of the log odds of both networks', () => {
    expect(meanSpoofScore([estimate(-4, -1), estimate(-2, 3)])).toBeCloseTo(sigmoid(-1), 9);
    expect(meanSpoofScore([estimate(1, 2)])).toBeCloseTo(sigmoid(1.5), 9);
  });

  it('is even odds without networks', () => {
    expect(meanSpoofScore([{ networks: [] }, { networks: [] }])).toBe(0.5);
  });

  it('has a lower threshold from three frames on', () => {
    expect([1, 2].map(meanSpoofThreshold)).toEqual([SPOOF_THRESHOLD, SPOOF_THRESHOLD]);
    expect([3, 20].map(meanSpoofThreshold)).toEqual([sigmoid(-1.5), sigmoid(-1.5)]);
    expect(UNCLEAR_SPOOF_THRESHOLD).toBeGreaterThan(SPOOF_THRESHOLD);
  });
});
