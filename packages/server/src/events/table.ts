import { type StatusName, statuses } from '@wajah/contract';
import { cutFraction } from '@wajah/contract/values';
import type { OutboxEvent, WebhookType } from '../store/ports.ts';
import type { EventMetrics } from './metrics.ts';
import type {
  Actor,
  CallFilter,
  EventActivity,
  EventOutbox,
  Facts,
  Receipt,
  RecordedCall,
  Subject,
  WebhookData,
} from './ports.ts';

/**
 * What an event makes. Absent cells are those of a business event: a line of its name and facts, a count in
 * `wajah_events_total`, a record that is written in the background.
 */
interface Row<F, D, Result> {
  /** Label of `wajah_events_total`; default: `done`. */
  readonly outcome?: (facts: F) => string;
  /** Its line, where it has another. */
  readonly line?: (facts: F, actor: Actor) => Line;
  /** What it counts, besides `wajah_events_total` or in its place. */
  readonly metric?: (metrics: EventMetrics, facts: F, detail: D) => void;
  /**
   * The audit record. `proven`: the event resolves with its receipt · `limited`: one of a flood is counted only, see
   * `createAuditTrail` · `none`: no record, and no count in `wajah_events_total`.
   */
  readonly audit?: 'proven' | 'limited' | 'none';
  /** What endpoints of the client are told; null: nothing. */
  readonly webhook?: (facts: F, detail: D) => readonly [type: WebhookType, data: WebhookData] | null;
  /** What statistics count. */
  readonly count?: (activity: EventActivity, facts: F, detail: D) => void;
  /** Never set: what `observe` returns. */
  readonly result?: Result;
}

type Line = readonly [level: 'info' | 'error', fields: object, message: string];

/** A row that nobody waits for. */
const row = <F, D = undefined>(cells: Row<F, D, void> = {}) => cells;

/** A row that endpoints of clients are told. */
const published = <F, D>(
  cells: Row<F, D, Promise<void>> & Required<Pick<Row<F, D, Promise<void>>, 'webhook'>>,
) => cells;

/** A row whose record is a proof. */
const proven = <F>(cells: Row<F, undefined, Promise<Receipt | null>> = {}) => ({
  ...cells,
  audit: 'proven' as const,
});

const yesNo = (holds: boolean) => (holds ? 'yes' : 'no');

/**
 * Every event of a server, with what it makes. Keys are names of the audit trail, of log lines and of the label `event`.
 * `found` is the number of faces in the picture, or in the one with the most faces; the largest face is used.
 */
export const eventTable = {
  server_started: row<{ version: string; pack: string; pad_pack: string }>(),
  client_registered: row<Facts>(),
  client_erased: proven<{ galleries: number }>(),
  gallery_created: row<Gallery>(),
  gallery_changed: row<Gallery & { what: string }>(),
  gallery_removed: proven<Gallery & { faces: number }>(),
  face_enrolled: row<EnrolledFacts>({ outcome: ({ way }) => way }),
  face_changed: row<Gallery & { what: string }>(),
  face_removed: proven<Gallery>(),
  /** Stored face crops were read. `crops`: how many thumbnails of them; absent: one crop. */
  crop_shown: row<Gallery & { crops?: number }>(),
  faces_detected: row<{ found: number }>(),
  images_compared: row<{ verified: boolean; found: number }>({ outcome: ({ verified }) => yesNo(verified) }),
  face_verified: published<VerifiedFacts, Subject & Scores & { similarity: number }>({
    outcome: ({ verified }) => yesNo(verified),
    webhook: ({ verified }, { similarity, threshold }) => [
      'face.verified',
      { verified, similarity: cutFraction(similarity), threshold },
    ],
    count: (activity, _, { gallery, similarity }) =>
      activity.compared({ at: new Date(), gallery, comparison: 'verify', similarity }),
  }),
  /** About the best candidate of the largest face, if there is one. */
  face_identified: published<IdentifiedFacts, Subject & BestScores>({
    outcome: ({ identified }) => yesNo(identified),
    webhook: ({ identified, candidates }, { similarity: best, threshold }) => {
      const similarity = best === undefined ? undefined : cutFraction(best);
      return ['face.identified', { identified, candidates, similarity, threshold }];
    },
    count(activity, _, { gallery, best }) {
      for (const similarity of best)
        activity.compared({ at: new Date(), gallery, comparison: 'identify', similarity });
    },
  }),
  /** People of a gallery were compared: `pairs` were found, above the similarity `threshold`. */
  duplicates_searched: row<
    Gallery & Cohort & { people: number; compared: number; pairs: number; threshold: number }
  >(),
  /** Two users were marked as different people, or the mark was taken back. */
  people_marked_different: row<Gallery & { different: boolean }>(),
  /** `again`: the open session of the subject was answered. */
  session_opened: row<{ steps: number; verification: boolean; again: boolean }>(),
  liveness_judged: published<LivenessFacts, JudgedDetail>({
    outcome: ({ passed }) => yesNo(passed),
    metric(metrics, { way }, { reasons }) {
      for (const reason of reasons) metrics.livenessFailures.inc({ way, reason });
    },
    webhook({ passed, way }, { reasons, sessionId: session_id, nonce }) {
      if (!passed) return ['liveness.failed', { way, reasons, session_id }];
      return session_id === undefined ? null : ['liveness.passed', { session_id, nonce }];
    },
  }),
  /** Consent or retention of a person. */
  person_changed: row<Gallery & { what: string }>(),
  person_suspended: row<Partial<Gallery> & { galleries: number }>(),
  person_resumed: row<Partial<Gallery> & { galleries: number }>(),
  person_exported: row<{ galleries: number; pictures: boolean }>(),
  person_erased: proven<ErasedFacts>(),
  /** The retention or the consent of a person has ended. */
  person_expired: proven<Gallery>(),
  token_created: row<{ token_id: string; scopes: string }>(),
  token_revoked: row<{ token_id: string }>(),
  /** `api_tokens`: kept or revoked. */
  password_changed: row<{ api_tokens: string }>(),
  /** `what`: created, updated, secret (replaced) or deleted. */
  webhook_changed: row<{ webhook_id: string; what: string }>(),
  /** A client has used so much of a quota. */
  quota_reached: published<QuotaFacts, undefined>({
    outcome: ({ percent }) => String(percent),
    webhook: (facts) => ['quota.reached', facts],
  }),
  /** An act of the operator by a command, or by a call of the client `by`. The actor is whom it concerns. */
  administered: proven<{ operation: string } & Facts>({ outcome: ({ operation }) => operation }),
  /** A call was refused. `route`: path of its endpoint. */
  refused: published<{ refusal: StatusName; route: string }, Subject>({
    outcome: ({ refusal }) => refusal,
    metric(metrics, { refusal }) {
      if (refusal === 'busy') metrics.refusedAsBusy.count += 1;
    },
    audit: 'limited',
    webhook({ refusal, route }) {
      if (untold.has(refusal)) return null;
      const { status, message } = statuses[refusal];
      return ['call.refused', { endpoint: route, status, status_message: message }];
    },
  }),
  /** A request ended; `gone`: the client left before the answer. Its line has no body, query string or token. */
  request: row<RequestFacts, Answered | undefined>({
    audit: 'none',
    line: (facts, { trxId, clientId }) => [
      'info',
      { trx_id: trxId, client_id: clientId, ...facts },
      'request',
    ],
    metric(metrics, { route }, answered) {
      if (!answered) return;
      const { status, ms } = answered;
      metrics.requestSeconds.observe({ route: route ?? 'other', status }, ms / 1000);
    },
    count(activity, _, answered) {
      if (answered?.call) activity.record(answered.call);
    },
  }),
  /** A stored template did not open. `gallery`: internal number; `row`: seq of the face, which names nobody. */
  template_damaged: row<{ gallery: number; row: number }>({
    audit: 'none',
    line: (facts) => [
      'error',
      facts,
      'a stored template does not open and is left out; `wajah gallery check` names its user',
    ],
    metric: (metrics) => metrics.damagedTemplates.inc(),
  }),
  /** The record of an event could not be written. */
  record_lost: row<{ event: string; reason: string }>({
    audit: 'none',
    line: ({ event, reason }, { trxId }) => [
      'error',
      { event, trx_id: trxId, reason },
      'the audit record was not written',
    ],
    metric: (metrics) => metrics.lostRecords.inc(),
  }),
} as const;

/** Refusals that anybody can cause in any number, or that another event tells. */
const untold: ReadonlySet<StatusName> = new Set(['busy', 'tooManyRequests', 'unauthorized', 'notRecognized']);

export type EventName = keyof typeof eventTable;
type Cells<Name extends EventName> = (typeof eventTable)[Name];
export type FactsOf<Name extends EventName> = Cells<Name> extends Row<infer F, infer _, infer __> ? F : never;
export type DetailOf<Name extends EventName> =
  Cells<Name> extends Row<infer _, infer D, infer __> ? D : never;
export type ResultOf<Name extends EventName> =
  Cells<Name> extends Row<infer _, infer __, infer Result> ? Result : never;

/** A row of any event. */
export type AnyRow = Row<Facts, unknown, unknown>;

/** What services report events to. */
export interface Events {
  /**
   * Makes of an event all that its row of the table says: log line, metric, audit record, webhook event and counts.
   * Never throws, and rejects only when `write` of the detail does.
   * @returns of a row with a receipt: resolves with that, or null without one; of a row that endpoints are told: resolves
   *   when that is durable
   */
  observe<Name extends EventName>(
    name: Name,
    actor: Actor,
    facts: FactsOf<Name>,
    ...detail: undefined extends DetailOf<Name> ? [detail?: DetailOf<Name>] : [detail: DetailOf<Name>]
  ): ResultOf<Name>;
  /** A row that tells endpoints of an event, for its transaction; undefined: nobody wants it. */
  webhookRow: EventOutbox['create'];
  /** To be called after the transaction. */
  webhookWritten(row: OutboxEvent | undefined): void;
  /** Drops what is counted of calls and not written yet; to be awaited before the stored counts are erased. */
  forget(filter: CallFilter): Promise<void>;
}

// Types, not interfaces: these are assignable to Facts.
type Gallery = { readonly facegallery_id: string };
type QuotaFacts = {
  readonly quota: string;
  readonly percent: number;
  readonly used: number;
  readonly limit: number;
};

interface Scores {
  /** 0…1. */
  readonly similarity: number;
  readonly threshold: number;
  /** Internal number of the gallery. */
  readonly gallery: number;
}

interface BestScores extends Omit<Scores, 'similarity'> {
  /** Undefined: there was nobody to compare with. */
  readonly similarity: number | undefined;
  /** Of each face. */
  readonly best: readonly number[];
}

type VerifiedFacts = Gallery & Cohort & { readonly verified: boolean; readonly found: number };

/** Version of the statistics that similarities were normalised by, and the people measured; 0: none. */
type Cohort = { readonly cohort_version: number; readonly cohort_people: number };

/** `outcomes`: of each face that a call for several asked about, the largest first, separated by spaces. */
type IdentifiedFacts = Gallery &
  Cohort & {
    readonly identified: boolean;
    readonly candidates: number;
    readonly found: number;
    readonly outcomes?: string;
  };

/** How much was erased of a person. */
type ErasedFacts = Readonly<Record<'galleries' | 'sessions' | 'frames' | 'refusals', number>>;

type EnrolledFacts = {
  readonly facegallery_id: string;
  readonly way: 'image' | 'card';
  readonly replaced: boolean;
  readonly appended: boolean;
  /** Of an appended face: its similarity to the person's pictures is below the threshold of the gallery. */
  readonly differs?: boolean;
  readonly forced: boolean;
  readonly found: number;
};

/** With the statistics of the gallery where the pictures are compared with a user. */
type LivenessFacts = Partial<Cohort> & {
  readonly way: 'single' | 'batch' | 'session';
  readonly passed: boolean;
  readonly images: number;
  readonly verification: boolean;
  readonly found: number;
};

/** `write` writes what was judged together with the row that tells it; absent: the row is written alone. */
interface JudgedDetail extends Subject {
  /** Names, without repetition. */
  readonly reasons: readonly string[];
  readonly sessionId?: string | undefined;
  readonly nonce?: string | undefined;
  readonly write?: WriteTold;
}

/** Writes what an event tells, in one transaction with the row; undefined: nobody wants that. */
export type WriteTold = (row: OutboxEvent | undefined) => Promise<void>;

/** `route`: path of the endpoint; null: none. `ms`: to the end of the answer. */
interface RequestFacts {
  readonly method: string;
  readonly route: string | null;
  readonly ms: number;
  readonly status?: string;
  readonly http?: number;
  readonly gone?: true;
  /** The code of the refusal. */
  readonly error?: string | null;
  /** The first wrong field of the request, where one is malformed. */
  readonly field?: string;
}

/** An answer that is measured, and counted where the call is. */
interface Answered {
  readonly status: string;
  /** With fractions. */
  readonly ms: number;
  readonly call: RecordedCall | null;
}
