import type { QueuedWork } from './fair-queue.ts';
import type { RefusalCause } from './problems.ts';

/** Receives what a scheduler does. It must not throw. */
export interface SchedulerObserver {
  /** Work begins, after a wait in milliseconds. */
  began(work: Pick<QueuedWork, 'priority' | 'clientId'>, waitedMs: number): void;
  /** Work of a client has occupied a worker, milliseconds. */
  ended(work: Pick<QueuedWork, 'clientId'>, ms: number): void;
  refused(cause: RefusalCause): void;
}
