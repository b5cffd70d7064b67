import type { Phrase } from '@wajah/contract/refusals';
import type { Caller } from '../caller.ts';

/** Recognition answers a person who waits; enrolment is often done in bulk. */
export type Priority = 'recognition' | 'enrolment';

/** Why work is refused, for metrics. */
export type RefusalCause = 'overload' | 'displaced' | 'deadline' | 'queue';

/** Receives what a scheduler does. It must not throw. */
export interface SchedulerObserver {
  /** Work begins, after a wait in milliseconds. */
  began(work: { readonly priority: Priority }, waitedMs: number): void;
  refused(cause: RefusalCause): void;
}

/** Decides whose work runs next, and which is refused because it could not be done in time. */
export interface Scheduler {
  /** Numbers of running and waiting pieces of work; the latter also of each client that has any, most first. */
  load(): { readonly running: number; readonly queued: number; readonly queues: readonly number[] };
  /**
   * Runs work when its client's turn comes. Further work of the same call goes before the client's other calls and is
   * refused only when it cannot begin before the deadline, which is one for all work of a call.
   * @param work receives the milliseconds until the deadline
   * @throws Refusal `busy` with `retry_after`; EngineError `aborted` when the caller disconnects first: work that has
   *   begun completes, and is charged
   */
  run<T>(caller: Caller, work: (remaining: number) => Promise<T>): Promise<T>;
  /**
   * Does work of a call that needs no worker, until the deadline of the call.
   * @param what for the caller: what was not done
   * @throws Refusal `busy` at the deadline; the reason of the caller's signal
   */
  untilDeadline<T>(caller: Caller, what: Phrase, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Refuses a call whose picture would be refused, before anything is spent on it: its body is not read. In an overload
   * it refuses as well what would wait for long, so that hardly a body is read in vain.
   * @throws Refusal `busy` with `retry_after`
   */
  requireRoom(caller: Pick<Caller, 'clientId' | 'operation'>): void;
}
