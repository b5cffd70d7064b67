import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TransportError } from '../errors.ts';
import type { Frame, LivenessTransport, Session, Step, Submission, Verdict } from '../transport/protocol.ts';
import { createUploads, openWithTime, submit } from './calls.ts';

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

const { signal } = new AbortController();
const frames = ['a', 'b', 'c'].map(
  (image): Frame => ({ step: 'face front', image, captured_at: '2026-01-31T12:00:10.000Z' }),
);
const passed: Verdict = { liveness: 'passed', results: [] };

/** Sends the frames and submits them. @param lost pictures that the server does not analyse, or has lost later */
async function run(lost: {
  readonly refused?: string;
  readonly kept?: string;
  readonly forgotten?: boolean;
}) {
  const submissions: Submission[] = [];
  const shares: number[] = [];
  const transport: LivenessTransport = {
    createSession: async () => ({ session_id: 's', steps: [] }),
    async submitSession(submission) {
      submissions.push(submission);
      if (lost.forgotten && submission.frames.some((frame) => 'digest' in frame)) {
        throw new TransportError('400', 'frames[0].digest: no such frame is held; send its image');
      }
      return passed;
    },
  };
  const send = async ({ image, step }: { image: string; step: Step }) => {
    expect(step).toBe('face front');
    if (image === lost.refused) throw new TransportError('503', 'busy', 1);
    return { digest: `digest of ${image}` };
  };
  const uploads = createUploads(send, 's', signal);
  for (const frame of frames) uploads.add(frame);
  const sent = await uploads.finish((share) => shares.push(share));
  expect(
    await submit(transport, { session_id: 's', frames }, sent, ({ image }) => image === lost.kept, signal),
  ).toBe(passed);
  const given = submissions.map((submission) =>
    submission.frames.map((frame) => ('digest' in frame ? frame.digest : frame.image)),
  );
  return { given, shares };
}

describe('frames that were sent as they were taken', () => {
  it('are submitted by their digests', async () => {
    const { given, shares } = await run({});
    expect(given).toEqual([['digest of a', 'digest of b', 'digest of c']]);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
  });

  it('are submitted as pictures from the first one on that the server did not take', async () => {
    const { given } = await run({ refused: 'b' });
    expect(given).toEqual([['digest of a', 'b', 'c']]);
  });

  it('are submitted as pictures where the server keeps one', async () => {
    expect((await run({ kept: 'a' })).given).toEqual([['a', 'digest of b', 'digest of c']]);
  });

  it('are submitted as pictures once more when the server has lost them', async () => {
    const { given } = await run({ forgotten: true });
    expect(given).toEqual([
      ['digest of a', 'digest of b', 'digest of c'],
      ['a', 'b', 'c'],
    ]);
  });
});
