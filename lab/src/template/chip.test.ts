import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { meanInChip } from './chip.ts';

describe('meanInChip', () => {
  it('is the same for a face that is moved, turned and scaled, and for copies of it', () => {
    const random = seeded('face');
    const mesh = Float32Array.from({ length: 468 * 3 }, () => random.between(0, 100));
    const alone = meanInChip([mesh]);
    const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(number(-3, 3), number(0.2, 5), number(-500, 500), number(-500, 500), (turn, by, dx, dy) => {
        const moved = mesh.map((value, i) => {
          const p = i - (i % 3);
          const [x, y] = [mesh[p]!, mesh[p + 1]!];
          if (i % 3 === 0) return by * (Math.cos(turn) * x - Math.sin(turn) * y) + dx;
          return i % 3 === 1 ? by * (Math.sin(turn) * x + Math.cos(turn) * y) + dy : value;
        });
        meanInChip([moved, mesh]).forEach((value, i) => {
          expect(value).toBeCloseTo(alone[i]!, 3);
        });
      }),
      { numRuns: 20 },
    );
  });
});
