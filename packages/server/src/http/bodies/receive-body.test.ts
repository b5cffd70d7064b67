import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allocateBody, BodyBudget, memoryReturner, type Reception, receiveBody } from './receive-body.ts';

describe('the budget of bodies', () => {
  it('is never exceeded, by nobody and by all, and is whole again when all is given back', () => {
    const steps = fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(60) }));
    fc.assert(
      fc.property(steps, (takes) => {
        const budget = new BodyBudget(100, 50);
        const held: { owner: string; bytes: number }[] = [];
        const sum = (owner?: string) =>
          held
            .filter((one) => owner === undefined || one.owner === owner)
            .reduce((all, one) => all + one.bytes, 0);
        for (const take of takes) {
          const lacking = budget.take(take.owner, take.bytes);
          if (lacking === null) held.push(take);
          else if (lacking === 'share') expect(sum(take.owner) + take.bytes).toBeGreaterThan(50);
          else expect(sum() + take.bytes).toBeGreaterThan(100);
          expect(sum(take.owner)).toBeLessThanOrEqual(50);
          expect(budget.used).toBe(sum());
        }
        for (const { owner, bytes } of held) budget.giveBack(owner, bytes);
        expect([budget.used, budget.take('a', 50), budget.take('b', 50)]).toEqual([0, null, null]);
      }),
    );
  });
});

describe('the memory of a body', () => {
  it('holds what was written, small and large, in any pieces', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.constantFrom(1, 200), (chunks, repeat) => {
        const all = Array.from({ length: repeat }, () => chunks).flat();
        const expected = Buffer.concat(all);
        const memory = allocateBody(Math.max(expected.length, 1));
        for (const chunk of all) memory.write(chunk);
        expect(memory.bytes.equals(expected)).toBe(true);
        memory.release();
        expect(memory.bytes).toHaveLength(0);
      }),
      { numRuns: 30 },
    );
  });

  it('is given back to the system on release: ten bodies of 31 MiB at once', () => {
    const chunk = Buffer.alloc(2 ** 20, 1);
    const bodies = Array.from({ length: 10 }, () => allocateBody(31 * 2 ** 20));
    for (const body of bodies) for (let i = 0; i < 31; i++) body.write(chunk);
    const during = process.memoryUsage.rss();
    for (const body of bodies) body.release();
    expect(during - process.memoryUsage.rss()).toBeGreaterThan(280 * 2 ** 20);
  });
});

/** Receives what is written to `stream`; at most 3 MB, of which `granted` bytes are granted. */
function receive(announced: number | undefined, granted = 3_000_000, leastRate = 0) {
  const stream = new PassThrough();
  let reserved = 0;
  const reception: Reception = {
    announced,
    most: 3_000_000,
    leastRate,
    reserve(bytes) {
      if (reserved + bytes > granted) throw new Error('no room');
      reserved += bytes;
    },
    tooLarge: () => new Error('too large'),
    tooSlow: (bytes, seconds) => new Error(`${bytes} bytes in ${seconds} s`),
  };
  return { stream, received: (async () => receiveBody(stream, reception))(), reserved: () => reserved };
}

describe('a body', () => {
  it('is received whole, announced or in chunks', async () => {
    const bytes = Buffer.alloc(2_500_000, 'wajah');
    for (const announced of [bytes.length, undefined]) {
      const { stream, received, reserved } = receive(announced);
      for (let at = 0; at < bytes.length; at += 60_000) stream.write(bytes.subarray(at, at + 60_000));
      stream.end();
      expect((await received).bytes.equals(bytes)).toBe(true);
      expect(reserved()).toBe(announced ?? 3_000_000);
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
    expect((await fast.received).bytes).toHaveLength(3000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('texts are collected once after many large bodies, when none is in flight', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let [used, collections] = [0, 0];
  const memory = memoryReturner(
    () => used,
    () => {
      collections += 1;
    },
  );
  const answer = (bytes: number, left: number) => {
    used = bytes;
    memory.beforeGivingBack();
    used = left;
    memory.afterGivingBack();
    vi.advanceTimersByTime(10_000);
    return collections;
  };
  const large = 65 * 2 ** 20;
  expect([answer(1000, 0), answer(large, 1000), answer(1000, 0), answer(1000, 0)]).toEqual([0, 0, 1, 1]);
  expect(answer(large, 0)).toBe(2);
  vi.useRealTimers();
});
