import { describe, expect, it } from 'vitest';
import { coveredOr, estimateEyes } from '../states.ts';

const states = (left: number, right: number, yaw = 0) => {
  const eyes = estimateEyes({ left, right }, yaw);
  return [eyes.left.state, eyes.right.state];
};

describe('estimateEyes', () => {
  it('a narrowed eye beside a closed one is open, and a wide one does not close an open one', () => {
    expect(states(0.185, 0.1)).toEqual(['open', 'closed']);
    expect(states(0.1, 0.185)).toEqual(['closed', 'open']);
    expect(states(0.3, 0.23)).toEqual(['open', 'open']);
    expect(states(0.185, 0.185)).toEqual(['closed', 'closed']);
    expect(states(0.165, 0.11)).toEqual(['closed', 'closed']);
  });

  it('eyes that are equal, or nearly so, are judged each by its own', () => {
    for (const openness of [0.1, 0.19, 0.21, 0.3]) {
      const [alone, beside] = [0, 0.02].map((more) =>
        estimateEyes({ left: openness, right: openness + more }, 0),
      );
      expect(beside!.left).toEqual(alone!.left);
    }
  });

  it('the difference between the eyes says nothing of a head turned away', () => {
    expect(states(0.185, 0.1, 70)).toEqual(['closed', 'closed']);
    expect(states(0.3, 0.21, -60)).toEqual(['open', 'open']);
  });
});

describe('coveredOr', () => {
  const state = (openness: number, covered: number) =>
    coveredOr(estimateEyes({ left: openness, right: openness }, 0), covered).left.state;

  it('eyes behind sunglasses are neither open nor closed; closed ones need certainty', () => {
    expect([state(0.3, 0.5), state(0.3, 0.7)]).toEqual(['open', 'covered']);
    expect([state(0.1, 0.7), state(0.1, 0.95)]).toEqual(['closed', 'covered']);
  });
});
