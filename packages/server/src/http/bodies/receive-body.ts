import type { Readable } from 'node:stream';
import { allocateBody, type BodyMemory } from './body-memory.ts';
import type { Arriving, Pace } from './pace.ts';

/** How a body is received. */
export interface Reception {
  /** Bytes that Content-Length announces; undefined: chunks. */
  readonly announced: number | undefined;
  /** Most bytes that are allowed. */
  readonly most: number;
  readonly pace: Pace;
  /** Called before memory is used, with the bytes that are needed in addition. @throws when they are refused */
  reserve(bytes: number): void;
  tooLarge(): Error;
  tooSlow(bytes: number, seconds: number): Error;
}

/** Memory is reserved for a body of unknown length in steps of this many bytes. */
const step = 2 ** 20;

/**
 * Receives a whole body into memory that the caller releases. A body that fails is no longer read, and its memory is
 * released.
 * @throws what `reserve`, `tooLarge` and `tooSlow` throw or return; errors of the stream
 */
export function receiveBody(stream: Readable, reception: Reception): Promise<BodyMemory> {
  const { announced, most, pace, reserve } = reception;
  if (announced !== undefined && announced > most) throw reception.tooLarge();
  let reserved = announced ?? Math.min(step, most);
  reserve(reserved);
  const memory = allocateBody(announced ?? most);
  return new Promise((resolve, reject) => {
    const arriving: Arriving = {
      since: performance.now(),
      received: 0,
      tooSlow: (bytes, seconds) => fail(reception.tooSlow(bytes, seconds)),
    };
    const stop = () => {
      pace.delete(arriving);
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
        arriving.received += chunk.length;
        if (arriving.received > most) throw reception.tooLarge();
        if (arriving.received > reserved) {
          const more = Math.min(Math.max(step, arriving.received - reserved), most - reserved);
          reserve(more);
          reserved += more;
        }
        memory.write(chunk);
      } catch (error) {
        fail(error);
      }
    };
    pace.add(arriving);
    stream.on('data', take).once('end', end).once('error', fail).once('close', cut);
  });
}
