import type { Readable } from 'node:stream';
import type { BodyReader } from './ports.ts';

/** Bytes of bodies in flight: of all callers and of each. */
export class BodyBudget {
  readonly #total: number;
  readonly #share: number;
  readonly #owners = new Map<string, number>();
  #used = 0;

  /** @param total bytes that all callers may have in flight @param share bytes of one caller */
  constructor(total: number, share: number) {
    this.#total = total;
    this.#share = share;
  }

  /**
   * Takes bytes for a caller.
   * @returns which of the two has too few left, in which case nothing is taken; null: they are taken
   */
  take(owner: string, bytes: number): 'share' | 'total' | null {
    const own = (this.#owners.get(owner) ?? 0) + bytes;
    if (own > this.#share) return 'share';
    if (this.#used + bytes > this.#total) return 'total';
    this.#owners.set(owner, own);
    this.#used += bytes;
    return null;
  }

  giveBack(owner: string, bytes: number): void {
    const own = (this.#owners.get(owner) ?? 0) - bytes;
    if (own > 0) this.#owners.set(owner, own);
    else this.#owners.delete(owner);
    this.#used -= bytes;
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
  /** Called before memory is used, with the bytes that are needed in addition. @throws when they are refused */
  reserve(bytes: number): void;
  tooLarge(): Error;
  tooSlow(bytes: number, seconds: number): Error;
}

/**
 * Least mean rate at which a body is sent and an answer is read, bytes a second: below it a caller holds memory and a
 * connection for longer than a slow mobile network explains.
 */
export const leastRate = 8 * 1024;

/** Memory is reserved for a body of unknown length in steps of this many bytes. */
const step = 2 ** 20;

/** Time in which a body may arrive at any rate, and between checks of its rate, milliseconds. */
const [graceMs, checkMs] = [10_000, 1000];

/**
 * Receives a body and hands it to a reader while it arrives. What is left of a body that fails is dropped as it comes,
 * and its connection is cut when that is too slow.
 * @throws what the reader, `reserve` and `tooLarge` throw, and what `tooSlow` returns; errors of the stream
 */
export function receiveBody<Body>(
  stream: Readable,
  { announced, most, leastRate, reserve, ...faults }: Reception,
  reader: BodyReader<Body>,
): Promise<Body> {
  if (announced !== undefined && announced > most) throw faults.tooLarge();
  let reserved = announced ?? Math.min(step, most);
  reserve(reserved);
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
        if (received > most) throw faults.tooLarge();
        if (received > reserved) {
          const more = Math.min(Math.max(step, received - reserved), most - reserved);
          reserve(more);
          reserved += more;
        }
        reader.write(chunk);
      });
    const checkRate = () => {
      const seconds = (performance.now() - since) / 1000;
      if (seconds <= graceMs / 1000 || received >= leastRate * seconds) return;
      fail(faults.tooSlow(received, Math.round(seconds)));
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
