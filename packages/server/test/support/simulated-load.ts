import { VirtualClock } from './virtual-clock.ts';

/** What a server does with a call of a client: resolves when it is served, rejects when it is refused. */
export type Serve = (clientId: string, work: () => Promise<void>) => Promise<void>;

/** Calls of one client: so many a second at random times (open loop), or so many at a time (closed loop). */
export type Traffic = { readonly clientId: string } & (
  | { readonly perSecond: number }
  | {
      readonly inFlight: number;
      /** Milliseconds until a refused call is sent again, or as long as its answer says. */
      readonly pause: number | 'retry-after';
    }
);

/** What a client saw. */
export interface Seen {
  /** Milliseconds from the call to its answer, of each served call. */
  readonly latencies: number[];
  refused: number;
}

export interface Simulation {
  readonly traffic: readonly Traffic[];
  /** Duration of a piece of work, milliseconds. */
  cost(): number;
  /** 0…1 */
  random(): number;
  /** Calls are counted from the first to the second, milliseconds. */
  readonly counted: readonly [from: number, to: number];
  server(clock: VirtualClock): Serve;
}

/** Plays traffic against a server on a virtual clock. @returns what each client saw */
export async function play(simulation: Simulation): Promise<Map<string, Seen>> {
  const clock = new VirtualClock();
  const serve = simulation.server(clock);
  const [from, to] = simulation.counted;
  const seen = new Map<string, Seen>();
  /** @returns seconds to wait after a refusal */
  const call = async (clientId: string): Promise<number | undefined> => {
    const of = seen.get(clientId) ?? { latencies: [], refused: 0 };
    seen.set(clientId, of);
    const began = clock.now();
    const counts = began >= from && began < to;
    try {
      await serve(clientId, () => clock.sleep(simulation.cost()));
      if (counts) of.latencies.push(clock.now() - began);
      return undefined;
    } catch (error) {
      if (counts) of.refused += 1;
      return Number((error as { fields?: Record<string, unknown> }).fields?.['retry_after'] ?? 1);
    }
  };
  for (const traffic of simulation.traffic) {
    if ('perSecond' in traffic)
      void arrive(clock, traffic.perSecond, simulation.random, () => call(traffic.clientId));
    else
      for (let lane = 0; lane < traffic.inFlight; lane++)
        void repeat(clock, traffic.pause, () => call(traffic.clientId));
  }
  // Calls that are waiting at the end are answered.
  await clock.runUntil(to);
  return seen;
}

/** A Poisson process. */
async function arrive(
  clock: VirtualClock,
  perSecond: number,
  random: () => number,
  call: () => unknown,
): Promise<never> {
  for (;;) {
    await clock.sleep((-Math.log(1 - random()) * 1000) / perSecond);
    call();
  }
}

async function repeat(
  clock: VirtualClock,
  pause: number | 'retry-after',
  call: () => Promise<number | undefined>,
): Promise<never> {
  for (;;) {
    const wait = await call();
    if (wait !== undefined) await clock.sleep(pause === 'retry-after' ? wait * 1000 : pause);
  }
}

/** The value below which this share of the values lies, 0…1; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
