import { readSync, writeSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import {
  type Answer,
  CHANNEL,
  decodeValue,
  encodeMessage,
  HEADER,
  type Outcome,
  type Task,
} from './messages.ts';

/**
 * Answers the tasks of the pool one after another until its end of the channel closes, then ends the process. Reads and
 * writes block: between tasks a worker has nothing else to do, and large reads into one buffer take a quarter of the time
 * that Node's channel for child processes takes.
 * @param work does a task; what it throws is sent as the answer
 */
export async function serveTasks(work: (task: Task, image: Uint8Array) => Promise<unknown>): Promise<never> {
  // A supervisor and a terminal signal the whole group; the server completes its calls and then ends its workers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  for (;;) {
    const header = read(HEADER);
    const task = decodeValue(read(header.readUInt32LE(0))) as Task;
    const image = read(header.readUInt32LE(4));
    const outcome = await outcomeOf(work, task, image);
    write(encodeMessage({ ...outcome, residentBytes: process.memoryUsage.rss() } satisfies Answer));
  }
}

async function outcomeOf(
  work: Parameters<typeof serveTasks>[0],
  task: Task,
  image: Uint8Array,
): Promise<Outcome> {
  try {
    return { result: await work(task, image) };
  } catch (error) {
    if (error instanceof EngineError) return { refused: { code: error.code, message: error.message } };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function read(length: number): Buffer {
  // Not of the shared pool of buffers: those of pictures are given back one by one.
  const buffer = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const count = readSync(CHANNEL, buffer, at, length - at, null);
    if (count === 0) process.exit();
    at += count;
  }
  return buffer;
}

function write(message: Uint8Array): void {
  for (let at = 0; at < message.length; ) at += writeSync(CHANNEL, message, at);
}
