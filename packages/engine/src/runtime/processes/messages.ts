import { deserialize, serialize } from 'node:v8';
import type { EngineErrorCode } from '../../errors.ts';
import type { PreparedPack } from '../../packs/builtin.ts';
import type { AnalyzeRequest, Box, ImageLimits } from '../../types.ts';

/** File descriptor of a worker's end of the socket pair. */
export const CHANNEL = 3;

/** Bytes before a message: length of its value and length of its bytes, 32 bits each, little endian. */
export const HEADER = 8;

/** Largest answer of a worker, bytes; about 100 faces with every attribute. */
const LARGEST_ANSWER = 64 << 20;

const none = new Uint8Array();

/** Header and value (as structured clone) of a message; its bytes are sent after them, uncopied. */
export function encodeMessage(value: unknown, bytes: Uint8Array = none): Buffer {
  const body = serialize(value);
  const message = Buffer.alloc(HEADER + body.length);
  message.writeUInt32LE(body.length, 0);
  message.writeUInt32LE(bytes.length, 4);
  message.set(body, HEADER);
  return message;
}

/** Value of a message. @throws Error when it is damaged */
export function decodeValue(body: Uint8Array): unknown {
  return deserialize(body);
}

/** Reads the values of messages without bytes from the chunks of a stream. */
export class ValueReader {
  #chunks: Buffer[] = [];
  #available = 0;
  #needed = HEADER;

  /** Values that the chunk completes. @throws Error when a message is damaged or too large */
  *add(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk);
    this.#available += chunk.length;
    while (this.#available >= this.#needed) {
      const all = Buffer.concat(this.#chunks);
      this.#chunks = [all];
      const end = HEADER + all.readUInt32LE(0);
      if (end > LARGEST_ANSWER) throw new Error(`a message of ${end} bytes`);
      this.#needed = end;
      if (all.length < end) return;
      this.#chunks = [all.subarray(end)];
      this.#available -= end;
      this.#needed = HEADER;
      yield decodeValue(all.subarray(HEADER, end));
    }
  }
}

/** What a worker needs to start. */
export interface WorkerSettings {
  readonly pack: PreparedPack;
  readonly limits: ImageLimits;
}

/**
 * What a worker is asked for: `open` comes first; `analyze` is followed by the bytes of a picture, `thumbnail` by those of a
 * crop, whose face has that box; `ping` does nothing.
 */
export type Task =
  | { readonly open: WorkerSettings }
  | { readonly analyze: AnalyzeRequest /** Milliseconds since the epoch. */; readonly deadline: number }
  | { readonly thumbnail: Box; readonly deadline: number }
  | { readonly ping: true };

/** Answer to a task. */
export type Answer = Outcome & {
  /** Resident memory of the worker, bytes. */
  readonly residentBytes: number;
};

/** Errors lose their class between processes, so engine errors are sent as data; `failed` is the stack of another one. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly refused: { readonly code: EngineErrorCode; readonly message: string } }
  | { readonly failed: string };
