import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Accounts, BodyBudget, type Reception, receiveBody } from './receive-body.ts';

describe('the budget of bodies', () => {
  it('is never exceeded, by nobody and by all, and is whole again when all is given back', () => {
    const steps = fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(60) }));
    fc.assert(
      fc.property(steps, (takes) => {
        const budget = new BodyBudget();
        const accounts = (owner: string): Accounts => [
          [owner, 50],
          ['all', 100],
        ];
        const held: { owner: string; bytes: number }[] = [];
        const sum = (owner?: string) =>
          held
            .filter((one) => owner === undefined || one.owner === owner)
            .reduce((all, one) => all + one.bytes, 0);
        for (const take of takes) {
          const lacking = budget.lacking(accounts(take.owner), take.bytes);
          if (lacking === take.owner) expect(sum(take.owner) + take.bytes).toBeGreaterThan(50);
          else if (lacking === 'all') expect(sum() + take.bytes).toBeGreaterThan(100);
          else {
            budget.add(accounts(take.owner), take.bytes);
            held.push(take);
          }
          expect(sum(take.owner)).toBeLessThanOrEqual(50);
          expect(sum()).toBeLessThanOrEqual(100);
        }
        for (const { owner, bytes } of held) budget.add(accounts(owner), -bytes);
        for (const owner of ['a', 'b']) {
          expect(budget.lacking(accounts(owner), 50)).toBe(undefined);
          budget.add(accounts(owner), 50);
        }
      }),
    );
  });
});

/** Receives what is written to `stream`; at most 3 MB, of which `granted` bytes are granted. */
function receive(announced: number | undefined, granted = 3_000_000, leastRate = 0) {
  const stream = new PassThrough();
  let taken = 0;
  const requireRoom = (bytes: number) => {
    if (taken + bytes > granted) throw new Error('no room');
  };
  const reception: Reception = {
    announced,
    most: 3_000_000,
    leastRate,
    requireRoom,
    take(bytes) {
      requireRoom(bytes);
      taken += bytes;
    },
    tooLarge: () => new Error('too large'),
    tooSlow: (bytes, seconds) => new Error(`${bytes} bytes in ${seconds} s`),
  };
  const chunks: Buffer[] = [];
  const reader = { write: (chunk: Buffer) => void chunks.push(chunk), end: () => Buffer.concat(chunks) };
  return {
    stream,
    received: (async () => receiveBody(stream, reception, reader))(),
    taken: () => taken,
  };
}

describe('a body', () => {
  it('is received whole, announced or in chunks', async () => {
    const bytes = Buffer.alloc(2_500_000, 'wajah');
    for (const announced of [bytes.length, undefined]) {
      const { stream, received, taken } = receive(announced);
      expect(taken()).toBe(0);
      for (let at = 0; at < bytes.length; at += 60_000) stream.write(bytes.subarray(at, at + 60_000));
      stream.end();
      expect((await received).equals(bytes)).toBe(true);
      expect(taken()).toBe(bytes.length);
    }
  });

  it('is refused before its first byte when it is too large or has no room', async () => {
    await expect(receive(3_000_001).received).rejects.toThrow('too large');
    await expect(receive(2_000_000, 1_999_999).received).rejects.toThrow('no room');
  });

  it('in chunks is refused when it becomes too large or finds no more room, and the rest is dropped', async () => {
    for (const [granted, message] of [
      [3_000_000, 'too large'],
      [2_000_000, 'no room'],
    ] as const) {
      const { stream, received } = receive(undefined, granted);
      for (let i = 0; i < 40; i++) stream.write(Buffer.alloc(100_000));
      stream.end();
      await expect(received).rejects.toThrow(message);
      await expect.poll(() => stream.readableEnded).toBe(true);
    }
  });

  it('that ends with its connection is refused', async () => {
    const { stream, received } = receive(1000);
    stream.destroy();
    await expect(received).rejects.toThrow('closed before the end');
  });
});

describe('the rate of a body', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is no longer checked when its connection has been closed', async () => {
    const { stream, received } = receive(1000, 1000, 100);
    stream.destroy();
    await expect(received).rejects.toThrow('closed before the end');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has a least mean value after ten seconds', async () => {
    const fast = receive(3000, 3000, 100);
    const slow = receive(3000, 3000, 100);
    fast.stream.write(Buffer.alloc(2000));
    slow.stream.write(Buffer.alloc(500));
    vi.advanceTimersByTime(10_000);
    await Promise.resolve();
    vi.advanceTimersByTime(2000);
    await expect(slow.received).rejects.toThrow('500 bytes in 11 s');
    fast.stream.end(Buffer.alloc(1000));
    expect(await fast.received).toHaveLength(3000);
    // The rest of the slow one is dropped, until that is too slow as well.
    expect(slow.stream.destroyed).toBe(false);
    slow.stream.write(Buffer.alloc(1000));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(slow.stream.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(slow.stream.destroyed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
