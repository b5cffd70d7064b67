import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contours, dotsOf, type MeshPoint, outlineOf, poseAxes } from './face.ts';

const mesh: MeshPoint[] = Array.from({ length: 468 }, (_, i) => [i, 2 * i, 0]);

describe('contours', () => {
  it('have existing points, each once', () => {
    for (const line of Object.values(contours)) {
      expect(new Set(line).size).toBe(line.length);
      expect(outlineOf(mesh, line).match(/[ML]/g)).toHaveLength(line.length);
    }
  });

  it('are empty without a mesh', () => {
    expect(outlineOf([], contours.oval)).toBe('');
    expect(dotsOf([])).toBe('');
    expect(dotsOf(mesh.slice(1, 3))).toBe('M1.0 2.0h0M2.0 4.0h0');
  });
});

const front = { yaw: 0, pitch: 0, roll: 0 };

describe('the axes of a head in the picture', () => {
  it('of a frontal head: left points right, up points up, forward is a point', () => {
    const { forward, left, up } = poseAxes(front);
    expect([...forward, ...left, ...up].map((value) => Math.round(value) + 0)).toEqual([0, 0, 1, 0, 0, -1]);
  });

  it('have the signs of the API', () => {
    expect(poseAxes({ ...front, yaw: 30 }).forward[0]).toBeCloseTo(0.5);
    expect(poseAxes({ ...front, pitch: 30 }).forward[1]).toBeCloseTo(-0.5);
    // Towards the own left shoulder: the top of the head goes to the right of the picture.
    expect(poseAxes({ ...front, roll: 30 }).up[0]).toBeCloseTo(0.5);
  });

  it('are a projection of an orthonormal basis', () => {
    const angle = fc.integer({ min: -89, max: 89 });
    fc.assert(
      fc.property(angle, angle, angle, (yaw, pitch, roll) => {
        const { forward, left, up } = poseAxes({ yaw, pitch, roll });
        for (const i of [0, 1] as const) {
          expect(forward[i] ** 2 + left[i] ** 2 + up[i] ** 2).toBeCloseTo(1, 9);
        }
      }),
    );
  });
});
