import { setTimeout as pause } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/** What a client saw. */
export interface Seen {
  /** Milliseconds from the call to its answer, of each served call. */
  readonly latencies: number[];
  refused: number;
}

/** A request, or what makes the next one. */
type Request = Buffer | (() => Buffer);

/** Sends one request again and again for a time. */
export type Driver = (connections: Connections, request: Request, seen: Seen) => Promise<void>;

/** So many calls at a time. A call that is refused waits as long as its answer says before the next one. */
export const closedLoop =
  (lanes: number, seconds: number): Driver =>
  async (connections, request, seen) => {
    const until = performance.now() + seconds * 1000;
    const lane = async () => {
      while (performance.now() < until) {
        const retryAfter = await call(connections, request, seen, performance.now());
        await pause(Math.min(retryAfter * 1000, Math.max(0, until - performance.now())));
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };

/** So many calls a second at random times (a Poisson process). */
export const openLoop =
  (perSecond: number, seconds: number): Driver =>
  async (connections, request, seen) => {
    const until = performance.now() + seconds * 1000;
    const calls: Promise<unknown>[] = [];
    for (let next = performance.now(); next < until; next += arrival(perSecond)) {
      const early = next - performance.now();
      if (early > 0) await pause(early);
      calls.push(call(connections, request, seen, next));
    }
    await Promise.all(calls);
  };

function arrival(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}

/** @param since when the call was due, milliseconds @returns seconds to wait; 0: it was served */
async function call(connections: Connections, request: Request, seen: Seen, since: number): Promise<number> {
  const { status, retryAfter } = await connections.send(typeof request === 'function' ? request() : request);
  if (status === 200) seen.latencies.push(performance.now() - since);
  else if (status === 503) seen.refused += 1;
  else throw new Error(`a call was answered ${status}`);
  return status === 200 ? 0 : retryAfter;
}
