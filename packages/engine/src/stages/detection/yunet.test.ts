import { describe, expect, it } from 'vitest';
import type { Affine } from '../../imaging/geometry.ts';
import { decodeYunet } from './detect.ts';

const SIDE = 64;
const identityView: Affine = { a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0 };

/** Answers of an empty view, with one face in the cell (column, row) of the grid of stride 8. */
function answers(cls: number, obj: number, column: number, row: number) {
  const outputs: Record<string, Float32Array> = {};
  for (const stride of [8, 16, 32]) {
    const cells = (SIDE / stride) ** 2;
    outputs[`cls_${stride}`] = new Float32Array(cells);
    outputs[`obj_${stride}`] = new Float32Array(cells);
    outputs[`kps_${stride}`] = new Float32Array(cells * 10);
  }
  const cell = row * (SIDE / 8) + column;
  outputs['cls_8']![cell] = cls;
  outputs['obj_8']![cell] = obj;
  // Eyes one cell left and right, nose in the cell's corner, mouth one cell below.
  outputs['kps_8']!.set([-1, -1, 1, -1, 0, 0, -0.5, 1, 0.5, 1], cell * 10);
  return (name: string) => outputs[name]!;
}

describe('the answers of YuNet', () => {
  it('place a face in its cell, with the geometric mean of both scores', () => {
    const [face, ...others] = decodeYunet(answers(0.81, 1, 4, 3), SIDE, 0.6, identityView);
    expect(others).toEqual([]);
    expect(face?.score).toBeCloseTo(0.9, 6);
    expect(face?.keypoints).toEqual([
      { x: 24, y: 16 },
      { x: 40, y: 16 },
      { x: 32, y: 24 },
      { x: 32, y: 32 },
    ]);
    const { box, side } = face!;
    expect(side).toBeCloseTo(2.27 * 16, 6);
    expect(box.x + box.width / 2).toBeCloseTo(32, 6);
    expect(box.y + box.height / 2).toBeGreaterThan(16);
    expect(box.y + box.height / 2).toBeLessThan(32);
  });

  it('go through the view into the picture', () => {
    const turned = { a: 0, b: -2, c: 2, d: 0, tx: 100, ty: 0 };
    const [face] = decodeYunet(answers(1, 1, 4, 3), SIDE, 0.6, turned);
    expect(face?.keypoints[2]).toEqual({ x: 100 - 48, y: 64 });
    expect(face?.side).toBeCloseTo(2 * 2.27 * 16, 6);
  });

  it('hold nobody where the score is too low', () => {
    expect(decodeYunet(answers(0.5, 0.5, 0, 0), SIDE, 0.6, identityView)).toEqual([]);
    expect(decodeYunet(answers(1, -0.1, 0, 0), SIDE, 0.6, identityView)).toEqual([]);
  });
});
