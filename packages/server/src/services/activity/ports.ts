import type { ActivityRequest, AuditRequest, RefusalsRequest } from '@wajah/contract';
import type { EngineLoad } from '@wajah/engine';
import type { EventActivity } from '../../events/ports.ts';
import type { AuditRecord, Quota, RefusedCall, SeriesRange, StoreInfo } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';

/** Sums of a group of calls. */
export interface CallCount {
  calls: number;
  errors: number;
  /** Calls by latency, see `latencyBin`. */
  readonly latency: number[];
}

/** An installed model pack. */
export interface PackStatus {
  readonly id: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly inUse: boolean;
  readonly licence: string;
}

/** Parts of the status that the process provides. */
export interface StatusSources {
  readonly version: string;
  readonly startedAt: Date;
  packs(): Promise<readonly PackStatus[]>;
  /** Calls refused as busy since the start. */
  busy(): number;
}

/** The scores and the decision of a call, as the answer states them. */
export interface Observed {
  /** Null: no faces were compared. */
  readonly similarity: number | null;
  /** The highest of several faces; null: none was judged. */
  readonly spoofScore: number | null;
  /** Why the face was not accepted; null when it was, or when none was judged. */
  readonly denial: string | null;
}

/** A setting of this server. */
export interface ReportedSetting {
  readonly name: string;
  readonly group: string;
  /** Null: none, or the default of the model pack. */
  readonly value: string | number | boolean | null;
  readonly default: string | number | boolean | null;
  readonly unit?: string;
  /** Whether the value is not the default. */
  readonly changed: boolean;
}

/** The calls of a client in a period. */
export interface Activity {
  readonly range: SeriesRange;
  readonly to: Date;
  readonly series: readonly CallCount[];
  readonly routes: ReadonlyMap<string, CallCount>;
  readonly statuses: ReadonlyMap<string, number>;
  /** Newest first. */
  readonly refusals: readonly RefusedCall[];
  /** What remains of the quotas. */
  readonly left: Quota;
  readonly limits: Quota;
}

/** What a server is and does. */
export interface ServerStatus {
  readonly version: string;
  readonly startedAt: Date;
  readonly uptimeSeconds: number;
  readonly node: string;
  readonly engine: EngineLoad & { readonly queue: number; readonly busy: number };
  readonly packs: readonly PackStatus[];
  readonly embedder: string;
  readonly pad: { readonly pack: string; readonly notice: string | null; readonly install: string[] };
  readonly calibration: { readonly provisional: boolean; readonly notice: string | null };
  /** Bytes, and the number of galleries in memory. */
  readonly memory: {
    readonly rss: number;
    readonly heapUsed: number;
    readonly galleries: number;
    readonly matchBudget: number;
    readonly matchUsed: number;
  };
  readonly store: StoreInfo;
  /** The settings that change answers; no secrets. */
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  readonly configuration: ReportedSetting[];
  readonly clients: number;
}

/** The calls of a client: how many, with which outcome and how long they took. */
export interface ActivityService {
  /** @throws Refusal `malformed` when `from` is not before `to` */
  read(caller: Caller, request: ActivityRequest): Promise<Activity>;
  /** Refused calls, the newest first. */
  refusals(
    caller: Caller,
    request: RefusalsRequest,
  ): Promise<{ refusals: RefusedCall[]; nextBefore: number | null }>;
}

/** Counts calls and scores, and writes them at intervals. */
export interface ActivityRecorder extends EventActivity {
  /** Resolves when all records so far are written or dropped. */
  settled(): Promise<void>;
}

/** The status of the server, for operators. */
export interface StatusService {
  /** @throws Refusal `denied` when the caller is no operator */
  read(caller: Caller): Promise<ServerStatus>;
}

/** The audit trail of the server, for operators. */
export interface AuditService {
  /** Newest first. @throws Refusal `denied` when the caller is no operator */
  read(caller: Caller, request: AuditRequest): Promise<{ records: AuditRecord[]; nextBefore: number | null }>;
}
