import { expect, it } from 'vitest';
import { boxAround, painted } from '../../test/drawn/painted.ts';
import { squareView } from './view.ts';

it('a square view averages what it shrinks and repeats the edge outside', () => {
  const checks = painted(64, 64, (x, y) => ((x + y) % 2 === 0 ? 0 : 200));
  const view = squareView(checks, boxAround(32, 32, 64), 2, 32);
  expect(view.y[16 * 32 + 16]!).toBeCloseTo(100, 0);
  expect(view.y[0]!).toBeCloseTo(checks.data[0]!, 0);
});
