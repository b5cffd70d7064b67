import { type StatusName, statuses } from '@wajah/contract';
import { Counter, Registry } from 'prom-client';
import { createAuditor, type Receipt } from './auditor.ts';
import { inTime } from './lib/deadline.ts';
import { createRefusalRecords } from './refusal-records.ts';
import type { Outbox, WebhookData } from './services/webhooks/outbox.ts';
import type { AuditChain, AuditEntry } from './store/audit-store.ts';
import type { Store } from './store/store.ts';
import type { WebhookType } from './store/webhook-store.ts';

export type { Receipt } from './auditor.ts';

/** The cause of an event; a call that is refused before authentication has no client. */
export interface Actor {
  readonly clientId: string | null;
  readonly trxId: string | null;
}

/** Receives log lines; a pino logger fits. */
export interface EventLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Fields of an event beside its actor. No personal data: no user_id, name, picture or template. */
type Facts = Readonly<Record<string, string | number | boolean>>;

/** @returns the receipt of the audit record; null: it could not be written */
type Emit = (event: string, outcome: string, actor: Actor, facts: Facts) => Promise<Receipt | null>;

/**
 * The business events of a server. The function of an event writes its log line, counts its metric and appends its
 * audit record. None throws. Those of erasures resolve with the receipt of the record, or null without one; those that
 * endpoints of clients are told resolve when that is durable.
 */
export type Events = ReturnType<typeof createEvents>;

interface EventDependencies {
  readonly log: EventLog;
  /** Its audit trail receives the records. */
  readonly store: Pick<Store, 'audit'>;
  readonly chain: AuditChain;
  /** All metrics of this server; label values are from fixed sets only. */
  readonly registry?: Registry;
  /** Receives the events that endpoints of clients are told; absent: none are. */
  readonly outbox?: Pick<Outbox, 'create' | 'write'> | undefined;
}

export function createEvents({ log, store, chain, registry = new Registry(), outbox }: EventDependencies) {
  const counter = new Counter({
    name: 'wajah_events_total',
    help: 'Business events by kind and outcome',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const reasons = new Counter({
    name: 'wajah_liveness_failures_total',
    help: 'Failed liveness checks by way and reason; one with several reasons counts for each',
    labelNames: ['way', 'reason'],
    registers: [registry],
  });
  const audit = createAuditor(store, chain, (entries, error) => reportLost(log, entries, error));
  const refusals = createRefusalRecords((entry) => void audit.append(entry));
  let busy = 0;
  const emit: Emit = (event, outcome, actor, facts) => {
    if (outcome === 'busy') busy += 1;
    ignoreErrors(() => counter.inc({ event, outcome }));
    ignoreErrors(() => log.info({ event, client_id: actor.clientId, trx_id: actor.trxId, ...facts }, event));
    const entry = { at: new Date(), event, clientId: actor.clientId, trxId: actor.trxId, facts };
    if (event !== refusedEvent) return audit.append(entry);
    refusals.add(entry, outcome as StatusName);
    return noReceipt;
  };
  return {
    ...businessEvents(emit),
    ...told(emit, outbox),
    /** @param found names of the reasons, without repetition */
    livenessJudged(actor: Actor, facts: LivenessFacts, found: readonly string[]): void {
      void emit('liveness_judged', facts.passed ? 'yes' : 'no', actor, facts);
      for (const reason of found) ignoreErrors(() => reasons.inc({ way: facts.way, reason }));
    },
    ...personEvents(emit),
    ...receiptedEvents(emit),
    registry,
    /** Number of calls refused as busy since the start. */
    busy: () => busy,
    /** Resolves when the audit records of all events so far are written or have failed. */
    settled: () => {
      refusals.flush();
      return audit.settled();
    },
  };
}

const refusedEvent = 'refused';
const noReceipt = Promise.resolve(null);

/** `found` is the number of faces in the picture, or in the one with the most faces; the largest face is used. */
function businessEvents(emit: Emit) {
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
    tokenRevoked: done<{ token_id: string }>('token_revoked'),
    facesDetected: done<{ found: number }>('faces_detected'),
    /** `what`: created, enabled, disabled, secret (replaced) or deleted. */
    webhookChanged: done<{ webhook_id: string; what: string }>('webhook_changed'),
    /** A stored face crop was read. */
    cropShown: done<Gallery>('crop_shown'),
    imagesCompared: decided<{ verified: boolean; found: number }>('images_compared', 'verified'),
    /** `again`: the open session of the subject was answered. */
    sessionOpened: done<{ steps: number; verification: boolean; again: boolean }>('session_opened'),
    serverStarted: (facts: { version: string; pack: string; pad_pack: string }) =>
      void emit('server_started', 'done', nobody, facts),
  };
}

/** Events that endpoints of clients are told, with whom they are about. */
function told(emit: Emit, outbox: EventDependencies['outbox']) {
  return {
    /** @param scores of the answer */
    faceVerified(actor: Actor, facts: VerifiedFacts, about: Subject, scores: Scores): Promise<void> {
      void emit('face_verified', facts.verified ? 'yes' : 'no', actor, facts);
      return publish(outbox, 'face.verified', actor, about, { verified: facts.verified, ...scores });
    },
    /** @param about the best candidate of the largest face, if there is one */
    faceIdentified(
      actor: Actor,
      facts: Gallery & Cohort & IdentifiedFacts,
      about: Subject,
      scores: Scores,
    ): Promise<void> {
      void emit('face_identified', facts.identified ? 'yes' : 'no', actor, facts);
      const { identified, candidates } = facts;
      return publish(outbox, 'face.identified', actor, about, { identified, candidates, ...scores });
    },
    /** A call was refused. */
    refused(actor: Actor, facts: { refusal: StatusName; route: string }, about?: Subject): Promise<void> {
      void emit(refusedEvent, facts.refusal, actor, facts);
      const { refusal, route } = facts;
      if (untold.has(refusal)) return Promise.resolve();
      const { status, message } = statuses[refusal];
      return publish(outbox, 'call.refused', actor, about, {
        endpoint: route,
        status,
        status_message: message,
      });
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

function personEvents(emit: Emit) {
  const done =
    <F extends Facts>(event: string) =>
    (actor: Actor, facts: F) =>
      void emit(event, 'done', actor, facts);
  return {
    /** Consent or retention of a person. */
    personChanged: done<Gallery & { what: string }>('person_changed'),
    personSuspended: done<Partial<Gallery> & { galleries: number }>('person_suspended'),
    personResumed: done<Partial<Gallery> & { galleries: number }>('person_resumed'),
    personExported: done<{ galleries: number; pictures: boolean }>('person_exported'),
  };
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
    /** An act of the operator by a command. @param clientId whom it concerns */
    administered: (clientId: string | null, facts: { operation: string } & Facts) =>
      receiptInTime(emit('administered', facts.operation, { clientId, trxId: null }, facts)),
  };
}

// Types, not interfaces: these are assignable to Facts.
type Gallery = { readonly facegallery_id: string };

/** Whom an event is about. Only the endpoints of the client are told: not the log, nor the audit trail. */
export interface Subject {
  readonly galleryId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** Similarity scores of an answer, 0…1; undefined: there was nobody to compare with. */
type Scores = { readonly similarity: number | undefined; readonly threshold: number };

type VerifiedFacts = Gallery & Cohort & { readonly verified: boolean; readonly found: number };

/** Version of the statistics that similarities were normalised by, and the people measured; 0: none. */
type Cohort = { readonly cohort_version: number; readonly cohort_people: number };

/** `outcomes`: of each face that a call for several asked about, the largest first, separated by spaces. */
type IdentifiedFacts = {
  readonly identified: boolean;
  readonly candidates: number;
  readonly found: number;
  readonly outcomes?: string;
};

/** How much was erased of a person. */
type ErasedFacts = Readonly<Record<'galleries' | 'sessions' | 'frames' | 'recordings' | 'refusals', number>>;

type EnrolledFacts = {
  readonly facegallery_id: string;
  readonly way: 'image' | 'card';
  readonly replaced: boolean;
  readonly appended: boolean;
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

function reportLost(log: EventLog, entries: readonly AuditEntry[], error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  for (const { event, trxId } of entries) {
    ignoreErrors(() => log.warn({ event, trx_id: trxId, reason }, 'the audit record was not written'));
  }
}

/** An event must not fail the call that causes it, not even when the log cannot be written. */
function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}
