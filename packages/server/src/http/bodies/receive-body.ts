import type { Readable } from 'node:stream';
import type { BodyReader } from './ports.ts';

/** What bytes of a body count against, with the most that each may hold, from the caller's own to that of all. */
export type Accounts = readonly (readonly [name: string, most: number])[];

/** Bytes of bodies in flight. */
export class BodyBudget {
  readonly #used = new Map<string, number>();

  /** The first account that has too few bytes left; undefined: all have enough. */
  lacking(accounts: Accounts, bytes: number): string | undefined {
    return accounts.find(([name, most]) => this.#usedBy(name) + bytes > most)?.[0];
  }

  /** @param bytes negative: they are given back */
  add(accounts: Accounts, bytes: number): void {
    for (const [name] of accounts) {
      const used = this.#usedBy(name) + bytes;
      if (used > 0) this.#used.set(name, used);
      else this.#used.delete(name);
    }
  }

  #usedBy(name: string): number {
    return this.#used.get(name) ?? 0;
  }
}

/** How a body is received. */
export interface Reception {
  /** Bytes that Content-Length announces; undefined: chunks. */
  readonly announced: number | undefined;
  /** Most bytes that are allowed. */
  readonly most: number;
  /** Least mean rate after a grace period, bytes a second; 0: any. A slow body holds memory and a connection. */
  readonly leastRate: number;
  /** Called with the bytes that are announced. @throws when there is no room for them: what is sent then is of no use */
  requireRoom(bytes: number): void;
  /** Called with bytes that have arrived: what is only announced takes nothing from others. @throws as `requireRoom` */
  take(bytes: number): void;
  tooLarge(): Error;
  tooSlow(bytes: number, seconds: number): Error;
}

/** Time in which a body may arrive at any rate, and between checks of its rate, milliseconds. */
const [graceMs, checkMs] = [10_000, 1000];

/**
 * Receives a body and hands it to a reader while it arrives. What is left of a body that fails is dropped as it comes,
 * and its connection is cut when that is too slow.
 * @throws what the reader, `requireRoom`, `take` and `tooLarge` throw, and what `tooSlow` returns; errors of the stream
 */
export function receiveBody<Body>(
  stream: Readable,
  { announced = 0, most, leastRate, ...reception }: Reception,
  reader: BodyReader<Body>,
): Promise<Body> {
  if (announced > most) throw reception.tooLarge();
  reception.requireRoom(announced);
  const since = performance.now();
  let received = 0;
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearInterval(timer);
      stream.off('data', take).off('end', end).off('error', fail).off('close', cut);
    };
    const fail = (error: unknown) => {
      stop();
      dropRest(stream, leastRate);
      reject(error);
    };
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        fail(error);
      }
    };
    const cut = () => fail(new Error('the connection was closed before the end of the body'));
    const end = () =>
      attempt(() => {
        stop();
        resolve(reader.end());
      });
    const take = (chunk: Buffer) =>
      attempt(() => {
        received += chunk.length;
        if (received > most) throw reception.tooLarge();
        reception.take(chunk.length);
        reader.write(chunk);
      });
    const checkRate = () => {
      const seconds = (performance.now() - since) / 1000;
      if (seconds <= graceMs / 1000 || received >= leastRate * seconds) return;
      fail(reception.tooSlow(received, Math.round(seconds)));
    };
    const timer = leastRate > 0 ? setInterval(checkRate, checkMs).unref() : undefined;
    stream.on('data', take).once('end', end).once('error', fail).once('close', cut);
  });
}

/** Reads and drops: a client may not see the answer before it has sent everything. */
function dropRest(stream: Readable, leastRate: number): void {
  // Its connection is closed: there is no rest, and no further event would stop the timer.
  if (stream.destroyed) return;
  let received = 0;
  const cut = () => {
    if (received < leastRate * (graceMs / 1000)) stream.destroy();
    received = 0;
  };
  const timer = setInterval(cut, graceMs).unref();
  stream
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      received += chunk.length;
    })
    .once('close', () => clearInterval(timer));
}
