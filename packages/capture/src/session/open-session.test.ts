import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LivenessTransport, Session } from '../transport/protocol.ts';
import { openWithTime } from './open-session.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose session expires in so many seconds, and then opens another one. */
function server(seconds: number): LivenessTransport {
  const until = Date.now() + seconds * 1000;
  const createSession = async (): Promise<Session> => {
    const left = Math.ceil((until - Date.now()) / 1000);
    const [session_id, expires_in] = left > 0 ? ['old', left] : ['new', 60];
    return { session_id, steps: ['face front'], expires_in };
  };
  return { createSession, submitSession: async () => ({ liveness: 'failed', results: [] }) };
}

it.each([
  ['a session of an earlier try that has too little time is awaited, and another one opened', 2, 'new'],
  ['a session of an earlier try that has time is taken', 30, 'old'],
])('%s', async (_, seconds, expected) => {
  const opening = openWithTime(server(seconds), new AbortController().signal);
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  expect((await opening).session_id).toBe(expected);
});
