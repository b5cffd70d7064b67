import { Scheduler } from '../../../../packages/server/dist/services/scheduling/scheduler.js';
import { seeded } from '../simulate/fleet.ts';
import { play, quantile, type Seen, type Serve, type Traffic } from './simulation.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Duration of a picture and workers, as in the review that found the collapse of goodput. */
const cost = 150;
const workers = 2;
const capacity = (1000 * workers) / cost;

interface Limits {
  readonly deadlineMs: number;
  readonly queue: number;
}

type OpenServer = (limits: Limits) => (clock: VirtualClock) => Serve;

const withScheduler: OpenServer =
  ({ deadlineMs, queue }) =>
  (clock) => {
    const scheduler = new Scheduler({ workers: () => workers, queue, deadlineMs, clock });
    return async (clientId, work) => {
      const { signal } = new AbortController();
      const caller = { clientId, trxId: '', operation: 'verifyFace', signal };
      scheduler.requireRoom(caller);
      return scheduler.run(caller, work);
    };
  };

/** One queue in order of arrival, with one deadline for waiting and work, as before the scheduler. */
const inOrder: OpenServer =
  ({ deadlineMs, queue }) =>
  (clock) => {
    const waiting: (() => void)[] = [];
    let running = 0;
    return async (_, work) => {
      const until = clock.now() + deadlineMs;
      if (running >= workers) {
        if (waiting.length >= queue) throw new Error('busy');
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          clock.after(deadlineMs, () => {
            const place = waiting.indexOf(resolve);
            if (place >= 0) waiting.splice(place, 1);
            reject(new Error('deadline'));
          });
        });
      }
      running += 1;
      await work();
      running -= 1;
      waiting.shift()?.();
      if (clock.now() > until) throw new Error('deadline');
    };
  };

/** @returns what each client sees in a minute, after 2 s */
function minute(open: OpenServer, limits: Limits, traffic: readonly Traffic[]): Promise<Map<string, Seen>> {
  return play({
    traffic,
    cost: () => cost,
    random: seeded(1),
    counted: [2000, 62_000],
    server: open(limits),
  });
}

/** Prints goodput and latency under overload, and of a client beside a flooding one. */
export async function simulateOverload(): Promise<void> {
  console.log(`Simulated: pictures of ${cost} ms, ${workers} workers, a minute each.\n`);
  console.log('| deadline | queue | load | goodput | p99 ÷ peak | goodput in order of arrival |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const deadlineMs of [300, 1000, 2000, 10_000, 20_000]) {
    for (const queue of [2, 8, 64, 1000]) {
      for (const load of [4, 10]) console.log(await overloadLine({ deadlineMs, queue }, load));
    }
  }
  console.log(
    '\n| a client with one call in flight beside | p95 ÷ alone | refused | in order of arrival |\n| --- | --- | --- | --- |',
  );
  const floods = [
    ['20 in flight', { inFlight: 20, pause: 0 }],
    ['10 times the capacity', { perSecond: 10 * capacity }],
  ] as const;
  for (const [name, flood] of floods) {
    const traffic = [
      { clientId: 'flood', ...flood },
      { clientId: 'one', inFlight: 1, pause: 0 },
    ];
    const limits = { deadlineMs: 10_000, queue: 64 };
    const [now, before] = [
      await minute(withScheduler, limits, traffic),
      await minute(inOrder, limits, traffic),
    ];
    const p95 = (seen: Map<string, Seen>) => (quantile(seen.get('one')!.latencies, 0.95) / cost).toFixed(1);
    console.log(`| ${name} | ${p95(now)} | ${now.get('one')?.refused} | ${p95(before)} |`);
  }
}

/** Peak: as many calls in flight as workers. */
async function overloadLine(limits: Limits, load: number): Promise<string> {
  const peak = (await minute(withScheduler, limits, [{ clientId: 'a', inFlight: workers, pause: 0 }])).get(
    'a',
  )!;
  const traffic = [{ clientId: 'a', perSecond: load * capacity }];
  const now = (await minute(withScheduler, limits, traffic)).get('a')!;
  const before = (await minute(inOrder, limits, traffic)).get('a')!;
  const share = ({ latencies }: Seen) => (latencies.length / peak.latencies.length).toFixed(2);
  const ratio = quantile(now.latencies, 0.99) / quantile(peak.latencies, 0.99);
  const { deadlineMs, queue } = limits;
  return `| ${deadlineMs} ms | ${queue} | ${load} × | ${share(now)} | ${ratio.toFixed(1)} | ${share(before)} |`;
}
