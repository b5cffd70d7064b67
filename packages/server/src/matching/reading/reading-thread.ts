import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { FaceReaderAddress } from '../../store/face-reader.ts';
import type { Piece, Wanted } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel/web-assembly.ts';
import type { Allocation, LoanRequest, ReaderWorkerData, ReadingOrder, ReadingReport } from './messages.ts';

/** Node 20 cannot run TypeScript in a worker: from the sources, tests say, the built file is used. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/matching/reading/reading-worker.js'
    : './reading-worker.js',
  import.meta.url,
);

/** How long a thread may take to end by itself. Milliseconds. */
const farewell = 2000;

/** What a thread asks and says. */
interface ReadingEvents {
  /** @throws Error when nothing is lent */
  lend(job: number, wanted: readonly Wanted[]): { pieces: Piece[]; memories: readonly WasmMemory[] };
  report(report: ReadingReport): void;
  /** Called once, when it has ended by itself or by force. */
  lost(reason: string): void;
}

/** The thread that reads galleries, and its line to the lender of memory. */
export class ReadingThread {
  readonly #worker: Worker;
  readonly #lender: MessagePort;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #events: ReadingEvents;
  /** Memories it knows. */
  #known = 0;
  #reason = 'it ended';

  constructor(address: FaceReaderAddress, events: ReadingEvents) {
    const { port1, port2 } = new MessageChannel();
    this.#lender = port1;
    this.#events = events;
    const answered = this.#answered.buffer as SharedArrayBuffer;
    const birth: ReaderWorkerData = { address, lender: port2, answered };
    this.#worker = new Worker(workerFile, { workerData: birth, transferList: [port2] });
    this.#worker.on('message', (report: ReadingReport) => events.report(report));
    this.#worker.on('error', (error) => {
      this.#reason = String(error);
    });
    this.#worker.on('exit', () => {
      port1.close();
      events.lost(this.#reason);
    });
    port1.on('message', (request: LoanRequest) => this.#lend(request));
  }

  tell(order: ReadingOrder): void {
    this.#worker.postMessage(order);
  }

  /** @param busy whether the process must stay alive for it */
  hold(busy: boolean): void {
    for (const each of [this.#worker, this.#lender]) busy ? each.ref() : each.unref();
  }

  /** By force; it no longer writes anywhere when `lost` is called. */
  end(reason: string): void {
    this.#reason = reason;
    void this.#worker.terminate();
  }

  /** Resolves when it has ended. */
  async close(): Promise<void> {
    const ended = new Promise<void>((go) => this.#worker.once('exit', () => go()));
    this.hold(true);
    this.tell({ close: true });
    const force = setTimeout(() => this.end('it did not close'), farewell);
    await ended;
    clearTimeout(force);
  }

  #lend({ job, wanted }: LoanRequest): void {
    this.#lender.postMessage(this.#loan(job, wanted));
    Atomics.store(this.#answered, 0, 1);
    Atomics.notify(this.#answered, 0);
  }

  #loan(job: number, wanted: readonly Wanted[]): Allocation {
    try {
      const { pieces, memories } = this.#events.lend(job, wanted);
      const loan = { pieces, memories: memories.slice(this.#known) };
      this.#known = memories.length;
      return loan;
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }
}
