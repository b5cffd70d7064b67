import { describe, expect, it } from 'vitest';
import type { EarlierSession } from '../../store/ports/sessions.ts';
import { type Opening, openingForClient, openingForSubject } from './opening.ts';

const now = new Date('2026-01-31T12:00:00Z');
const limits = { seconds: 60, failures: 3, pauseMinutes: 10, open: 40 };
const nobody = { galleryId: null, userId: null };

type Fate = 'open' | 'expired' | 'judging' | 'failed' | 'passed';

/** @param minutes ago */
function session(
  fate: Fate,
  minutes: number,
  user = nobody as { galleryId: string | null; userId: string | null },
) {
  const createdAt = new Date(now.getTime() - minutes * 60_000);
  const claimed = fate !== 'open' && fate !== 'expired';
  const record: EarlierSession = {
    id: `${fate} ${minutes}`,
    clientId: 'a',
    steps: ['face front', 'face left', 'face up', 'face front'],
    nonce: 'n',
    galleryId: user.galleryId,
    userId: user.userId,
    subject: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 60_000),
    claimedAt: claimed ? new Date(createdAt.getTime() + 20_000) : null,
    passed: fate === 'passed' ? true : fate === 'failed' ? false : null,
  };
  return record;
}

const forSubject = (earlier: EarlierSession[], steps?: number, binding = nobody) =>
  openingForSubject(earlier, binding, steps, limits, now);
const countOf = (opening: Opening) => ('steps' in opening ? opening.steps : opening);
const refusalAfter = (seconds: number) =>
  expect.objectContaining({ status: 'tooManyRequests', fields: { retry_after: seconds } });

describe('a subject', () => {
  it('gets its open session again, whatever number of steps is requested', () => {
    const open = session('open', 0.5);
    expect(forSubject([open, session('failed', 2)], 2)).toEqual({ again: open });
    expect(forSubject([session('expired', 1)])).toHaveProperty('steps');
  });

  it('gets the same steps for another user, in at most three open sessions', () => {
    const user = { galleryId: 'g', userId: 'u' };
    const open = session('open', 0.5);
    expect(forSubject([open], 3, user as never)).toEqual({
      steps: open.steps,
      expiresAt: open.expiresAt,
    });
    const three = [session('open', 0.2), session('open', 0.4), open];
    expect(() => forSubject(three, 3, user as never)).toThrow(refusalAfter(30));
  });

  it('gets one step more for each session that failed or expired since the last passed one', () => {
    expect(countOf(forSubject([]))).toBe(3);
    expect(countOf(forSubject([session('failed', 2)], 2))).toBe(3);
    expect(countOf(forSubject([session('expired', 2), session('failed', 4)], 2))).toBe(4);
    expect(countOf(forSubject([session('judging', 0.5), session('failed', 4)], 5))).toBe(5);
    expect(countOf(forSubject([session('failed', 1), session('passed', 2), session('failed', 3)], 2))).toBe(
      3,
    );
  });

  it('is paused after several failures, from the last one on', () => {
    const failures = [session('failed', 2), session('failed', 5), session('expired', 40)];
    expect(() => forSubject(failures)).toThrow(refusalAfter(8 * 60 + 20));
    const detail = expect.stringContaining('2026-01-31T12:08:20.000Z');
    expect(() => forSubject(failures)).toThrow(expect.objectContaining({ detail }));
    expect(countOf(forSubject([session('failed', 12), ...failures.slice(1)]))).toBe(5);
  });
});

describe('a client without subjects', () => {
  const many = (fate: Fate, count: number) =>
    Array.from({ length: count }, (_, i) => session(fate, fate === 'open' ? 0.5 : 2 + i / 100));

  it('gets what it requests while it answers most of its sessions', () => {
    expect(countOf(openingForClient([...many('open', 15), ...many('failed', 20)], 2, limits, now))).toBe(2);
    expect(countOf(openingForClient(many('open', 9), 2, limits, now))).toBe(2);
  });

  it('gets longer challenges when it opens many and answers few', () => {
    expect(countOf(openingForClient([...many('open', 4), ...many('expired', 6)], 2, limits, now))).toBe(3);
    expect(countOf(openingForClient([...many('expired', 35), ...many('passed', 3)], 2, limits, now))).toBe(5);
  });

  it('gets the same steps again within a period, until they are submitted', () => {
    const at = (second: number, fate: Fate = 'open') => ({
      ...session(fate, -second / 60),
      expiresAt: new Date(now.getTime() + 300_000),
    });
    const decide = (earlier: EarlierSession[], second: number, steps = 2) =>
      openingForClient(earlier, steps, limits, new Date(now.getTime() + second * 1000));
    const first = at(1);
    expect(decide([first], 59)).toEqual({ steps: first.steps });
    expect(decide([first], 61)).toEqual({ steps: 2 });
    expect(decide([first], 59, 3)).toEqual({ steps: 3 });
    expect(decide([at(1, 'failed')], 59)).toEqual({ steps: 2 });
  });

  it('has a limit of open sessions', () => {
    expect(() => openingForClient(many('open', 40), 2, limits, now)).toThrow(refusalAfter(30));
  });
});
