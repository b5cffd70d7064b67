import { EngineError } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { play, quantile, type Traffic } from '../../../test/support/simulated-load.ts';
import { randomNumbers } from '../../../test/support/vectors.ts';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { Caller } from '../caller.ts';
import { PictureScheduler, type SchedulerOptions } from './scheduler.ts';

const caller = (clientId: string, others: Partial<Caller> = {}): Caller => ({
  clientId,
  trxId: 'test',
  operation: 'verifyFace',
  signal: new AbortController().signal,
  ...others,
});

/** Duration of a piece of work, milliseconds, as in the review that found the collapse of goodput. */
const cost = 150;
const workers = 2;
/** Time in which the body of a call is received, milliseconds. */
const bodyMs = 20;
const capacity = (1000 * workers) / cost;

/** What each client saw in 6 s, after the two seconds in which an overload is noticed. */
function simulate(traffic: readonly Traffic[], options: Partial<SchedulerOptions> = {}) {
  return play({
    traffic,
    cost: () => cost,
    random: randomNumbers(1),
    counted: [2000, 8000],
    server: (clock) => {
      const given = { workers: () => workers, queue: 64, deadlineMs: 10_000, clock };
      const scheduler = new PictureScheduler({ ...given, ...options });
      return async (clientId, work) => {
        const by = caller(clientId);
        scheduler.requireRoom(by);
        await clock.sleep(bodyMs);
        return scheduler.run(by, work);
      };
    },
  });
}

describe('more work than can be done', () => {
  it.each([
    [300, 8],
    [2000, 64],
    [20_000, 1000],
  ])(
    'deadline %i ms, queue %i: at 4 and 10 times the capacity nine tenths of it is used, and answers stay fast',
    async (deadlineMs, queue) => {
      const options = { deadlineMs, queue };
      const peak = (await simulate([{ clientId: 'a', inFlight: workers, pause: 100 }], options)).get('a')!;
      for (const load of [4, 10]) {
        const seen = (await simulate([{ clientId: 'a', perSecond: load * capacity }], options)).get('a')!;
        expect(seen.latencies.length).toBeGreaterThan(0.9 * peak.latencies.length);
        expect(quantile(seen.latencies, 0.99)).toBeLessThanOrEqual(3 * quantile(peak.latencies, 0.99));
      }
    },
  );

  it('nothing is refused to a client that waits for its answers, with 30 calls in flight', async () => {
    const seen = (await simulate([{ clientId: 'a', inFlight: 30, pause: 0 }])).get('a')!;
    expect(seen.refused).toBe(0);
  });

  it('nothing is refused to it either while all work takes five times as long for a while', async () => {
    let time = () => 0;
    const seen = await play({
      traffic: [{ clientId: 'a', inFlight: 20, pause: 'retry-after' }],
      cost: () => (time() > 5000 && time() < 15_000 ? 5 * cost : cost),
      random: randomNumbers(1),
      counted: [0, 30_000],
      server: (clock) => {
        time = () => clock.now();
        const given = { workers: () => workers, queue: 64, deadlineMs: 10_000, clock };
        const scheduler = new PictureScheduler(given);
        return async (clientId, work) => {
          scheduler.requireRoom(caller(clientId));
          return scheduler.run(caller(clientId), work);
        };
      },
    });
    expect(seen.get('a')?.refused).toBe(0);
  });

  it('a client with one call in flight waits for one piece of work of a flooding client at most', async () => {
    for (const flood of [{ inFlight: 20, pause: 0 }, { perSecond: 10 * capacity }]) {
      const seen = await simulate([
        { clientId: 'flood', ...flood },
        { clientId: 'one', inFlight: 1, pause: 0 },
      ]);
      const { latencies, refused } = seen.get('one')!;
      expect(refused).toBe(0);
      expect(quantile(latencies, 0.95)).toBeLessThanOrEqual(3 * cost);
      expect(latencies.length).toBeGreaterThan(0.33 * (6000 / cost));
    }
  });
});

/** A scheduler on a virtual clock; `begun` has the names of the work that has begun. */
function rig(options: Partial<SchedulerOptions> = {}) {
  const clock = new VirtualClock();
  const given = { workers: () => 1, queue: 4, deadlineMs: 1000, clock };
  const scheduler = new PictureScheduler({ ...given, ...options });
  const begun: string[] = [];
  const run = (name: string, by: Caller = caller('a'), milliseconds = 100) => {
    const answer = scheduler.run(by, async () => {
      begun.push(name);
      await clock.sleep(milliseconds);
      return name;
    });
    answer.catch(() => {});
    return answer;
  };
  return { clock, scheduler, begun, run };
}

describe('the queue', () => {
  it('refuses with the time after which to try again', async () => {
    const { clock, run } = rig({ deadlineMs: 10_000 });
    const calls = [1, 2, 3, 4, 5].map((number) => run(`a${number}`));
    await expect(run('a6')).rejects.toMatchObject({
      status: 'busy',
      detail: expect.stringContaining('4 pictures waiting'),
      fields: { retry_after: 1 },
    });
    await clock.runUntil(1000);
    expect(await Promise.all(calls)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('has a bound for all; when it is full, the client with the most waiting work gives up a place', async () => {
    const { clock, scheduler, run } = rig({ queue: 3 });
    const [, , , newest] = [1, 2, 3, 4].map((number) => run(`a${number}`));
    const other = run('b1', caller('b'));
    await expect(newest).rejects.toMatchObject({ status: 'busy' });
    expect(scheduler.load()).toEqual({ running: 1, queued: 3, queues: [2, 1] });
    await clock.runUntil(1000);
    await expect(other).resolves.toBe('b1');
  });
});

describe('a call whose body has not been read', () => {
  it('is refused when its picture would be', async () => {
    const { clock, scheduler, run } = rig({ deadlineMs: 10_000 });
    const calls = [1, 2, 3, 4, 5].map((number) => run(`a${number}`));
    expect(() => scheduler.requireRoom(caller('a'))).toThrow(
      expect.objectContaining({ status: 'busy', fields: { retry_after: 1 } }),
    );
    scheduler.requireRoom(caller('b'));
    await clock.runUntil(1000);
    await Promise.all(calls);
    scheduler.requireRoom(caller('a'));
  });

  it.each([1, 20, 100])(
    'is refused in an overload, so that one body in ten is read in vain at most: bodies of %i ms',
    async (bodyMs) => {
      const { clock, scheduler } = rig({ queue: 64, deadlineMs: 10_000 });
      const seen = { bodies: 0, served: 0 };
      const call = async () => {
        scheduler.requireRoom(caller('a'));
        await clock.sleep(bodyMs);
        if (clock.now() > 2000) seen.bodies += 1;
        await scheduler.run(caller('a'), () => clock.sleep(100));
        if (clock.now() > 2000) seen.served += 1;
      };
      for (let at = 0; at < 10_000; at += 10) clock.after(at, () => void call().catch(() => {}));
      await clock.runUntil(10_000);
      expect(seen.served).toBeGreaterThan(72);
      expect(seen.bodies).toBeLessThan(1.1 * seen.served);
    },
  );
});

describe('work', () => {
  it('is refused at once when it would not be done by its deadline, and is not begun', async () => {
    const { clock, begun, run } = rig({ deadlineMs: 250 });
    await Promise.all([run('measured'), clock.runUntil(100)]);
    void run('first');
    void run('second');
    await expect(run('third')).rejects.toMatchObject({
      status: 'busy',
      detail: expect.stringContaining('would not be done within 250 ms'),
    });
    await clock.runUntil(1000);
    expect(begun).toEqual(['measured', 'first', 'second']);
  });

  it('is refused while it waits when the work before it takes longer than expected', async () => {
    const { clock, begun, run } = rig({ deadlineMs: 300 });
    await Promise.all([run('measured'), clock.runUntil(100)]);
    const slow = run('slow', caller('a'), 900);
    const waiting = run('waiting');
    await clock.runUntil(301);
    await expect(waiting).rejects.toMatchObject({ status: 'busy' });
    await clock.runUntil(2000);
    await slow;
    expect(begun).toEqual(['measured', 'slow']);
  });

  it('is expected to take as long as that of its own client, not of others', async () => {
    const { clock, begun, run } = rig({ deadlineMs: 1000, workers: () => 2 });
    for (let call = 0; call < 5; call++) {
      await Promise.all([run('slow', caller('b'), 5000), run('fast'), clock.runUntil(5000 * (call + 1))]);
    }
    void run('slow', caller('b'), 5000);
    void run('running');
    const waiting = run('waiting');
    await expect(run('slow too', caller('b'))).rejects.toMatchObject({ status: 'busy' });
    await clock.runUntil(26_000);
    await expect(waiting).resolves.toBe('waiting');
    expect(begun.slice(-3)).toEqual(['slow', 'running', 'waiting']);
  });

  it('is begun on an idle server whatever was measured', async () => {
    const { clock, run } = rig({ deadlineMs: 100 });
    await Promise.all([run('slow', caller('a'), 500), clock.runUntil(500)]);
    await Promise.all([run('fast'), clock.runUntil(600)]);
  });

  it("of a call that has begun goes before the client's other calls, and passes the bound", async () => {
    const { clock, begun, run } = rig();
    const batch = caller('a');
    void run('batch 1', batch);
    for (const number of [1, 2, 3]) void run(`other ${number}`);
    void run('batch 2', batch);
    await clock.runUntil(1000);
    expect(begun).toEqual(['batch 1', 'batch 2', 'other 1', 'other 2', 'other 3']);
  });

  it('has one deadline with all work of its call, from the first on', async () => {
    const { clock, scheduler } = rig({ deadlineMs: 350 });
    const remaining: number[] = [];
    const batch = caller('a');
    const run = () =>
      scheduler.run(batch, async (milliseconds) => {
        remaining.push(milliseconds);
        await clock.sleep(100);
      });
    const calls = Promise.allSettled([run(), run(), run(), run()]);
    await clock.runUntil(1000);
    expect(remaining).toEqual([350, 250, 150]);
    const refused = (await calls).filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 'busy' } }]);
  });

  it('is forgotten when its caller disconnects while it waits', async () => {
    const { clock, scheduler, begun, run } = rig();
    const disconnected = new AbortController();
    void run('running');
    const waiting = run('waiting', caller('a', { signal: disconnected.signal }));
    disconnected.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    expect(scheduler.load()).toEqual({ running: 1, queued: 0, queues: [] });
    await clock.runUntil(1000);
    expect(begun).toEqual(['running']);
  });

  it('keeps its worker when its caller disconnects while it runs', async () => {
    const { clock, scheduler, begun, run } = rig();
    const disconnected = new AbortController();
    const running = run('running', caller('a', { signal: disconnected.signal }));
    void run('next');
    await clock.runUntil(50);
    disconnected.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    expect([begun, scheduler.load().running]).toEqual([['running'], 1]);
    await clock.runUntil(1000);
    expect(begun).toEqual(['running', 'next']);
  });

  it('that fails gives its worker to the next', async () => {
    const { clock, scheduler, run } = rig();
    const failing = scheduler.run(caller('a'), () =>
      Promise.reject(new EngineError('imageBroken', 'broken')),
    );
    const next = run('next');
    await expect(failing).rejects.toMatchObject({ code: 'imageBroken' });
    await Promise.all([next, clock.runUntil(1000)]);
    expect(scheduler.load()).toEqual({ running: 0, queued: 0, queues: [] });
  });
});
