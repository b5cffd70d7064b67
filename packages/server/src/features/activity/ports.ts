import type { RequestOf } from '@wajah/contract';
import type { EventSubscriber, RecordedCall } from '../../events/ports.ts';
import type { Caller } from '../../services/caller.ts';
import type { Quota } from '../../store/ports/clients.ts';

/** Number of calls of a day with equal properties. No personal data. */
export interface CallCount {
  readonly clientId: string;
  /** Its beginning, UTC, milliseconds since 1970. */
  readonly day: number;
  readonly route: string;
  readonly status: string;
  readonly count: number;
}

/** A call that was refused, or whose face was rejected. */
export interface RefusedCall extends Omit<RecordedCall, 'refused'>, NonNullable<RecordedCall['refused']> {}

/** Which refused calls to list: those that meet every condition. */
export interface RefusedQuery {
  readonly limit: number;
  /** Id, exclusive. */
  readonly before?: number | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly status?: string | undefined;
  readonly route?: string | undefined;
  readonly userId?: string | undefined;
  readonly galleryId?: string | undefined;
  /** Only calls whose status is, or is not, one of these. */
  readonly among?: { readonly statuses: readonly string[]; readonly isOne: boolean } | undefined;
}

/** A stored refused call. */
export interface StoredRefusedCall {
  /** Grows with each record, with gaps. */
  readonly id: number;
  readonly call: RefusedCall;
}

/** Counts of days from `from` on, exclusive `to`. */
export interface CountedDays {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Counts of calls by day, and the latest refused calls. Erased when their client is deleted or unregistered;
 * refused calls also with their gallery or user.
 */
export interface ActivityStore {
  /**
   * Adds to the counts and stores refused calls, of each client the latest `maxRefusedCalls`. Skips clients that do
   * not exist, and calls from before the registration of their client.
   */
  add(counts: readonly CallCount[], refused: readonly RefusedCall[]): Promise<void>;
  /** In the order of days. @param route only calls of this one */
  countsByDay(
    clientId: string,
    days: CountedDays,
    route?: string | undefined,
  ): Promise<Pick<CallCount, 'day' | 'status' | 'count'>[]>;
  countsByRoute(
    clientId: string,
    days: CountedDays,
  ): Promise<Pick<CallCount, 'route' | 'status' | 'count'>[]>;
  /** Deletes refused calls before a time, and the counts of days that ended before it. */
  prune(before: Date): Promise<void>;
  /** Newest first. */
  refusedCalls(clientId: string, query: RefusedQuery): Promise<StoredRefusedCall[]>;
  /** Erases the refused calls that name a user, in any gallery or none. @returns how many */
  eraseRefusedOf(clientId: string, userId: string): Promise<number>;
}

/** Sums of a group of calls. */
export interface CallSum {
  readonly calls: number;
  readonly errors: number;
}

/** The calls of a client in a period. */
export interface Activity extends CountedDays {
  /** By day, such as 2026-01-31; those with calls, in order. */
  readonly days: ReadonlyMap<string, CallSum>;
  readonly routes: ReadonlyMap<string, CallSum>;
  readonly statuses: ReadonlyMap<string, number>;
  /** What remains of the quotas. */
  readonly left: Quota;
  readonly limits: Quota;
}

/** The calls of a client: how many, and with which outcome. */
export interface ActivityService {
  /** By days, statuses and endpoints. */
  read(caller: Caller, request: RequestOf<'getActivity'>): Promise<Activity>;
  /** Refused calls, the newest first. */
  refusals(
    caller: Caller,
    request: RequestOf<'listRefusals'>,
  ): Promise<{ refusals: RefusedCall[]; nextBefore: number | null }>;
}

/** Counts calls, and writes them at intervals. */
export interface ActivityRecorder extends Required<Pick<EventSubscriber, 'count' | 'forget'>> {
  /** Resolves when all records so far are written or dropped. */
  settled(): Promise<void>;
}
