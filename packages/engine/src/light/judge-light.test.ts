import { describe, expect, it } from 'vitest';
import { judgeChanges, judgeLight } from './judge-light.ts';
import type { LightChanges } from './response.ts';
import { LIGHT_COUNT, LIGHT_PALETTE, LIGHT_SEQUENCE_COUNT, lightSequence } from './sequences.ts';

const shown = lightSequence(12_345);

/** Changes that follow the shown sequence, or another one, with seeded noise (a linear congruential generator, Numerical Recipes). */
function changes(strength: number, noise: number, seed = 1, followed = shown): LightChanges {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const rows = followed.map((colour) =>
    LIGHT_PALETTE[colour]!.map((on) => strength * on + noise * Math.sqrt(12) * random()),
  );
  const relief = centred(rows);
  const mean = ([r, g, b]: readonly number[]) => (r! + g! + b!) / 3;
  return { relief, tint: relief.map((row) => row.map((value) => value - mean(row))) };
}

function centred(rows: readonly number[][]): number[][] {
  return rows.map((row) =>
    row.map((value, channel) => value - rows.reduce((sum, one) => sum + one[channel]!, 0) / rows.length),
  );
}

describe('the judgement of measured changes', () => {
  it('is an answer where they follow the sequence, with the strength of the light', () => {
    const { verdict, strength, error } = judgeChanges(changes(0.1, 0.01), shown);
    expect(verdict).toBe('answered');
    expect(Math.abs(strength - 0.1)).toBeLessThan(4 * error);
  });

  it('is no answer where a visible one is ruled out', () => {
    expect(judgeChanges(changes(0, 0.003), shown).verdict).toBe('not_answered');
    expect(judgeChanges(changes(-0.1, 0.003), shown).verdict).toBe('not_answered');
  });

  it('is no answer where the face takes the colours as a plane does', () => {
    const tinted = { ...changes(0.01, 0.003), tint: changes(0.2, 0.001).tint };
    expect(judgeChanges(tinted, shown)).toMatchObject({
      verdict: 'not_answered',
      tint: expect.closeTo(0.2, 2),
    });
  });

  it('is no answer where they follow another sequence', () => {
    for (const at of [1, 777, 23_456, 49_000]) {
      const other = changes(0.1, 0.01, at, lightSequence(at));
      expect(judgeChanges(other, shown).verdict).toBe('not_answered');
      expect(judgeChanges(other, lightSequence(at)).verdict).toBe('answered');
    }
  });

  it('is open where noise hides an answer', () => {
    expect(judgeChanges(changes(0, 0.2), shown).verdict).toBe('cannot_tell');
  });

  it('takes noise for an answer in about one of a thousand', () => {
    const verdicts = Array.from(
      { length: 100 },
      (_, seed) => judgeChanges(changes(0, 0.05, seed), shown).verdict,
    );
    expect(verdicts.filter((verdict) => verdict === 'answered').length).toBeLessThanOrEqual(2);
  });
});

it('as many faces are needed as lights', () => {
  expect(() => judgeLight([], shown)).toThrow(RangeError);
});

it('in each sequence lights change, one is dark, and each channel is on and off twice', () => {
  const all = Array.from({ length: LIGHT_SEQUENCE_COUNT }, (_, index) => lightSequence(index));
  for (const sequence of all) {
    if (sequence.some((colour, i) => colour === sequence[i - 1])) throw new Error('a light follows itself');
    if (!sequence.includes(0)) throw new Error('no light is dark');
  }
  expect(all.every((sequence) => sequence.length === LIGHT_COUNT)).toBe(true);
  expect(new Set(all.map(String)).size).toBe(LIGHT_SEQUENCE_COUNT);
});
