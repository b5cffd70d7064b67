import { expect, it } from 'vitest';
import type { Eyes } from '../types.ts';
import { type FaceWithGaze, fixedGaze } from './gaze.ts';

const open = { state: 'open', score: 0.9 } as const;
const closed = { state: 'closed', score: 0.9 } as const;

function looking(yaw: number, gaze: number, eyes: Eyes = { left: open, right: open }): FaceWithGaze {
  return { pose: { yaw, pitch: 0, roll: 0 }, eyes, gaze };
}

const front = looking(0, 0.5);

it('irises that keep their place in the eyes are evidence of a still, to either side and in either order', () => {
  for (const yaw of [-25, 20]) {
    expect(fixedGaze(front, looking(yaw, 0.5))).toBeGreaterThan(1);
    expect(fixedGaze(looking(yaw, 0.5), front)).toBeGreaterThan(1);
  }
});

it('irises that keep to the camera, lead the head, or look elsewhere are evidence of a person', () => {
  expect(fixedGaze(front, looking(20, 0.42))).toBeLessThan(-2);
  expect(fixedGaze(front, looking(-20, 0.58))).toBeLessThan(-2);
  expect(fixedGaze(front, looking(20, 0.6))).toBeLessThan(-1);
});

it('is undefined for a small turn, a nod and closed eyes', () => {
  expect(fixedGaze(front, looking(9, 0.5))).toBeUndefined();
  const nod = { ...looking(13, 0.5), pose: { yaw: 13, pitch: 25, roll: 0 } };
  expect(fixedGaze(front, nod)).toBeUndefined();
  expect(fixedGaze(front, looking(20, 0.5, { left: open, right: closed }))).toBeUndefined();
  expect(fixedGaze(front, {})).toBeUndefined();
});
