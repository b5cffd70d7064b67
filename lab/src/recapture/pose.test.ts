import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boxInFrame, randomPose } from './pose.ts';
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

it('keeps the middle of a box inside its place in the frame', () => {
  fc.assert(
    fc.property(fc.string(), place, (seed, to) => {
      const pose = randomPose(seeded(seed), [200, 200], to, 400);
      const box = boxInFrame(pose, { x: 150, y: 140, width: 100, height: 120 });
      expect(to[0]).toBeGreaterThan(box.x);
      expect(to[0]).toBeLessThan(box.x + box.width);
      expect(to[1]).toBeGreaterThan(box.y);
      expect(to[1]).toBeLessThan(box.y + box.height);
    }),
  );
});
