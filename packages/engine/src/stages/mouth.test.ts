import { describe, expect, it } from 'vitest';
import type { Mesh } from './mesh.ts';
import { judgeMouth, mouthOdds, mouthShape } from './mouth.ts';

/** A mesh whose lips are `gap` apart, mouth 50 wide and face 180 high, the head turned by `yaw` radians. */
function mesh(gap: number, yaw = 0): Mesh {
  const points = new Float32Array(468 * 3);
  points.set([0, gap, 0], 14 * 3);
  points.set([-25 * Math.cos(yaw), 0, -25 * Math.sin(yaw)], 78 * 3);
  points.set([25 * Math.cos(yaw), 0, 25 * Math.sin(yaw)], 308 * 3);
  points.set([0, -100, 0], 10 * 3);
  points.set([0, 80, 0], 152 * 3);
  return { points, score: 1 };
}

const bare = { worn: false, score: 0.1 };

describe('mouthShape', () => {
  it('grows with the gap, and does not as the head turns', () => {
    expect(mouthShape(mesh(10))[0]).toBeCloseTo(Math.sqrt(10 / 50), 5);
    expect(mouthShape(mesh(10))[1]).toBeCloseTo(Math.sqrt(10 / 180), 5);
    expect(mouthShape(mesh(10, 0.9))[0]).toBeCloseTo(mouthShape(mesh(10))[0], 5);
  });
});

describe('mouthOdds', () => {
  it('rise with what is dark between the lips', () => {
    const at = (shade: number) => mouthOdds([...mouthShape(mesh(8)), shade]);
    expect(at(0.7)).toBeGreaterThan(at(0.3));
    expect(at(0.3)).toBeGreaterThan(at(0));
  });
});

describe('judgeMouth', () => {
  it('rises from surely closed to surely open', () => {
    const judged = [0.5, 2, 5, 10, 20, 40].map((gap) =>
      judgeMouth(mouthOdds([...mouthShape(mesh(gap)), 0.2]), bare),
    );
    expect(judged[0]).toMatchObject({ state: 'closed' });
    expect(judged.at(-1)).toMatchObject({ state: 'open' });
    const open = judged.map(({ state, score }) => (state === 'open' ? score : 1 - score));
    expect(open).toEqual([...open].sort((a, b) => a - b));
    expect(open[0]).toBeLessThan(0.03);
    expect(open.at(-1)).toBeGreaterThan(0.97);
  });

  it('is masked behind a mask, unless a doubtful mask hides a mouth that is plainly open', () => {
    expect(judgeMouth(-4, { worn: true, score: 0.6 })).toEqual({ state: 'masked', score: 0.6 });
    expect(judgeMouth(4, { worn: true, score: 0.6 }).state).toBe('open');
    expect(judgeMouth(4, { worn: true, score: 0.99 }).state).toBe('masked');
  });
});
