import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rotationOf } from '../../test/support/rotation.ts';
import { rotate } from '../imaging/geometry-3d.ts';
import { MEAN_FACE } from '../stages/mesh/mean-face.ts';
import {
  type FacePoint,
  type FaceToCompare,
  fitPerspective,
  judgePerspective,
  type MovedPoint,
  pairsToCompare,
} from './perspective.ts';

interface Sight {
  /** Of the camera, units of the mean face. */
  readonly distance: number;
  readonly yaw: number;
  readonly pitch: number;
}

/** Every fourth point above the mouth. */
const points: FacePoint[] = Array.from({ length: 117 }, (_, i) => ({
  x: MEAN_FACE[12 * i]!,
  y: MEAN_FACE[12 * i + 1]!,
  z: MEAN_FACE[12 * i + 2]!,
})).filter(({ y }) => y < 0.45);

/** Where a pinhole camera sees a point, scaled by its distance. */
function seen({ x, y, z }: FacePoint, { distance, yaw, pitch }: Sight) {
  const turned = rotate(rotationOf({ yaw, pitch, roll: 0 }), [x, y, z]) as unknown as number[];
  const scale = distance / (distance + turned[2]!);
  return { x: turned[0]! * scale, y: turned[1]! * scale };
}

/** @param depth 1 of a head, 0 of a picture */
function moved(far: Sight, near: Sight, depth: number): MovedPoint[] {
  return points.map((point) => {
    const place = { ...point, z: depth * point.z };
    const [before, after] = [seen(place, far), seen(place, near)];
    const by = { x: after.x - before.x, y: after.y - before.y };
    return { point: { ...before, z: point.z }, to: { by, xx: 1, xy: 0, yy: 1 } };
  });
}

const sight = (angle: number) => {
  const degrees = fc.double({ min: -angle, max: angle, noNaN: true });
  return fc.record({ yaw: degrees, pitch: degrees });
};
/** 38 to 53 cm, and how many times closer. */
const far = fc.double({ min: 7.8, max: 10.8, noNaN: true });
const closer = fc.double({ min: 1.6, max: 2.2, noNaN: true });

describe('the perspective of exact projections', () => {
  it('is that of the distances for a head that hardly turns', () => {
    fc.assert(
      fc.property(far, closer, sight(3), sight(3), (distance, times, before, after) => {
        const near = distance / times;
        const { change } = fitPerspective(moved({ distance, ...before }, { distance: near, ...after }, 1));
        const true_ = 1 / near - 1 / distance;
        expect(change / true_).toBeGreaterThan(0.75);
        expect(change / true_).toBeLessThan(1.25);
      }),
    );
  });

  it('is none for a picture, however it is tilted', () => {
    fc.assert(
      fc.property(far, closer, sight(25), sight(25), (distance, times, before, after) => {
        const near = { distance: distance / times, ...after };
        expect(Math.abs(fitPerspective(moved({ distance, ...before }, near, 0)).change)).toBeLessThan(0.005);
      }),
    );
  });

  it('is not moved by a tenth of the patches that are found elsewhere', () => {
    const exact = moved({ distance: 9, yaw: 0, pitch: 0 }, { distance: 4.5, yaw: 2, pitch: 0 }, 1);
    const wrong = exact.map((one, i) =>
      i % 10 === 3 ? { ...one, to: { ...one.to, by: { x: 0.1, y: -0.1 } } } : one,
    );
    expect(fitPerspective(wrong).change).toBeCloseTo(fitPerspective(exact).change, 2);
  });
});

describe('the judgement', () => {
  const pair = (change: number, error = 0.004) => ({ change, error });

  it('is a head where the perspective is large and certain', () => {
    expect(judgePerspective([pair(0.08), pair(0.07), undefined]).verdict).toBe('head');
    expect(judgePerspective([pair(0.01), pair(0.02)]).verdict).toBe('flat');
    expect(judgePerspective([pair(0.04, 0.03), pair(0.05, 0.03)]).verdict).toBe('uncertain');
    expect(judgePerspective([pair(0), pair(0.1)]).verdict).toBe('uncertain');
  });

  it('is uncertain without pairs, or where half of them are not found again', () => {
    expect(judgePerspective([]).verdict).toBe('uncertain');
    expect(judgePerspective([pair(0.08), undefined]).verdict).toBe('uncertain');
  });

  it('is made from the six pairs of the most similar poses', () => {
    const aligned = { luma: new Uint8Array(), unit: 60 };
    const faces = [0, 3, 6, 30].map((yaw) => ({ pose: { yaw, pitch: 0, roll: 0 }, aligned }));
    const pairs = pairsToCompare(faces, faces.slice(0, 3));
    expect(pairs.map(([a, b]) => Math.abs(a.pose.yaw - b.pose.yaw))).toEqual([0, 0, 0, 3, 3, 3]);
    expect(pairsToCompare(faces.slice(3), faces.slice(0, 3))).toEqual([]);
    expect(pairsToCompare<FaceToCompare>([{ aligned }], faces)).toEqual([]);
  });
});
