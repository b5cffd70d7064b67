import { describe, expect, it } from 'vitest';
import { createEarlyFrames } from './frames.ts';

const analysis = () => Promise.resolve({ error: { status: '412', status_message: '', detail: '' } });

const session = (id: string) => ({ id, expiresAt: new Date(Date.now() + 60_000) });

describe('early frames', () => {
  it('belong to their session, and are dropped with it', async () => {
    const frames = createEarlyFrames();
    const one = analysis();
    frames.hold(session('s'), 'a', one);
    frames.hold(session('s'), 'a', analysis());
    expect(frames.find('s', 'a')).toBe(one);
    expect([frames.count('s'), frames.find('t', 'a'), frames.find('s', 'b')]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    frames.drop('s');
    expect(frames.find('s', 'a')).toBeUndefined();
  });

  it('are not held when their analysis fails', async () => {
    const frames = createEarlyFrames();
    const failing = Promise.reject(new Error('busy'));
    frames.hold(session('s'), 'a', failing);
    await expect(failing).rejects.toThrow('busy');
    expect(frames.count('s')).toBe(0);
  });

  it('of the oldest session are dropped when there are too many', () => {
    const frames = createEarlyFrames();
    const name = (i: number) => `s${Math.floor(i / 20)}`;
    for (let i = 0; i < 300; i++) frames.hold(session(name(i)), String(i), analysis());
    const held = Array.from({ length: 15 }, (_, i) => frames.count(`s${i}`));
    expect(held.slice(0, 3)).toEqual([0, 0, 0]);
    expect(held.slice(3)).toEqual(Array.from({ length: 12 }, () => 20));
  });
});
