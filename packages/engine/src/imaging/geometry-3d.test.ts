import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rotationOf } from '../../test/support/rotation.ts';
import { anglesOf, fitRotation, rotate } from './geometry-3d.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const pose = fc.record({ yaw: number(-85, 85), pitch: number(-85, 85), roll: number(-179, 179) });

/** A lopsided cloud, so that only one rotation fits. */
const CLOUD = [0, 0, -30, 40, -20, 5, -44, -18, 8, 3, 50, 2, 20, 30, -10, -25, 28, -6];

describe('anglesOf', () => {
  it('recovers the angles of a rotation', () => {
    fc.assert(
      fc.property(pose, (wanted) => {
        const found = anglesOf(rotationOf(wanted));
        for (const angle of ['yaw', 'pitch', 'roll'] as const)
          expect(found[angle]).toBeCloseTo(wanted[angle], 6);
      }),
    );
  });

  it('has the signs of the person: nose to the picture’s right is the own left, up is up', () => {
    const nose = [0, 0, -100];
    expect(rotate(rotationOf({ yaw: 30, pitch: 0, roll: 0 }), nose)[0]).toBeGreaterThan(40);
    expect(rotate(rotationOf({ yaw: 0, pitch: 30, roll: 0 }), nose)[1]).toBeLessThan(-40);
    const crown = [0, -100, 0];
    expect(rotate(rotationOf({ yaw: 0, pitch: 0, roll: 30 }), crown)[0]).toBeGreaterThan(40);
  });
});

it('a picture that is turned changes the roll alone', () => {
  fc.assert(
    fc.property(pose, number(-179, 179), (head, by) => {
      const seen = rotate(rotationOf({ yaw: 0, pitch: 0, roll: by }), rotate(rotationOf(head), CLOUD));
      const found = anglesOf(fitRotation(CLOUD, seen));
      expect(Math.abs(found.yaw - head.yaw)).toBeLessThan(0.05);
      expect(Math.abs(found.pitch - head.pitch)).toBeLessThan(0.3);
    }),
  );
});

describe('fitRotation', () => {
  it('finds the rotation of a moved, scaled, turned cloud', () => {
    fc.assert(
      fc.property(pose, number(0.01, 100), number(-500, 500), (wanted, scale, shift) => {
        const moved = rotate(rotationOf(wanted), CLOUD).map((value) => value * scale + shift);
        const found = anglesOf(fitRotation(CLOUD, moved));
        for (const angle of ['yaw', 'pitch', 'roll'] as const) {
          expect(Math.abs(found[angle] - wanted[angle])).toBeLessThan(0.3);
        }
      }),
    );
  });

  it('tolerates noise', () => {
    const noisy = rotate(rotationOf({ yaw: 20, pitch: -10, roll: 5 }), CLOUD).map(
      (value, i) => value + Math.sin(i * 7),
    );
    expect(anglesOf(fitRotation(CLOUD, noisy)).yaw).toBeGreaterThan(17);
    expect(anglesOf(fitRotation(CLOUD, noisy)).yaw).toBeLessThan(23);
  });

  it('refuses a flat cloud and a mirror image', () => {
    const flat = CLOUD.map((value, i) => (i % 3 === 2 ? 0 : value));
    expect(() => fitRotation(flat, flat)).toThrow(RangeError);
    const mirrored = CLOUD.map((value, i) => (i % 3 === 0 ? -value : value));
    expect(() => fitRotation(CLOUD, mirrored)).toThrow(RangeError);
  });
});
