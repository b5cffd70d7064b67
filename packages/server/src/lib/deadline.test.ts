import { describe, expect, it } from 'vitest';
import { untilDeadline } from './deadline.ts';

const late = () => new Error('too late');
const never = new Promise<never>(() => {});
const connected = () => new AbortController().signal;

describe('work with a deadline', () => {
  it('that is done before it gives its result or its error', async () => {
    expect(await untilDeadline(connected(), 60_000, late, async () => 1)).toBe(1);
    const failing = untilDeadline(connected(), 60_000, late, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
  });

  it('ends with its error at it, also where it cannot be ended', async () => {
    let signal = connected();
    const ending = untilDeadline(connected(), 1, late, (given) => {
      signal = given;
      return never;
    });
    await expect(ending).rejects.toThrow('too late');
    expect(signal.reason).toMatchObject({ message: 'too late' });
  });

  it('ends when its caller disconnects, and does not begin after that', async () => {
    const disconnected = new AbortController();
    const ended = untilDeadline(disconnected.signal, 60_000, late, () => never);
    disconnected.abort(new Error('gone'));
    await expect(ended).rejects.toThrow('gone');
    let begun = false;
    const after = untilDeadline(disconnected.signal, 60_000, late, async () => {
      begun = true;
    });
    await expect(after).rejects.toThrow('gone');
    expect(begun).toBe(false);
  });
});
