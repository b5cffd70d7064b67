import type { StatusName } from '@wajah/contract';
import type { DamagedRow } from '../errors.ts';
import { featureEvents } from '../features/events.ts';
import type { Alongside } from '../store/database/session.ts';
import type { Actor, CallFilter, Facts, Keeping, RecordedCall, Subject } from './ports.ts';
import { awaited, type Cohort, type Gallery, proven, type Row, row } from './row.ts';

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
  face_verified: awaited<VerifiedFacts, Subject & Scores & { similarity: number }>({
    outcome: ({ verified }) => yesNo(verified),
  }),
  /** About the best candidate of the largest face, if there is one. */
  face_identified: awaited<IdentifiedFacts, Subject & BestScores>({
    outcome: ({ identified }) => yesNo(identified),
  }),
  /** `again`: the open session of the subject was answered. */
  session_opened: row<{ steps: number; verification: boolean; again: boolean }>(),
  liveness_judged: awaited<LivenessFacts, JudgedDetail>({
    outcome: ({ passed }) => yesNo(passed),
    metric(metrics, { way }, { reasons }) {
      for (const reason of reasons) metrics.livenessFailures.inc({ way, reason });
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
  /** A client has used so much of a quota. */
  quota_reached: awaited<QuotaFacts, undefined>({ outcome: ({ percent }) => String(percent) }),
  /** An act of the operator by a command, or by a call of the client `by`. The actor is whom it concerns. */
  administered: proven<{ operation: string } & Facts>({ outcome: ({ operation }) => operation }),
  /** A call was refused. `route`: path of its endpoint. */
  refused: awaited<{ refusal: StatusName; route: string }, Subject>({
    outcome: ({ refusal }) => refusal,
    metric(metrics, { refusal }) {
      if (refusal === 'busy') metrics.refusedAsBusy.count += 1;
    },
    audit: 'limited',
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
  /** A row of the database has a value that this program does not write. `reason` names it, and no person. */
  row_damaged: row<{ place: string; reason: string }>({
    audit: 'none',
    line: (facts) => [
      'error',
      facts,
      'a row of the database cannot be read and is left out or refused; `wajah doctor` names all',
    ],
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
  ...featureEvents,
} as const;

export type EventName = keyof typeof eventTable;
type Cells<Name extends EventName> = (typeof eventTable)[Name];
export type FactsOf<Name extends EventName> = Cells<Name> extends Row<infer F, infer _, infer __> ? F : never;
export type DetailOf<Name extends EventName> =
  Cells<Name> extends Row<infer _, infer D, infer __> ? D : never;
export type ResultOf<Name extends EventName> =
  Cells<Name> extends Row<infer _, infer __, infer Result> ? Result : never;

/** A row of any event. */
export type AnyRow = Row<Facts, unknown, unknown>;

/** Changes of faces, which subscribers keep in the transactions that make them. Their calls are events of the table. */
export interface FaceChanges {
  face_written: { readonly mode: 'new' | 'replace' | 'append' };
  face_erased: { readonly reason: 'deleted' | 'expired' | 'merged' };
}

/** Events of awaited rows: what a subscriber makes of others would be kept by nobody. */
type KeptName = { [Name in EventName]: ResultOf<Name> extends Promise<void> ? Name : never }[EventName];

/** What a subscriber keeps of events: a cell for each that it wants. */
export type EventCells<Result> = {
  readonly [Name in KeptName]?: (facts: FactsOf<Name>, detail: DetailOf<Name>) => Result;
} & { readonly [Name in keyof FaceChanges]?: (facts: FaceChanges[Name]) => Result };

/** What services report events to. */
export interface Events {
  /**
   * Makes of an event all that its row of the table says: log line, metric, audit record; then tells subscribers.
   * Never throws, and rejects only when `write` of the detail does.
   * @returns of a row with a receipt: resolves with that, or null without one; of an awaited row: resolves when what
   *   subscribers keep is durable
   */
  observe<Name extends EventName>(
    name: Name,
    actor: Actor,
    facts: FactsOf<Name>,
    ...detail: undefined extends DetailOf<Name> ? [detail?: DetailOf<Name>] : [detail: DetailOf<Name>]
  ): ResultOf<Name>;
  /** What subscribers write in the transaction of a change. */
  keepingOf<Name extends keyof FaceChanges>(
    name: Name,
    about: Actor & Subject,
    facts: FaceChanges[Name],
  ): Omit<Keeping, 'keep'>;
  /** Drops what is counted of calls and not written yet; to be awaited before the stored counts are erased. */
  forget(filter: CallFilter): Promise<void>;
  /** A row of the database cannot be read: told once. */
  rowDamaged(row: DamagedRow): void;
  /** Drops what was told of damaged templates that are mended or gone. @param gallery internal number */
  templatesMended(isMended: (gallery: number) => boolean): void;
  /** Drops what was told of damaged rows: none is left. */
  rowsMended(): void;
}

// Types, not interfaces: these are assignable to Facts.
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

/** `outcomes`: of each face that a call for several asked about, the largest first, separated by spaces. */
type IdentifiedFacts = Gallery &
  Cohort & {
    readonly identified: boolean;
    readonly candidates: number;
    readonly found: number;
    readonly outcomes?: string;
  };

/** How much was erased of a person: also of what features keep, by the fields of an export. */
type ErasedFacts = Readonly<Record<'galleries' | 'sessions' | 'frames', number> & Record<string, number>>;

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

/** `write` writes what was judged, and in its transaction what subscribers keep; absent: that is written alone. */
interface JudgedDetail extends Subject {
  /** Names, without repetition. */
  readonly reasons: readonly string[];
  readonly sessionId?: string | undefined;
  readonly nonce?: string | undefined;
  readonly triesLeft?: number | undefined;
  readonly write?: (alongside: Alongside) => Promise<void>;
}

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
