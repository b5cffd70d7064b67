import { type StatusName, statuses } from '@wajah/contract';
import { cutFraction } from '@wajah/contract/values';
import { Counter, Registry } from 'prom-client';
import { createAuditTrail, type Receipt } from './audit-trail.ts';
import { inTime } from './lib/deadline.ts';
import type {
  AuditChain,
  AuditEntry,
  AuditStore,
  Comparison,
  OutboxEvent,
  WebhookType,
} from './store/ports.ts';

export type { Receipt } from './audit-trail.ts';

/** The cause of an event; a call that is refused before authentication has no client. */
export interface Actor {
  /** Empty: the operator of the installation acts, for no client. */
  readonly clientId: string | null;
  readonly trxId: string | null;
  /** The operator of the installation acts for the client: its record says so. */
  readonly isOperator?: boolean | undefined;
}

/** Receives log lines; a pino logger fits. */
export interface EventLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Whom an event is about. Only the endpoints of the client are told: not the log, nor the audit trail. */
export interface Subject {
  readonly galleryId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** What endpoints are told of an event: names of the wire. No template, no picture. */
export type WebhookData = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | undefined>
>;

/** What endpoints of clients are told. */
export interface EventOutbox {
  /** An event for the transaction of what it tells; undefined: nobody wants it. */
  create(
    type: WebhookType,
    subject: Subject & Actor & { readonly clientId: string },
    data: WebhookData,
  ): OutboxEvent | undefined;
  /** Resolves when the event outlives the process. Never rejects. */
  write(event: OutboxEvent | undefined): Promise<void>;
  /** Events were written in transactions: whoever sends them need not wait. */
  written(): void;
}

/** A probe that was compared with a gallery. */
export interface ComparedProbe {
  readonly at: Date;
  /** Internal number of the gallery. */
  readonly gallery: number;
  readonly comparison: Comparison;
  /** With the claimed user, or the best of all, 0…1. */
  readonly similarity: number;
}

/** The calls of a client, a gallery, or one user. */
export interface CallFilter {
  readonly clientId: string;
  readonly galleryId?: string | undefined;
  readonly userId?: string | undefined;
}

/** What counts calls and scores. */
export interface EventActivity {
  compared(probe: ComparedProbe): void;
  forget(filter: CallFilter): Promise<void>;
}

/** Fields of an event beside its actor. No personal data: no user_id, name, picture or template. */
type Facts = AuditEntry['facts'];

/** @returns the receipt of the audit record; null: it could not be written */
type Emit = (event: string, outcome: string, actor: Actor, facts: Facts) => Promise<Receipt | null>;

/**
 * The business events of a server. The function of an event writes its log line, counts its metric, appends its audit
 * record, and tells endpoints and statistics. None throws. Those of erasures resolve with the receipt of the record, or
 * null without one; those that endpoints of clients are told resolve when that is durable.
 */
export type Events = ReturnType<typeof createEvents>;

interface EventDependencies {
  readonly log: EventLog;
  /** Its audit trail receives the records. */
  readonly store: { readonly audit: Pick<AuditStore, 'append'> };
  readonly chain: AuditChain;
  /** All metrics of this server; label values are from fixed sets only. */
  readonly registry?: Registry;
  /** Absent: endpoints are told nothing. */
  readonly outbox?: EventOutbox | undefined;
  /** Absent: nothing is counted for clients. */
  readonly activity?: EventActivity | undefined;
}

export function createEvents({
  log,
  store,
  chain,
  registry = new Registry(),
  outbox,
  activity,
}: EventDependencies) {
  const counter = new Counter({
    name: 'wajah_events_total',
    help: 'Business events by kind and outcome',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const trail = createAuditTrail(store.audit, chain, lostRecords(log, registry));
  let busy = 0;
  const record = createRecord(log, counter);
  const emit: Emit = (...args) => trail.append(record(...args));
  return {
    ...doneEvents(emit),
    ...toldEvents(emit, outbox, activity),
    ...livenessEvents(emit, outbox, registry),
    ...damageEvents(log, registry),
    ...outboxRows(outbox),
    ...receiptedEvents((...args) => trail.append(record(...args), true)),
    /** A call was refused. */
    refused(actor: Actor, facts: { refusal: StatusName; route: string }, about?: Subject): Promise<void> {
      const { refusal, route } = facts;
      if (refusal === 'busy') busy += 1;
      trail.refused(record('refused', refusal, actor, facts), refusal);
      if (untold.has(refusal)) return Promise.resolve();
      const { status, message } = statuses[refusal];
      return publish(outbox, 'call.refused', actor, about, {
        endpoint: route,
        status,
        status_message: message,
      });
    },
    /** Drops what is counted of calls and not written yet; to be awaited before the stored counts are erased. */
    forget: async (filter: CallFilter) => activity?.forget(filter),
    registry,
    /** Number of calls refused as busy since the start. */
    busy: () => busy,
    /** Resolves when the audit records of all events so far are written or have failed. */
    settled: trail.settled,
    /** Whether audit records can be written, see `createAuditTrail`. */
    auditIsWritten: trail.isWritten,
  };
}

/** Writes the log line of an event, and counts it. */
function createRecord(log: EventLog, counter: Counter<'event' | 'outcome'>): Write {
  return (event, outcome, { trxId, isOperator, ...actor }, given) => {
    const clientId = actor.clientId || null;
    const facts = isOperator ? { ...given, by_operator: true } : given;
    ignoreErrors(() => counter.inc({ event, outcome }));
    ignoreErrors(() => log.info({ event, client_id: clientId, trx_id: trxId, ...facts }, event));
    return { at: new Date(), event, clientId, trxId, facts };
  };
}

/** Events that are written in the transaction of what they tell. */
function outboxRows(outbox: EventOutbox | undefined) {
  return {
    /** A row that tells endpoints of an event, for its transaction; undefined: nobody wants it. */
    webhookRow: (...event: Parameters<EventOutbox['create']>) => outbox?.create(...event),
    /** To be called after the transaction. */
    webhookWritten: (row: OutboxEvent | undefined) => {
      if (row) outbox?.written();
    },
  };
}

/** Writes the log line and counts. */
type Write = (...args: Parameters<Emit>) => AuditEntry;

/** `found` is the number of faces in the picture, or in the one with the most faces; the largest face is used. */
function doneEvents(emit: Emit) {
  const done =
    <F extends Facts>(event: string) =>
    (actor: Actor, facts: F) =>
      void emit(event, 'done', actor, facts);
  const decided =
    <F extends Facts>(event: string, field: keyof F) =>
    (actor: Actor, facts: F) =>
      void emit(event, facts[field] ? 'yes' : 'no', actor, facts);
  return {
    clientRegistered: (actor: Actor) => void emit('client_registered', 'done', actor, {}),
    galleryCreated: done<Gallery>('gallery_created'),
    galleryChanged: done<Gallery & { what: string }>('gallery_changed'),
    faceEnrolled: (actor: Actor, facts: EnrolledFacts) => void emit('face_enrolled', facts.way, actor, facts),
    faceChanged: done<Gallery & { what: string }>('face_changed'),
    /** Pairs of a gallery were compared: `pairs` were found, above the similarity `threshold`. */
    duplicatesSearched: done<
      Gallery & Cohort & { people: number; compared: number; pairs: number; threshold: number }
    >('duplicates_searched'),
    /** Two users were marked as different people, or the mark was taken back. */
    peopleMarkedDifferent: done<Gallery & { different: boolean }>('people_marked_different'),
    tokenCreated: done<{ token_id: string; scopes: string }>('token_created'),
    /** `api_tokens`: kept or revoked. */
    passwordChanged: done<{ api_tokens: string }>('password_changed'),
    tokenRevoked: done<{ token_id: string }>('token_revoked'),
    facesDetected: done<{ found: number }>('faces_detected'),
    /** `what`: created, enabled, disabled, secret (replaced) or deleted. */
    webhookChanged: done<{ webhook_id: string; what: string }>('webhook_changed'),
    /** Stored face crops were read. `crops`: how many thumbnails of them; absent: one crop. */
    cropShown: done<Gallery & { crops?: number }>('crop_shown'),
    imagesCompared: decided<{ verified: boolean; found: number }>('images_compared', 'verified'),
    /** `again`: the open session of the subject was answered. */
    sessionOpened: done<{ steps: number; verification: boolean; again: boolean }>('session_opened'),
    /** Consent or retention of a person. */
    personChanged: done<Gallery & { what: string }>('person_changed'),
    personSuspended: done<Partial<Gallery> & { galleries: number }>('person_suspended'),
    personResumed: done<Partial<Gallery> & { galleries: number }>('person_resumed'),
    personExported: done<{ galleries: number; pictures: boolean }>('person_exported'),
    serverStarted: (facts: { version: string; pack: string; pad_pack: string }) =>
      void emit('server_started', 'done', nobody, facts),
  };
}

/** Events that endpoints of clients are told, with whom they are about, and that statistics of galleries count. */
function toldEvents(emit: Emit, outbox: EventOutbox | undefined, activity: EventActivity | undefined) {
  const count = (gallery: number, comparison: Comparison, similarities: readonly number[]) => {
    for (const similarity of similarities)
      activity?.compared({ at: new Date(), gallery, comparison, similarity });
  };
  return {
    faceVerified(actor: Actor, facts: VerifiedFacts, about: Subject, scores: Scores): Promise<void> {
      const { similarity, threshold, gallery } = scores;
      count(gallery, 'verify', [similarity]);
      void emit('face_verified', facts.verified ? 'yes' : 'no', actor, facts);
      const data = { verified: facts.verified, similarity: cutFraction(similarity), threshold };
      return publish(outbox, 'face.verified', actor, about, data);
    },
    /** @param about the best candidate of the largest face, if there is one */
    faceIdentified(actor: Actor, facts: IdentifiedFacts, about: Subject, scores: BestScores): Promise<void> {
      const { similarity, threshold, gallery, best } = scores;
      count(gallery, 'identify', best);
      void emit('face_identified', facts.identified ? 'yes' : 'no', actor, facts);
      const { identified, candidates } = facts;
      const told = similarity === undefined ? undefined : cutFraction(similarity);
      const data = { identified, candidates, similarity: told, threshold };
      return publish(outbox, 'face.identified', actor, about, data);
    },
    /** A client has used so much of a quota. */
    quotaReached(actor: Actor, facts: QuotaFacts): Promise<void> {
      void emit('quota_reached', String(facts.percent), actor, facts);
      return publish(outbox, 'quota.reached', actor, undefined, facts);
    },
  };
}

function livenessEvents(emit: Emit, outbox: EventOutbox | undefined, registry: Registry) {
  const counter = new Counter({
    name: 'wajah_liveness_failures_total',
    help: 'Failed liveness checks by way and reason; one with several reasons counts for each',
    labelNames: ['way', 'reason'],
    registers: [registry],
  });
  return {
    /**
     * @param reasons names, without repetition
     * @param mark writes the outcome of a session, together with the row that tells it
     */
    async livenessJudged(
      actor: Actor & { readonly clientId: string },
      facts: LivenessFacts,
      reasons: readonly string[],
      about: Subject & { readonly sessionId?: string; readonly nonce?: string },
      mark?: (row: OutboxEvent | undefined) => Promise<void>,
    ): Promise<void> {
      const { sessionId: session_id, nonce, ...subject } = about;
      const whom = { clientId: actor.clientId, trxId: actor.trxId, ...subject };
      const row = facts.passed
        ? session_id && outbox?.create('liveness.passed', whom, { session_id, nonce })
        : outbox?.create('liveness.failed', whom, { way: facts.way, reasons, session_id });
      if (!mark) await outbox?.write(row || undefined);
      else {
        await mark(row || undefined);
        if (row) outbox?.written();
      }
      void emit('liveness_judged', facts.passed ? 'yes' : 'no', actor, facts);
      for (const reason of reasons) ignoreErrors(() => counter.inc({ way: facts.way, reason }));
    },
  };
}

/** Refusals that anybody can cause in any number, or that another event tells. */
const untold: ReadonlySet<StatusName> = new Set(['busy', 'tooManyRequests', 'unauthorized', 'notRecognized']);

/** Resolves when the event is durable, or nobody wants it. Never rejects. */
async function publish(
  outbox: EventDependencies['outbox'],
  type: WebhookType,
  { clientId, trxId }: Actor,
  about: Subject | undefined,
  data: WebhookData,
): Promise<void> {
  if (clientId === null || !outbox) return;
  const { galleryId, userId } = about ?? {};
  await outbox.write(outbox.create(type, { clientId, trxId, galleryId, userId }, data));
}

/** Events that resolve with the receipt of their record, or null. */
function receiptedEvents(emit: Emit) {
  const erased =
    <F extends Facts>(event: string) =>
    (actor: Actor, facts: F) =>
      receiptInTime(emit(event, 'done', actor, facts));
  return {
    clientErased: erased<{ galleries: number }>('client_erased'),
    galleryRemoved: erased<Gallery & { faces: number }>('gallery_removed'),
    faceRemoved: erased<Gallery>('face_removed'),
    personErased: erased<ErasedFacts>('person_erased'),
    /** The retention or the consent of a person has ended. */
    personExpired: erased<Gallery>('person_expired'),
    /** An act of the operator by a command, or by a call of the client `by`. @param clientId whom it concerns */
    administered: (
      clientId: string | null,
      facts: { operation: string } & Facts,
      trxId: string | null = null,
    ) => receiptInTime(emit('administered', facts.operation, { clientId, trxId }, facts)),
  };
}

// Types, not interfaces: these are assignable to Facts.
type Gallery = { readonly facegallery_id: string };
type QuotaFacts = {
  readonly quota: string;
  readonly percent: number;
  readonly used: number;
  readonly limit: number;
};

export interface Scores {
  /** 0…1. */
  readonly similarity: number;
  readonly threshold: number;
  /** Internal number of the gallery. */
  readonly gallery: number;
}

export interface BestScores extends Omit<Scores, 'similarity'> {
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

const nobody: Actor = { clientId: null, trxId: null };

/** An erasure waits two seconds for its receipt. */
const receiptInTime = (writing: Promise<Receipt | null>) => inTime(writing, 2000, () => null);

/** Rows that are remembered, so that each is logged once. */
const maxDamaged = 10_000;

function damageEvents(log: EventLog, registry: Registry) {
  const rows = new Set<string>();
  const counter = new Counter({
    name: 'wajah_damaged_templates_total',
    help: 'Stored templates that did not open and are left out of searches, each counted once since the start',
    registers: [registry],
  });
  return {
    /** Templates that did not open since the start, each once. */
    damagedTemplates: () => rows.size,
    /** A template did not open. @param gallery internal number @param row seq of the face, which names nobody */
    templateDamaged(gallery: number, row: number): void {
      const name = `${gallery} ${row}`;
      if (rows.has(name) || rows.size >= maxDamaged) return;
      rows.add(name);
      ignoreErrors(() => counter.inc());
      const text = 'a stored template does not open and is left out; `wajah gallery check` names its user';
      ignoreErrors(() => log.error({ gallery, row }, text));
    },
  };
}

/** @returns what reports records that could not be written */
function lostRecords(log: EventLog, registry: Registry) {
  const counter = new Counter({
    name: 'wajah_audit_records_lost_total',
    help: 'Audit records that could not be written',
    registers: [registry],
  });
  return (entries: readonly AuditEntry[], error: unknown): void => {
    ignoreErrors(() => counter.inc(entries.length));
    const reason = error instanceof Error ? error.message : String(error);
    for (const { event, trxId } of entries) {
      ignoreErrors(() => log.error({ event, trx_id: trxId, reason }, 'the audit record was not written'));
    }
  };
}

/** An event must not fail the call that causes it, not even when the log cannot be written. */
function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}
