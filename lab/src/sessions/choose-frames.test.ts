import { expect, it } from 'vitest';
import { chooseFrames, turnsOf } from './choose-frames.ts';
import type { FilmFrame } from './film.ts';

/** A film with one frame in a quarter of a second. */
function film(poses: readonly (readonly [yaw: number, pitch: number])[]): FilmFrame[] {
  return poses.map(([yaw, pitch], i) => ({
    at: i / 4,
    image: new Uint8Array([i]),
    face: { pose: { yaw, pitch, roll: 0 } } as FilmFrame['face'],
  }));
}

const turning = film([
  [0, 0],
  [1, 0],
  [14, 0],
  [25, 0],
  [45, 0],
  [20, 0],
  [2, 1],
  [0, 0],
  [0, -23],
]);

it('takes the clearest moderate turn, and its successor where that shows the step too', () => {
  const [, left] = chooseFrames(turning, ['face front', 'face left'])!;
  expect(left!.map(({ at }) => at)).toEqual([0.75, 1]);
});

it('takes equal steps from moments a second apart', () => {
  const [first, , last] = chooseFrames(turning, ['face front', 'face left', 'face front'])!;
  expect(Math.abs(first![0]!.at - last![0]!.at)).toBeGreaterThanOrEqual(1);
  const used = [...first!, ...last!].map(({ at }) => ({ step: 'face front' as const, at }));
  expect(chooseFrames(turning, ['face front'], used)).toBeUndefined();
});

it('finds the turns that a film shows', () => {
  expect(turnsOf(turning)).toEqual(['face left', 'face down']);
});
