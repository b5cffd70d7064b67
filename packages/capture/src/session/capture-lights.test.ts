import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CapturedFrame } from '../frame.ts';
import { captureLights } from './capture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A camera whose pictures are the colours that the screen shows, and the times at which the colour changed. */
function setUp(milliseconds: number) {
  const lights = ['#ff0000', '#000000', '#00ffff'].map((colour) => ({ colour, milliseconds }));
  let shown: string | undefined;
  const changes: number[] = [];
  const grab = async (): Promise<CapturedFrame> => {
    const picture = async () => String(shown);
    return {
      capturedAt: new Date(performance.now()).toISOString(),
      full: picture,
      small: picture,
      sketch: () => new Uint8Array(),
      light: () => ({ brightness: 0.5, glare: 0 }),
    };
  };
  const listener = {
    lights: () => undefined,
    light: (colour: string | undefined) => {
      shown = colour;
      changes.push(performance.now());
    },
  };
  const ending = new AbortController();
  return { lights, grab, listener, signal: ending.signal, ending, changes, shown: () => shown };
}

async function run(set: ReturnType<typeof setUp>) {
  const captured = captureLights(set);
  captured.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  return captured;
}

describe('lights', () => {
  it('are each captured while they are shown, in order, and none is left on', async () => {
    const set = setUp(600);
    const frames = await run(set);
    expect(frames.map(({ light, image }) => [light, image])).toEqual([
      [0, '#ff0000'],
      [1, '#000000'],
      [2, '#00ffff'],
    ]);
    expect(set.shown()).toBeUndefined();
  });

  it('change fewer than three times a second, whatever the server asks for', async () => {
    const set = setUp(1);
    await run(set);
    const pauses = set.changes.slice(1).map((at, i) => at - set.changes[i]!);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(400);
  });

  it('end with the session', async () => {
    const set = setUp(600);
    setTimeout(() => set.ending.abort(new Error('over')), 5000);
    await expect(run(set)).rejects.toThrow('over');
    expect(set.shown()).toBeUndefined();
  });
});
