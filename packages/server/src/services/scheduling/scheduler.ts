import { type Phrase, phrase } from '@wajah/contract/refusals';
import { type Engine, EngineError } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { unlessAborted, untilDeadline } from '../../lib/deadline.ts';
import type { Caller } from '../caller.ts';
import { CostModel } from './cost-model.ts';
import { FairQueue, type QueuedWork } from './fair-queue.ts';
import { type Capacity, OfferedLoad } from './offered-load.ts';
import type { Priority, RefusalCause, Scheduler, SchedulerObserver } from './ports.ts';

/** Calls whose bodies are being received, by client. A call that never arrives is forgotten with its time. */
class Arriving {
  /** Times at which they came, ascending, milliseconds. */
  readonly #since = new Map<string, number[]>();

  add(clientId: string, now: number): void {
    const times = this.#since.get(clientId);
    if (times) times.push(now);
    else this.#since.set(clientId, [now]);
  }

  /** One of the client's calls has arrived, or is given up. */
  shift(clientId: string): void {
    const times = this.#since.get(clientId);
    times?.shift();
    if (times?.length === 0) this.#since.delete(clientId);
  }

  /** Calls that came at this time or later; earlier ones are forgotten. */
  countSince(clientId: string, earliest: number): number {
    const times = this.#since.get(clientId) ?? [];
    while ((times[0] ?? earliest) < earliest) this.shift(clientId);
    return times.length;
  }
}

/** Time, for measurements that run faster than it. */
export interface Clock {
  /** Milliseconds from any origin; never goes back. */
  now(): number;
  /** Calls `action` after so many milliseconds. @returns cancels it */
  after(milliseconds: number, action: () => void): () => void;
}

const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Why work is refused, and the cause that metrics count. */
const causes = {
  overloaded: 'overload',
  newerFirst: 'overload',
  displaced: 'displaced',
  notBegun: 'deadline',
  late: 'deadline',
  queueFull: 'queue',
} as const satisfies Readonly<Record<string, RefusalCause>>;

export interface SchedulerOptions {
  /** Pieces of work that run at a time. */
  workers(): number;
  /** Largest number of waiting pieces of work. */
  readonly queue: number;
  /** Within this time from its first piece of work, the work of a call must be done, waiting included, milliseconds. */
  readonly deadlineMs: number;
  readonly clock?: Clock;
  readonly observer?: SchedulerObserver | undefined;
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
  /** When its call ends, milliseconds of the clock. */
  readonly deadline: number;
  /** When it came, then when it began; milliseconds of the clock. */
  since: number;
  start(): void;
  refuse(refusal: Refusal): void;
}

/** A scheduler of the pictures that an engine analyses. */
export function createScheduler(
  engine: Pick<Engine, 'load'>,
  config: Config['engine'],
  observer?: SchedulerObserver,
): Scheduler {
  return new PictureScheduler({ ...config, workers: () => engine.load().alive, observer });
}

/**
 * Decides whose work runs next, and which is refused because it could not be done in time.
 *
 * @example
 * const scheduler = new PictureScheduler({ workers: () => 2, queue: 64, deadlineMs: 10_000 });
 * const analysis = await scheduler.run(caller, () => engine.analyze(picture, request));
 */
export class PictureScheduler implements Scheduler {
  readonly #options: SchedulerOptions;
  readonly #clock: Clock;
  readonly #queue = new FairQueue<Ticket>();
  readonly #running = new Set<Ticket>();
  readonly #costs = new CostModel();
  readonly #offered = new OfferedLoad();
  readonly #arriving = new Arriving();
  /** When calls end of which a piece of work was admitted, milliseconds of the clock. */
  readonly #deadlines = new WeakMap<Caller, number>();

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  load(): { readonly running: number; readonly queued: number; readonly queues: readonly number[] } {
    return { running: this.#running.size, queued: this.#queue.size, queues: this.#queue.sizes() };
  }

  async run<T>(caller: Caller, work: (remaining: number) => Promise<T>): Promise<T> {
    const ticket = await this.#turn(caller);
    return unlessAborted(this.#perform(ticket, work), caller.signal, aborted);
  }

  untilDeadline<T>(caller: Caller, what: Phrase, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const remaining = Math.max(0, (this.#deadlines.get(caller) ?? now + this.#options.deadlineMs) - now);
    const late = () => new Refusal('notDoneInTime', { work: what });
    return untilDeadline(caller.signal, remaining, late, work);
  }

  requireRoom(caller: Pick<Caller, 'clientId' | 'operation'>): void {
    const ticket = this.#ticketOf(caller);
    const { clientId, since: now } = ticket;
    const arriving = this.#arriving.countSince(clientId, now - this.#lateAfterMs);
    const late = this.#wouldBeLate(ticket, arriving) ? phrase('overloaded') : null;
    const problem = late ?? this.#problemOf(ticket, arriving);
    if (problem !== null) {
      this.#offered.offer(now, this.#capacity);
      throw this.#busy(ticket, problem);
    }
    this.#arriving.add(clientId, now);
  }

  async #turn(caller: Caller): Promise<Ticket> {
    if (caller.signal.aborted) throw aborted();
    const ticket = this.#ticketOf(caller, this.#deadlines.get(caller));
    if (!ticket.continues) {
      this.#arriving.shift(ticket.clientId);
      this.#admit(ticket);
    }
    this.#deadlines.set(caller, ticket.deadline);
    await this.#wait(ticket, caller.signal);
    return ticket;
  }

  #ticketOf(
    { clientId, operation = 'other' }: Pick<Caller, 'clientId' | 'operation'>,
    begun?: number,
  ): Ticket {
    const priority: Priority = enrolments.includes(operation) ? 'enrolment' : 'recognition';
    const kind = `${operation} of ${clientId}`;
    const work = { clientId, priority, kind, cost: this.#costs.expected(kind) };
    const since = this.#clock.now();
    const deadline = begun ?? since + this.#options.deadlineMs;
    return { ...work, continues: begun !== undefined, deadline, since, start: () => {}, refuse: () => {} };
  }

  #wait(ticket: Ticket, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const latest = Math.max(0, ticket.deadline - ticket.since - this.#costs.cautious(ticket.kind));
      const forget = this.#clock.after(latest, () => this.#drop(ticket, phrase('notBegun')));
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

  async #perform<T>(ticket: Ticket, work: (remaining: number) => Promise<T>): Promise<T> {
    const began = this.#clock.now();
    try {
      const result = await work(Math.max(0, ticket.deadline - began));
      this.#costs.add(ticket.kind, this.#clock.now() - began);
      return result;
    } catch (error) {
      // Other failures, such as broken pictures, are faster than the work that they replace.
      const late = error instanceof EngineError && error.code === 'deadline';
      if (late) this.#costs.add(ticket.kind, this.#clock.now() - began);
      throw error;
    } finally {
      const now = this.#clock.now();
      this.#running.delete(ticket);
      if (!ticket.continues) this.#offered.done(now, this.#capacity);
      this.#queue.settle(ticket, now - began);
      this.#dispatch();
    }
  }

  #dispatch(): void {
    while (this.#running.size < this.#workers) {
      this.#dropLate();
      const ticket = this.#queue.shift();
      if (!ticket) return;
      const now = this.#clock.now();
      this.#options.observer?.began(ticket, now - ticket.since);
      ticket.since = now;
      this.#running.add(ticket);
      ticket.start();
    }
  }

  /** @throws Refusal `busy` */
  #admit(ticket: Ticket): void {
    this.#offered.offer(ticket.since, this.#capacity);
    const problem = this.#problemOf(ticket);
    if (problem !== null) throw this.#busy(ticket, problem);
    const longest = this.#isFull ? this.#longestBefore(ticket) : undefined;
    if (longest) this.#drop(longest, phrase('displaced'));
  }

  /** Why work is refused; null: it is not. @param arriving calls of its client that passed and are being received */
  #problemOf(ticket: Ticket, arriving = 0): Phrase | null {
    const { deadlineMs } = this.#options;
    const { kind } = ticket;
    // What begins at once is tried even when the measured durations say that it takes too long: they may have changed.
    if (this.#queue.size === 0 && this.#running.size + arriving < this.#workers) return null;
    if (this.#isFull && !this.#longestBefore(ticket))
      return phrase('queueFull', { waiting: this.#queue.size });
    const late = this.#expectedWait(ticket) + this.#costs.cautious(kind) > deadlineMs;
    return late ? phrase('late', { milliseconds: deadlineMs }) : null;
  }

  /** Whether it would give way to newer work. The only call of a client does not: its wait is that of others. */
  #wouldBeLate(ticket: Ticket, arriving: number): boolean {
    const { clientId, cost } = ticket;
    if (!this.#isOverloaded || this.#callsOf(clientId) + arriving === 0) return false;
    return this.#expectedWait(ticket) + (arriving * cost) / this.#workers > this.#lateAfterMs;
  }

  get #capacity(): Capacity {
    return { workers: this.#workers, cost: this.#costs.average };
  }

  get #lateAfterMs(): number {
    return lateAfter * this.#costs.average;
  }

  get #isFull(): boolean {
    return this.#queue.size >= this.#options.queue;
  }

  get #isOverloaded(): boolean {
    return this.#offered.isOverload(this.#clock.now(), this.#capacity);
  }

  /** Milliseconds until new work begins. */
  #expectedWait({ clientId, priority }: Ticket): number {
    const now = this.#clock.now();
    const busyFor = [...this.#running].map(({ cost, since }) => Math.max(0, since + cost - now));
    while (busyFor.length < this.#workers) busyFor.push(0);
    return timeUntilFree(busyFor, this.#queue.costAhead(clientId, priority));
  }

  /**
   * In an overload, old work gives way to newer work: it would be answered late, and all after it too. The only call of
   * a client stays: its wait is that of others.
   */
  #dropLate(): void {
    const now = this.#clock.now();
    if (this.#queue.size < 2 || !this.#isOverloaded) return;
    const isLate = (ticket: Ticket) =>
      !ticket.continues && now - ticket.since > this.#lateAfterMs && this.#callsOf(ticket.clientId) > 1;
    const waiting = [...this.#queue];
    if (waiting.every(isLate)) return;
    for (const ticket of waiting.filter(isLate)) this.#drop(ticket, phrase('newerFirst'));
  }

  #callsOf(clientId: string): number {
    const running = [...this.#running].filter((ticket) => ticket.clientId === clientId).length;
    return running + this.#queue.sizeOf(clientId);
  }

  /** The newest waiting call of the client with the most of them, if those are more than the caller's. */
  #longestBefore(ticket: Ticket): Ticket | undefined {
    const longest = [...this.#queue]
      .filter(({ continues }) => !continues)
      .reduce<Ticket | undefined>(
        (most, next) =>
          most && this.#queue.sizeOf(most.clientId) > this.#queue.sizeOf(next.clientId) ? most : next,
        undefined,
      );
    const more = longest && this.#queue.sizeOf(longest.clientId) > this.#queue.sizeOf(ticket.clientId) + 1;
    return more ? longest : undefined;
  }

  #drop(ticket: Ticket, reason: Phrase): void {
    if (this.#queue.remove(ticket)) ticket.refuse(this.#busy(ticket, reason));
  }

  #busy(ticket: Ticket, problem: Phrase): Refusal {
    this.#options.observer?.refused(causes[problem.code as keyof typeof causes]);
    const backoff = this.#isOverloaded ? this.#offered.backoffMs(this.#capacity) : 0;
    const seconds = Math.ceil(Math.max(this.#expectedWait(ticket), backoff) / 1000);
    const retryAfter = Math.min(maxRetryAfter, Math.max(1, seconds));
    return new Refusal('workersBusy', { problem, seconds: retryAfter }, { retry_after: retryAfter });
  }

  get #workers(): number {
    return Math.max(1, this.#options.workers());
  }
}

function aborted(): EngineError {
  return new EngineError('aborted', 'The call was aborted.');
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
