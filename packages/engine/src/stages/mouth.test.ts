import { describe, expect, it } from 'vitest';
import type { Mesh } from './mesh.ts';
import { judgeMouth, mouthOpenness } from './mouth.ts';

/** A mesh whose lips are `gap` apart and whose mouth is 50 wide, the head turned by `yaw` radians. */
function mesh(gap: number, yaw = 0): Mesh {
  const points = new Float32Array(468 * 3);
  points.set([0, gap, 0], 14 * 3);
  points.set([-25 * Math.cos(yaw), 0, -25 * Math.sin(yaw)], 78 * 3);
  points.set([25 * Math.cos(yaw), 0, 25 * Math.sin(yaw)], 308 * 3);
  return { points, score: 1 };
}

const bare = { worn: false, score: 0.1 };

describe('mouthOpenness', () => {
  it('is the gap over the width, and does not grow as the head turns', () => {
    expect(mouthOpenness(mesh(10))).toBeCloseTo(0.2, 5);
    expect(mouthOpenness(mesh(10, 0.9))).toBeCloseTo(0.2, 5);
  });
});

describe('judgeMouth', () => {
  it('rises from surely closed to surely open', () => {
    expect(judgeMouth(0.02, bare)).toMatchObject({ state: 'closed' });
    expect(judgeMouth(0.5, bare)).toMatchObject({ state: 'open' });
    expect(judgeMouth(0.02, bare).score).toBeGreaterThan(0.95);
    expect(judgeMouth(0.5, bare).score).toBeGreaterThan(0.95);
  });

  it('is masked behind a mask, unless a doubtful mask hides a mouth that is plainly open', () => {
    expect(judgeMouth(0.02, { worn: true, score: 0.6 })).toEqual({ state: 'masked', score: 0.6 });
    expect(judgeMouth(0.5, { worn: true, score: 0.6 }).state).toBe('open');
    expect(judgeMouth(0.5, { worn: true, score: 0.99 }).state).toBe('masked');
  });
});
