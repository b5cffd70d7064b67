import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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

  get used(): number {
    return this.#used;
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

/** `ArrayBuffer` with the options of ECMAScript 2024, which Node 20 has and the types of ES2023 lack. */
const Resizable = ArrayBuffer as unknown as new (
  bytes: number,
  options: { maxByteLength: number },
) => ArrayBuffer & { resize(bytes: number): void };

/** Smaller bodies are left to the garbage collector. */
const largeFrom = 256 * 1024;

/** Memory that grows with a body and is given back to the system at once. */
export interface BodyMemory {
  /** What was written; empty after `release`. */
  readonly bytes: Buffer;
  write(chunk: Uint8Array): void;
  release(): void;
}

/**
 * Memory for one body.
 *
 * A large one is a mapping of its own: what malloc gets back stays with the process once bodies of several megabytes have
 * raised its threshold for mappings, and a buffer waits for the garbage collector (measured: 1.3 GB after 40 bodies of
 * 31 MiB, 0.1 GB so). Pages that were not written take no memory.
 * @param most bytes that are written at most
 */
export function allocateBody(most: number): BodyMemory {
  const memory = most < largeFrom ? null : new Resizable(0, { maxByteLength: most });
  let room = memory ? Buffer.alloc(0) : Buffer.allocUnsafe(most);
  let written = 0;
  return {
    get bytes() {
      return room.subarray(0, written);
    },
    write(chunk) {
      if (memory && written + chunk.length > memory.byteLength) {
        memory.resize(Math.min(most, Math.max(written + chunk.length, 2 * memory.byteLength, largeFrom)));
        room = Buffer.from(memory, 0, memory.byteLength);
      }
      room.set(chunk, written);
      written += chunk.length;
    },
    release() {
      memory?.resize(0);
      room = Buffer.alloc(0);
      written = 0;
    },
  };
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

/** Memory is reserved for a body of unknown length in steps of this many bytes. */
const step = 2 ** 20;

/** Time in which a body may arrive at any rate, and between checks of its rate, milliseconds. */
const [graceMs, checkMs] = [10_000, 1000];

/**
 * Receives a whole body into memory that the caller releases. A body that fails is no longer read, and its memory is
 * released.
 * @throws what `reserve`, `tooLarge` and `tooSlow` throw or return; errors of the stream
 */
export function receiveBody(stream: Readable, reception: Reception): Promise<BodyMemory> {
  const { announced, most, leastRate, reserve } = reception;
  if (announced !== undefined && announced > most) throw reception.tooLarge();
  let reserved = announced ?? Math.min(step, most);
  reserve(reserved);
  const memory = allocateBody(announced ?? most);
  const since = performance.now();
  let received = 0;
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearInterval(timer);
      stream.off('data', take).off('end', end).off('error', fail).off('close', cut);
    };
    const fail = (error: unknown) => {
      stop();
      // The rest is read and dropped: the client may not see the answer before it has sent everything.
      stream.on('error', () => {}).resume();
      memory.release();
      reject(error);
    };
    const cut = () => fail(new Error('the connection was closed before the end of the body'));
    const end = () => {
      stop();
      resolve(memory);
    };
    const take = (chunk: Buffer) => {
      try {
        received += chunk.length;
        if (received > most) throw reception.tooLarge();
        if (received > reserved) {
          const more = Math.min(Math.max(step, received - reserved), most - reserved);
          reserve(more);
          reserved += more;
        }
        memory.write(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const checkRate = () => {
      const seconds = (performance.now() - since) / 1000;
      if (seconds <= graceMs / 1000 || received >= leastRate * seconds) return;
      fail(reception.tooSlow(received, Math.round(seconds)));
    };
    const timer = leastRate > 0 ? setInterval(checkRate, checkMs).unref() : undefined;
    stream.on('data', take).once('end', end).once('error', fail).once('close', cut);
  });
}

/** Bytes of bodies in flight after which memory is worth a collection. */
const worth = 64 * 2 ** 20;

/** Time without bodies before it, milliseconds. */
const quiet = 3000;

/**
 * Collects the texts of large bodies once no body is in flight: V8 collects when memory is needed, and an idle server
 * would keep hundreds of megabytes.
 * @param used bytes of bodies in flight
 * @returns what is called before and after bytes are given back
 */
export function memoryReturner(used: () => number, collect: () => void = collectGarbage) {
  let most = 0;
  let timer: NodeJS.Timeout | undefined;
  const giveBack = () => {
    timer = undefined;
    if (used() > 0 || most < worth) return;
    most = 0;
    collect();
  };
  return {
    beforeGivingBack(): void {
      most = Math.max(most, used());
    },
    afterGivingBack(): void {
      if (most < worth || used() > 0) return;
      clearTimeout(timer);
      timer = setTimeout(giveBack, quiet).unref();
    },
  };
}

/** Node has no other way to a collection than this flag. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
