import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResourceQueue } from './resource-queue.ts';

const never = new AbortController().signal;

/** Runs all due promise reactions. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function queueOf(queueLimit: number, ...resources: string[]): ResourceQueue<string> {
  const queue = new ResourceQueue<string>(queueLimit);
  for (const resource of resources) queue.add(resource);
  return queue;
}

describe('ResourceQueue', () => {
  // Full queues, callers who leave and calls that were aborted before: open.test.ts, with real workers.
  it('refuses at once without a queue', async () => {
    const queue = queueOf(0, 'a');
    await queue.acquire(never);
    await expect(queue.acquire(never)).rejects.toMatchObject({ code: 'busy' });
  });

  it('gives a new resource to the waiting call after the only one was lost', async () => {
    const queue = queueOf(1, 'a');
    await queue.acquire(never);
    const waiting = queue.acquire(never);
    queue.release(null);
    expect([queue.running, queue.queued]).toEqual([0, 1]);
    queue.add('b');
    expect(await waiting).toBe('b');
  });

  it('is idle when its last waiting call has left', async () => {
    const queue = queueOf(1);
    const caller = new AbortController();
    const waiting = queue.acquire(caller.signal).catch(() => 'left');
    const idle = queue.idle();
    caller.abort();
    expect(await waiting).toBe('left');
    await idle;
  });

  it('uses a resource once at a time, and serves in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 12 }),
        async (size, calls) => {
          const queue = queueOf(calls, ...['a', 'b', 'c', 'd'].slice(0, size));
          const served: number[] = [];
          const used: string[] = [];
          for (let call = 0; call < calls; call += 1) {
            void queue.acquire(never).then((resource) => {
              served.push(call);
              used.push(resource);
            });
          }
          await settle();
          while (used.length > 0) {
            expect(queue.running).toBeLessThanOrEqual(size);
            expect(new Set(used).size).toBe(used.length);
            queue.release(used.shift()!);
            await settle();
          }
          await queue.idle();
          expect(served).toEqual(Array.from({ length: calls }, (_, index) => index));
          expect([queue.running, queue.queued]).toEqual([0, 0]);
        },
      ),
      { numRuns: 30 },
    );
  });
});
