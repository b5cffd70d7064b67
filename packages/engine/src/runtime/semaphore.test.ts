import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

const never = new AbortController().signal;

/** Runs all due promise reactions. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Semaphore', () => {
  it('refuses a call as busy when the queue is full', async () => {
    const semaphore = new Semaphore(1, 1);
    const release = await semaphore.acquire(never);
    const second = semaphore.acquire(never);
    await expect(semaphore.acquire(never)).rejects.toMatchObject({ code: 'busy' });
    release();
    await expect(second).resolves.toBeTypeOf('function');
  });

  it('refuses at once without a queue', async () => {
    const semaphore = new Semaphore(1, 0);
    await semaphore.acquire(never);
    await expect(semaphore.acquire(never)).rejects.toMatchObject({ code: 'busy' });
  });

  it('drops a waiting call that is aborted and makes room for another', async () => {
    const semaphore = new Semaphore(1, 1);
    const release = await semaphore.acquire(never);
    const caller = new AbortController();
    const dropped = semaphore.acquire(caller.signal);
    caller.abort(new Error('gone'));
    await expect(dropped).rejects.toThrow('gone');
    expect(semaphore.queued).toBe(0);
    const next = semaphore.acquire(never);
    release();
    (await next)();
    expect(semaphore.running).toBe(0);
  });

  it('refuses a call that was aborted before it was made', async () => {
    await expect(new Semaphore(1, 1).acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('never runs more than its size, and serves in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 12 }),
        async (size, calls) => {
          const semaphore = new Semaphore(size, calls);
          const served: number[] = [];
          const releases: (() => void)[] = [];
          for (let call = 0; call < calls; call += 1) {
            void semaphore.acquire(never).then((release) => {
              served.push(call);
              releases.push(release);
            });
          }
          await settle();
          while (releases.length > 0) {
            expect(semaphore.running).toBeLessThanOrEqual(size);
            releases.shift()!();
            await settle();
          }
          await semaphore.idle();
          expect(served).toEqual(Array.from({ length: calls }, (_, index) => index));
          expect([semaphore.running, semaphore.queued]).toEqual([0, 0]);
        },
      ),
      { numRuns: 30 },
    );
  });
});
