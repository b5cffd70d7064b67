import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { FaceReaderOptions } from '../../store/options.ts';
import type { MemorySegment, SegmentRequest } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel/web-assembly.ts';
import type {
  Allocation,
  AllocationRequest,
  ReaderCommand,
  ReaderReport,
  ReaderWorkerData,
} from './messages.ts';

/** Node 20 cannot run TypeScript in a worker: from the sources, tests say, the built file is used. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/matching/reading/reading-worker.js'
    : './reading-worker.js',
  import.meta.url,
);

/** How long a thread may take to end by itself. Milliseconds. */
const shutdownTimeoutMs = 2000;

/** What a thread asks and says. */
interface ReadingEvents {
  /** @throws Error when nothing is lent */
  allocate(
    job: number,
    wanted: readonly SegmentRequest[],
  ): { pieces: MemorySegment[]; memories: readonly WasmMemory[] };
  onReport(report: ReaderReport): void;
  /** Called once, when it has ended by itself or by force. */
  onExit(reason: string): void;
}

/** The thread that reads galleries, and its line to the lender of memory. */
export class ReaderThread {
  readonly #worker: Worker;
  readonly #lender: MessagePort;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #events: ReadingEvents;
  /** Memories it knows. */
  #known = 0;
  #reason = 'it ended';

  constructor(address: FaceReaderOptions, events: ReadingEvents) {
    const { port1, port2 } = new MessageChannel();
    this.#lender = port1;
    this.#events = events;
    const answered = this.#answered.buffer as SharedArrayBuffer;
    const birth: ReaderWorkerData = { options: address, allocatorPort: port2, answered };
    this.#worker = new Worker(workerFile, { workerData: birth, transferList: [port2] });
    this.#worker.on('message', (report: ReaderReport) => events.onReport(report));
    this.#worker.on('error', (error) => {
      this.#reason = String(error);
    });
    this.#worker.on('exit', () => {
      port1.close();
      events.onExit(this.#reason);
    });
    port1.on('message', (request: AllocationRequest) => this.#lend(request));
  }

  send(order: ReaderCommand): void {
    this.#worker.postMessage(order);
  }

  /** @param busy whether the process must stay alive for it */
  setBusy(busy: boolean): void {
    for (const each of [this.#worker, this.#lender]) busy ? each.ref() : each.unref();
  }

  /** By force; it no longer writes anywhere when `lost` is called. */
  terminate(reason: string): void {
    this.#reason = reason;
    void this.#worker.terminate();
  }

  /** Resolves when it has ended. */
  async close(): Promise<void> {
    const ended = new Promise<void>((go) => this.#worker.once('exit', () => go()));
    this.setBusy(true);
    this.send({ close: true });
    const force = setTimeout(() => this.terminate('it did not close'), shutdownTimeoutMs);
    await ended;
    clearTimeout(force);
  }

  #lend({ job, wanted }: AllocationRequest): void {
    this.#lender.postMessage(this.#loan(job, wanted));
    Atomics.store(this.#answered, 0, 1);
    Atomics.notify(this.#answered, 0);
  }

  #loan(job: number, wanted: readonly SegmentRequest[]): Allocation {
    try {
      const { pieces, memories } = this.#events.allocate(job, wanted);
      const loan = { pieces, memories: memories.slice(this.#known) };
      this.#known = memories.length;
      return loan;
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }
}
