import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

const never = new AbortController().signal;

/** Lets all promise reactions that are due run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Slots', () => {
  it('refuses a call as busy when the queue is full', async () => {
    const slots = new Semaphore(1, 1);
    const release = await slots.acquire(never);
    const second = slots.acquire(never);
    await expect(slots.acquire(never)).rejects.toMatchObject({ code: 'busy' });
    release();
    await expect(second).resolves.toBeTypeOf('function');
  });

  it('refuses at once without a queue', async () => {
    const slots = new Semaphore(1, 0);
    await slots.acquire(never);
    await expect(slots.acquire(never)).rejects.toMatchObject({ code: 'busy' });
  });

  it('drops a waiting call that is aborted and makes room for another', async () => {
    const slots = new Semaphore(1, 1);
    const release = await slots.acquire(never);
    const caller = new AbortController();
    const dropped = slots.acquire(caller.signal);
    caller.abort(new Error('gone'));
    await expect(dropped).rejects.toThrow('gone');
    expect(slots.queued).toBe(0);
    const next = slots.acquire(never);
    release();
    (await next)();
    expect(slots.running).toBe(0);
  });

  it('refuses a call that was aborted before it came', async () => {
    await expect(new Semaphore(1, 1).acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('never runs more than its size, and serves in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 12 }),
        async (size, calls) => {
          const slots = new Semaphore(size, calls);
          const served: number[] = [];
          const releases: (() => void)[] = [];
          for (let call = 0; call < calls; call += 1) {
            void slots.acquire(never).then((release) => {
              served.push(call);
              releases.push(release);
            });
          }
          await settle();
          while (releases.length > 0) {
            expect(slots.running).toBeLessThanOrEqual(size);
            releases.shift()!();
            await settle();
          }
          await slots.idle();
          expect(served).toEqual(Array.from({ length: calls }, (_, index) => index));
          expect([slots.running, slots.queued]).toEqual([0, 0]);
        },
      ),
      { numRuns: 30 },
    );
  });
});
