import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomPose } from './pose.ts';
import { seeded } from './random.ts';

const place = fc.tuple(fc.integer({ min: 50, max: 350 }), fc.integer({ min: 50, max: 350 }));

it('maps the given point to the given place, and inverts every point', () => {
  fc.assert(
    fc.property(fc.string(), place, place, place, (seed, from, to, other) => {
      const pose = randomPose(seeded(seed), from, to, 400);
      const landed = pose.toFrame(...from);
      expect(Math.hypot(landed[0] - to[0], landed[1] - to[1])).toBeLessThan(1e-6);
      const back = pose.toSheet(...pose.toFrame(...other));
      expect(Math.hypot(back[0] - other[0], back[1] - other[1])).toBeLessThan(1e-6);
    }),
  );
});
