import { describe, expect, it } from 'vitest';
import { untilDeadline } from './until-deadline.ts';

const never = new Promise<never>(() => {});
const connected = () => new AbortController().signal;

describe('work with a deadline', () => {
  it('that is done before it gives its result or its error', async () => {
    expect(await untilDeadline(connected(), 60_000, 'the search', async () => 1)).toBe(1);
    const failing = untilDeadline(connected(), 60_000, 'the search', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
  });

  it('is refused as busy at it, also where it cannot be ended', async () => {
    let signal = connected();
    const late = untilDeadline(connected(), 1, 'the search', (ending) => {
      signal = ending;
      return never;
    });
    const refusal = { status: 'busy', detail: expect.stringContaining('the search was not done in time') };
    await expect(late).rejects.toMatchObject(refusal);
    expect(signal.reason).toMatchObject(refusal);
  });

  it('ends when its caller disconnects, and does not begin after that', async () => {
    const disconnected = new AbortController();
    const ended = untilDeadline(disconnected.signal, 60_000, 'the search', () => never);
    disconnected.abort(new Error('gone'));
    await expect(ended).rejects.toThrow('gone');
    let begun = false;
    const after = untilDeadline(disconnected.signal, 60_000, 'the search', async () => {
      begun = true;
    });
    await expect(after).rejects.toThrow('gone');
    expect(begun).toBe(false);
  });
});
