import { type TransferListItem, Worker } from 'node:worker_threads';

/** After it a worker that was asked to close is terminated. */
const shutdownTimeoutMs = 2000;

/**
 * The file of a worker in this package: Node 20 cannot run TypeScript in a thread, so tests use the built one.
 * @param path in `matching`, without extension
 */
function workerFile(path: string): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(`${isSource ? '../../dist/matching' : '.'}/${path}.js`, import.meta.url);
}

interface ThreadOptions<Message> {
  readonly data: unknown;
  readonly transfer?: readonly TransferListItem[];
  onMessage(message: Message): void;
  /** Called once, when the thread has ended and writes to no memory. @param reason why, where it is known */
  onExit(reason: unknown): void;
}

/** A worker thread that keeps the process alive only while it is busy. */
export class WorkerThread<Command, Message> {
  readonly #worker: Worker;
  #reason: unknown;

  /** @param path as of `workerFile` */
  constructor(path: string, { data, transfer = [], onMessage, onExit }: ThreadOptions<Message>) {
    this.#worker = new Worker(workerFile(path), { workerData: data, transferList: [...transfer] });
    this.#worker.on('message', onMessage);
    this.#worker.on('error', (error) => {
      this.#reason = error;
    });
    this.#worker.on('exit', () => onExit(this.#reason));
  }

  send(command: Command): void {
    this.#worker.postMessage(command);
  }

  setBusy(busy: boolean): void {
    if (busy) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Ends the thread at once. @param reason for `onExit` */
  async terminate(reason?: unknown): Promise<void> {
    this.#reason ??= reason;
    await this.#worker.terminate();
  }

  /** Asks the worker to close what it has opened, by a message. Resolves when it has ended. */
  async close(): Promise<void> {
    const ended = new Promise<void>((go) => this.#worker.once('exit', () => go()));
    this.#worker.ref();
    this.#worker.postMessage({ close: true });
    const force = setTimeout(() => void this.#worker.terminate(), shutdownTimeoutMs);
    await ended;
    clearTimeout(force);
  }
}
