import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Allocator, MemorySegment } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel/web-assembly.ts';
import type { Allocation, AllocationRequest } from './messages.ts';

/** The main thread answers between two turns of its event loop; so long it is never busy. Milliseconds. */
const timeoutMs = 30_000;

/** Memory of the main thread, lent to this one. */
export class RemoteAllocator {
  readonly #lender: MessagePort;
  readonly #answered: Int32Array;
  readonly #memories: WasmMemory[] = [];

  constructor(lender: MessagePort, answered: SharedArrayBuffer) {
    this.#lender = lender;
    this.#answered = new Int32Array(answered);
  }

  /** @param job for which it is lent */
  allocatorOf(job: number): Allocator {
    return { memories: this.#memories, allocate: (wanted) => this.#borrow({ job, wanted }) };
  }

  /** This thread has nothing else to do meanwhile. @throws Error when there is no memory or no answer */
  #borrow(request: AllocationRequest): MemorySegment[] {
    Atomics.store(this.#answered, 0, 0);
    this.#lender.postMessage(request);
    if (Atomics.wait(this.#answered, 0, 0, timeoutMs) === 'timed-out') throw new Error('nobody lends memory');
    const loan = receiveMessageOnPort(this.#lender)?.message as Allocation | undefined;
    if (!loan) throw new Error('an answer was lost');
    if ('refused' in loan) throw new RangeError(loan.refused);
    this.#memories.push(...loan.memories);
    for (const piece of loan.pieces) this.#requireSeen(piece);
    return loan.pieces;
  }

  /** That a memory has grown is known here a moment later, should it come to that. */
  #requireSeen({ arena, address, bytes }: MemorySegment): void {
    const memory = this.#memories[arena];
    for (let tries = 0; tries < 1000; tries++) {
      if (memory && memory.buffer.byteLength >= address + bytes) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
    throw new Error('memory that was lent is not seen');
  }
}
