import { describe, expect, it } from 'vitest';
import { allPairs } from './pairs.ts';

describe('allPairs', () => {
  it('distinguishes genuine and impostor pairs', () => {
    const at = (identity: string, x: number, y: number) => ({ identity, embedding: Float32Array.of(x, y) });
    const { genuine, impostor } = allPairs([
      at('a', 1, 0),
      at('a', 0, 1),
      at('b', 0.5, 0.25),
      at('c', -1, 0),
    ]);
    expect([...genuine]).toEqual([0]);
    expect([...impostor]).toEqual([-1, -0.5, 0, 0.25, 0.5]);
  });
});
