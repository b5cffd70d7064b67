import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Allocator, MemorySegment } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel/kernel.ts';
import type { Allocation, AllocationRequest } from './messages.ts';

/** Timeout of a memory request: the main thread's event loop is never blocked for so long. */
const timeoutMs = 30_000;

/** Allocates memory of the main thread from a worker. */
export class RemoteAllocator {
  readonly #port: MessagePort;
  readonly #answered: Int32Array;
  readonly #memories: WasmMemory[] = [];

  constructor(port: MessagePort, answered: SharedArrayBuffer) {
    this.#port = port;
    this.#answered = new Int32Array(answered);
  }

  /** @param job that owns the memory until it is done */
  allocatorOf(job: number): Allocator {
    return { memories: this.#memories, allocate: (wanted) => this.#allocate({ job, wanted }) };
  }

  /** Blocks this thread. @throws Error when there is no memory or no answer */
  #allocate(request: AllocationRequest): MemorySegment[] {
    Atomics.store(this.#answered, 0, 0);
    this.#port.postMessage(request);
    if (Atomics.wait(this.#answered, 0, 0, timeoutMs) === 'timed-out')
      throw new Error('the main thread did not answer a memory request');
    const allocation = receiveMessageOnPort(this.#port)?.message as Allocation | undefined;
    if (!allocation) throw new Error('the answer to a memory request was lost');
    if ('refused' in allocation) throw new RangeError(allocation.refused);
    this.#memories.push(...allocation.memories);
    for (const piece of allocation.pieces) this.#requireVisible(piece);
    return allocation.pieces;
  }

  /** The growth of a shared memory can become visible here with a delay. */
  #requireVisible({ arena, address, bytes }: MemorySegment): void {
    const memory = this.#memories[arena];
    for (let tries = 0; tries < 1000; tries++) {
      if (memory && memory.buffer.byteLength >= address + bytes) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
    throw new Error('allocated memory is not visible');
  }
}
