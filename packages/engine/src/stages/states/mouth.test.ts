import { describe, expect, it } from 'vitest';
import type { Mesh } from '../mesh/mesh.ts';
import { estimateMouth, mouthOdds, mouthOpenness } from '../states.ts';

/** A mesh whose lips are `gap` apart, mouth 50 wide, the head turned by `yaw` radians. */
function mesh(gap: number, yaw = 0): Mesh {
  const points = new Float32Array(468 * 3);
  points.set([0, gap, 0], 14 * 3);
  points.set([-25 * Math.cos(yaw), 0, -25 * Math.sin(yaw)], 78 * 3);
  points.set([25 * Math.cos(yaw), 0, 25 * Math.sin(yaw)], 308 * 3);
  return { points, score: 1 };
}

const bare = { worn: false, score: 0.1 };

describe('mouthOpenness', () => {
  it('grows with the gap, and does not as the head turns', () => {
    expect(mouthOpenness(mesh(10))).toBeCloseTo(Math.sqrt(10 / 50), 5);
    expect(mouthOpenness(mesh(10, 0.9))).toBeCloseTo(Math.sqrt(10 / 50), 5);
  });
});

describe('judgeMouth', () => {
  it('rises from surely closed to surely open', () => {
    const judged = [0.5, 2, 5, 10, 20, 40].map((gap) =>
      estimateMouth(mouthOdds({ openness: mouthOpenness(mesh(gap)), contrast: 0.5 }), bare),
    );
    expect(judged[0]).toMatchObject({ state: 'closed' });
    expect(judged.at(-1)).toMatchObject({ state: 'open' });
    const open = judged.map(({ state, score }) => (state === 'open' ? score : 1 - score));
    expect(open).toEqual([...open].sort((a, b) => a - b));
    expect(open[0]).toBeLessThan(0.03);
    expect(open.at(-1)).toBeGreaterThan(0.97);
  });

  it('is decided by the brightness between the lips where their gap is ambiguous', () => {
    const openness = 0.42;
    expect(estimateMouth(mouthOdds({ openness, contrast: -0.5 }), bare).state).toBe('closed');
    expect(estimateMouth(mouthOdds({ openness, contrast: 1 }), bare).state).toBe('open');
  });

  it('is masked behind a mask, unless a doubtful mask hides a mouth that is plainly open', () => {
    expect(estimateMouth(-4, { worn: true, score: 0.6 })).toEqual({ state: 'masked', score: 0.6 });
    expect(estimateMouth(4, { worn: true, score: 0.6 }).state).toBe('open');
    expect(estimateMouth(4, { worn: true, score: 0.99 }).state).toBe('masked');
  });
});
