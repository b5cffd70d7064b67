import { type Engine, EngineError } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import { type Clock, systemClock } from './clock.ts';
import { CostModel } from './cost-model.ts';
import { FairQueue, type Priority, type QueuedWork } from './fair-queue.ts';
import { OfferedLoad } from './offered-load.ts';

export interface SchedulerOptions {
  /** Pieces of work that run at a time. */
  workers(): number;
  /** Largest number of waiting pieces of work: of all clients, and of one. */
  readonly queue: number;
  readonly clientQueue: number;
  /** Within this time a piece of work must be done, its waiting included, milliseconds. */
  readonly deadlineMs: number;
  readonly clock?: Clock;
}

/** In an overload, work that has waited this many mean durations gives way to newer work. */
const lateAfter = 1.5;

/** Largest Retry-After, seconds. */
const maxRetryAfter = 60;

const enrolments: readonly string[] = ['enrolFace', 'enrolFaceKtp'];

/** Work that waits or runs. */
interface Ticket extends QueuedWork {
  readonly kind: string;
  /** A further piece of a call that has begun. */
  readonly continues: boolean;
  /** When it came, then when it began; milliseconds of the clock. */
  since: number;
  start(): void;
  refuse(refusal: Refusal): void;
}

/** A scheduler of the pictures that an engine analyses. */
export function createScheduler(engine: Pick<Engine, 'load'>, config: Config['engine']): Scheduler {
  return new Scheduler({ ...config, workers: () => engine.load().alive });
}

/**
 * Decides whose work runs next, and which is refused because it could not be done in time.
 *
 * @example
 * const scheduler = new Scheduler({ workers: () => 2, queue: 64, clientQueue: 32, deadlineMs: 10_000 });
 * const analysis = await scheduler.run(caller, () => engine.analyze(picture, request));
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #clock: Clock;
  readonly #queue = new FairQueue<Ticket>();
  readonly #running = new Set<Ticket>();
  readonly #costs = new CostModel();
  readonly #offered = new OfferedLoad();
  /** Calls of which a piece of work was admitted. */
  readonly #begun = new WeakSet<Caller>();

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Numbers of running and waiting pieces of work. */
  load(): { readonly running: number; readonly queued: number } {
    return { running: this.#running.size, queued: this.#queue.size };
  }

  /**
   * Runs work when its client's turn comes. Further work of the same call goes before the client's other calls and is
   * refused only when it cannot begin in time.
   * @throws Refusal `busy` with `retry_after`; EngineError `aborted` when the caller disconnects first: work that has
   *   begun completes, and is charged
   */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const ticket = await this.#turn(caller);
    return unlessAborted(this.#perform(ticket, work), caller.signal);
  }

  async #turn(caller: Caller): Promise<Ticket> {
    if (caller.signal.aborted) throw aborted();
    const { clientId, operation = 'other' } = caller;
    const priority: Priority = enrolments.includes(operation) ? 'enrolment' : 'recognition';
    const kind = `${operation} of ${clientId}`;
    const continues = this.#begun.has(caller);
    const work = { clientId, priority, kind, continues, cost: this.#costs.expected(kind) };
    const ticket: Ticket = { ...work, since: this.#clock.now(), start: () => {}, refuse: () => {} };
    if (!continues) this.#admit(ticket);
    this.#begun.add(caller);
    await this.#wait(ticket, caller.signal);
    return ticket;
  }

  #wait(ticket: Ticket, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const latest = Math.max(0, this.#options.deadlineMs - this.#costs.cautious(ticket.kind));
      const forget = this.#clock.after(latest, () => this.#drop(ticket, 'could not begin in time'));
      const leave = () => {
        if (this.#queue.remove(ticket)) settled(() => reject(aborted()));
      };
      const settled = (settle: () => void) => {
        forget();
        signal.removeEventListener('abort', leave);
        settle();
      };
      signal.addEventListener('abort', leave, { once: true });
      ticket.start = () => settled(resolve);
      ticket.refuse = (refusal) => settled(() => reject(refusal));
      this.#queue.push(ticket, ticket.continues);
      this.#dispatch();
    });
  }

  async #perform<T>(ticket: Ticket, work: () => Promise<T>): Promise<T> {
    const began = this.#clock.now();
    try {
      const result = await work();
      this.#costs.add(ticket.kind, this.#clock.now() - began);
      return result;
    } catch (error) {
      // Other failures, such as broken pictures, are faster than the work that they replace.
      const late = error instanceof EngineError && error.code === 'deadline';
      if (late) this.#costs.add(ticket.kind, this.#clock.now() - began);
      throw error;
    } finally {
      this.#running.delete(ticket);
      this.#queue.settle(ticket, this.#clock.now() - began);
      this.#dispatch();
    }
  }

  #dispatch(): void {
    while (this.#running.size < this.#workers) {
      const ticket = this.#queue.shift();
      if (!ticket) return;
      ticket.since = this.#clock.now();
      this.#running.add(ticket);
      ticket.start();
    }
  }

  /** @throws Refusal `busy` */
  #admit(ticket: Ticket): void {
    const { queue, clientQueue, deadlineMs } = this.#options;
    const { clientId, since: now } = ticket;
    const capacity = { workers: this.#workers, cost: this.#costs.average };
    this.#offered.add(now, ticket.cost, capacity);
    // What begins at once is tried even when the measured durations say that it takes too long: they may have changed.
    if (this.#queue.size === 0 && this.#running.size < this.#workers) return;
    if (this.#offered.isOverload(now, capacity)) this.#dropLate(ticket);
    if (this.#queue.sizeOf(clientId) >= clientQueue) {
      throw this.#busy(ticket, `found ${clientQueue} pictures of this client waiting, the most that may`);
    }
    if (this.#queue.size >= queue) this.#makeRoom(ticket);
    const wait = this.#expectedWait(ticket);
    if (wait + this.#costs.cautious(ticket.kind) > deadlineMs) {
      throw this.#busy(ticket, `this picture would not be done within ${deadlineMs} ms`);
    }
  }

  /** Milliseconds until new work begins. */
  #expectedWait({ clientId, priority }: Ticket): number {
    const now = this.#clock.now();
    const busyFor = [...this.#running].map(({ cost, since }) => Math.max(0, since + cost - now));
    while (busyFor.length < this.#workers) busyFor.push(0);
    return timeUntilFree(busyFor, this.#queue.costAhead(clientId, priority));
  }

  /**
   * Old work would be answered late, and all after it too. The only call of a client stays: its wait is that of others.
   * @param ticket of a new call
   */
  #dropLate(ticket: Ticket): void {
    const limit = lateAfter * this.#costs.average;
    if (this.#expectedWait(ticket) <= limit) return;
    const late = [...this.#queue].filter(
      (other) => !other.continues && ticket.since - other.since > limit && this.#callsOf(other.clientId) > 1,
    );
    for (const other of late) this.#drop(other, 'the server is overloaded, newer calls go first');
  }

  #callsOf(clientId: string): number {
    const running = [...this.#running].filter((ticket) => ticket.clientId === clientId).length;
    return running + this.#queue.sizeOf(clientId);
  }

  /** Refuses the newest call of the client with the most waiting work. @throws Refusal `busy` when that is the caller */
  #makeRoom(ticket: Ticket): void {
    const longest = [...this.#queue]
      .filter(({ continues }) => !continues)
      .reduce<Ticket | undefined>(
        (most, next) =>
          most && this.#queue.sizeOf(most.clientId) > this.#queue.sizeOf(next.clientId) ? most : next,
        undefined,
      );
    if (longest && this.#queue.sizeOf(longest.clientId) > this.#queue.sizeOf(ticket.clientId) + 1) {
      this.#drop(longest, 'the queue is full and most of it is of this client');
      return;
    }
    throw this.#busy(ticket, `found ${this.#queue.size} pictures waiting, the most that may`);
  }

  #drop(ticket: Ticket, reason: string): void {
    if (this.#queue.remove(ticket)) ticket.refuse(this.#busy(ticket, reason));
  }

  #busy(ticket: Ticket, reason: string): Refusal {
    const seconds = Math.ceil(this.#expectedWait(ticket) / 1000);
    const retryAfter = Math.min(maxRetryAfter, Math.max(1, seconds));
    const detail = `all workers are busy and ${reason}; nothing was written, try again in ${retryAfter} s`;
    return new Refusal('busy', detail, { retry_after: retryAfter });
  }

  get #workers(): number {
    return Math.max(1, this.#options.workers());
  }
}

/**
 * Time until a worker is free, milliseconds, when further work is given to the worker that is free first.
 * @param busyFor of each worker, milliseconds @param work milliseconds
 */
function timeUntilFree(busyFor: readonly number[], work: number): number {
  const sorted = [...busyFor].sort((a, b) => a - b);
  let filled = 0;
  for (const [index, time] of sorted.entries()) {
    const next = sorted[index + 1] ?? Number.POSITIVE_INFINITY;
    const room = (next - time) * (index + 1);
    if (filled + room >= work) return time + (work - filled) / (index + 1);
    filled += room;
  }
  return 0;
}

function aborted(): EngineError {
  return new EngineError('aborted', 'The call was aborted.');
}

/** The result of the work, or rejects when the signal aborts first; the work goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(aborted());
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
