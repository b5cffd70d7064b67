import type { Attribute } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { createEarlyFrames } from './frames.ts';

const result = () => Promise.resolve({ error: { status: '412', status_message: '', detail: '' } });
const analysis = (...attributes: Attribute[]) => ({ attributes, result: result() });

const now = Date.now();
/** @param begun milliseconds after now */
const session = (id: string, begun = 0) => ({
  id,
  createdAt: new Date(now + begun),
  expiresAt: new Date(now + 60_000),
});

describe('early frames', () => {
  it('belong to their session, to the try in which they were sent, and are dropped with it', async () => {
    const frames = createEarlyFrames();
    const one = analysis();
    frames.hold(session('s'), 'a', one);
    expect(frames.find(session('s'), 'a', [])).toBe(one.result);
    expect(frames.count(session('s'))).toBe(1);
    expect(frames.find(session('t'), 'a', [])).toBeUndefined();
    expect(frames.find(session('s'), 'b', [])).toBeUndefined();
    expect(frames.find(session('s', 1), 'a', [])).toBeUndefined();
    frames.drop(session('s'));
    expect(frames.find(session('s'), 'a', [])).toBeUndefined();
  });

  it('are found for what they were analysed for, and replaced by what was analysed for more', async () => {
    const frames = createEarlyFrames();
    const failing = { attributes: ['pose'], result: Promise.reject(new Error('busy')) } as const;
    frames.hold(session('s'), 'a', failing);
    expect(frames.find(session('s'), 'a', ['pose'])).toBe(failing.result);
    expect(frames.find(session('s'), 'a', ['pose', 'mesh'])).toBeUndefined();
    const more = analysis('mesh', 'pose');
    frames.hold(session('s'), 'a', more);
    expect(frames.find(session('s'), 'a', ['pose', 'mesh'])).toBe(more.result);
    await expect(failing.result).rejects.toThrow('busy');
    expect(frames.find(session('s'), 'a', ['pose', 'mesh'])).toBe(more.result);
    expect(frames.count(session('s'))).toBe(1);
  });

  it('are not held when their analysis fails', async () => {
    const frames = createEarlyFrames();
    const failing = Promise.reject(new Error('busy'));
    frames.hold(session('s'), 'a', { attributes: [], result: failing });
    await expect(failing).rejects.toThrow('busy');
    expect(frames.count(session('s'))).toBe(0);
  });

  it('of the oldest session are dropped when there are too many', () => {
    const frames = createEarlyFrames();
    const name = (i: number) => `s${Math.floor(i / 20)}`;
    for (let i = 0; i < 300; i++) frames.hold(session(name(i)), String(i), analysis());
    const held = Array.from({ length: 15 }, (_, i) => frames.count(session(`s${i}`)));
    expect(held.slice(0, 3)).toEqual([0, 0, 0]);
    expect(held.slice(3)).toEqual(Array.from({ length: 12 }, () => 20));
  });
});
