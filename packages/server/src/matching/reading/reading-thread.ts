import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ReaderOptions } from '../../store/database/session.ts';
import { closeWorker } from '../close-worker.ts';
import type { MemorySegment, SegmentRequest } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel/kernel.ts';
import type {
  Allocation,
  AllocationRequest,
  ReaderCommand,
  ReaderReport,
  ReaderWorkerData,
} from './messages.ts';

/** Node 20 cannot run TypeScript in a worker: tests use the built file. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/matching/reading/reading-worker.js'
    : './reading-worker.js',
  import.meta.url,
);

interface ReadingEvents {
  /** @throws Error when the job was cancelled or there is no memory */
  allocate(
    job: number,
    wanted: readonly SegmentRequest[],
  ): { pieces: MemorySegment[]; memories: readonly WasmMemory[] };
  onReport(report: ReaderReport): void;
  /** Called once, when the thread has ended. */
  onExit(reason: string): void;
}

/** The worker that reads galleries. */
export class ReaderThread {
  readonly #worker: Worker;
  readonly #allocatorPort: MessagePort;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #events: ReadingEvents;
  /** Number of memories sent to it. */
  #known = 0;
  #reason = 'it ended';

  constructor(options: ReaderOptions, events: ReadingEvents) {
    const { port1, port2 } = new MessageChannel();
    this.#allocatorPort = port1;
    this.#events = events;
    const answered = this.#answered.buffer as SharedArrayBuffer;
    const data: ReaderWorkerData = { options, allocatorPort: port2, answered };
    this.#worker = new Worker(workerFile, { workerData: data, transferList: [port2] });
    this.#worker.on('message', (report: ReaderReport) => events.onReport(report));
    this.#worker.on('error', (error) => {
      this.#reason = String(error);
    });
    this.#worker.on('exit', () => {
      port1.close();
      events.onExit(this.#reason);
    });
    port1.on('message', (request: AllocationRequest) => this.#answer(request));
  }

  send(order: ReaderCommand): void {
    this.#worker.postMessage(order);
  }

  /** @param busy keeps the process alive */
  setBusy(busy: boolean): void {
    for (const each of [this.#worker, this.#allocatorPort]) busy ? each.ref() : each.unref();
  }

  /** Ends the thread at once. It does not write to memory after `onExit`. */
  terminate(reason: string): void {
    this.#reason = reason;
    void this.#worker.terminate();
  }

  /** Resolves when it has ended. */
  async close(): Promise<void> {
    this.#allocatorPort.ref();
    await closeWorker(this.#worker);
  }

  #answer({ job, wanted }: AllocationRequest): void {
    this.#allocatorPort.postMessage(this.#allocate(job, wanted));
    Atomics.store(this.#answered, 0, 1);
    Atomics.notify(this.#answered, 0);
  }

  #allocate(job: number, wanted: readonly SegmentRequest[]): Allocation {
    try {
      const { pieces, memories } = this.#events.allocate(job, wanted);
      const allocation = { pieces, memories: memories.slice(this.#known) };
      this.#known = memories.length;
      return allocation;
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }
}
