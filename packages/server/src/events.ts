import type { StatusName } from '@wajah/contract';
import { Counter, Registry } from 'prom-client';
import type { Store } from './store/store.ts';

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

type Emit = (event: string, outcome: string, actor: Actor, facts: Facts) => void;

/**
 * The business events of a server. The function of an event writes its log line, counts its metric and appends its
 * audit record. None throws or waits.
 */
export type Events = ReturnType<typeof createEvents>;

/** @param store its audit trail receives the records */
export function createEvents({ log, store }: { log: EventLog; store: Pick<Store, 'audit'> }) {
  /** All metrics of this server; label values are from fixed sets only. */
  const registry = new Registry();
  const counter = new Counter({
    name: 'wajah_events_total',
    help: 'Business events by kind and outcome',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const audit = createAuditor(store, log);
  let busy = 0;
  const emit: Emit = (event, outcome, actor, facts) => {
    if (outcome === 'busy') busy += 1;
    ignoreErrors(() => counter.inc({ event, outcome }));
    ignoreErrors(() => log.info({ event, client_id: actor.clientId, trx_id: actor.trxId, ...facts }, event));
    if (isAudited(actor, outcome)) audit.append(event, actor, facts);
  };
  return {
    ...businessEvents(emit),
    registry,
    /** Number of calls refused as busy since the start. */
    busy: () => busy,
    /** Resolves when the audit records of all events so far are written or have failed. */
    settled: audit.settled,
  };
}

/** `found` is the number of faces in the picture, or in the one with the most faces; the largest face is used. */
function businessEvents(emit: Emit) {
  const done =
    <F extends Facts>(event: string) =>
    (actor: Actor, facts: F) =>
      emit(event, 'done', actor, facts);
  const decided =
    <F extends Facts>(event: string, field: keyof F) =>
    (actor: Actor, facts: F) =>
      emit(event, facts[field] ? 'yes' : 'no', actor, facts);
  type Gallery = { readonly facegallery_id: string };
  return {
    clientRegistered: (actor: Actor) => emit('client_registered', 'done', actor, {}),
    clientErased: done<{ galleries: number }>('client_erased'),
    galleryCreated: done<Gallery>('gallery_created'),
    galleryRemoved: done<Gallery & { faces: number }>('gallery_removed'),
    galleryChanged: done<Gallery & { what: string }>('gallery_changed'),
    faceEnrolled: (actor: Actor, facts: EnrolledFacts) => emit('face_enrolled', facts.way, actor, facts),
    faceRemoved: done<Gallery>('face_removed'),
    faceVerified: decided<Gallery & { verified: boolean; found: number }>('face_verified', 'verified'),
    faceIdentified: decided<Gallery & { identified: boolean; candidates: number; found: number }>(
      'face_identified',
      'identified',
    ),
    tokenCreated: done<{ token_id: string; scopes: string }>('token_created'),
    tokenRevoked: done<{ token_id: string }>('token_revoked'),
    facesDetected: done<{ found: number }>('faces_detected'),
    /** A stored face crop was read. */
    cropShown: done<Gallery>('crop_shown'),
    imagesCompared: decided<{ verified: boolean; found: number }>('images_compared', 'verified'),
    /** `again`: the open session of the subject was answered. */
    sessionOpened: done<{ steps: number; verification: boolean; again: boolean }>('session_opened'),
    livenessJudged: decided<LivenessFacts>('liveness_judged', 'passed'),
    /** A call was refused. */
    refused: (actor: Actor, facts: { refusal: StatusName; route: string }) =>
      emit('refused', facts.refusal, actor, facts),
  };
}

// Types, not interfaces: these are assignable to Facts.
type EnrolledFacts = {
  readonly facegallery_id: string;
  readonly way: 'image' | 'card';
  readonly replaced: boolean;
  readonly forced: boolean;
  readonly found: number;
};

type LivenessFacts = {
  readonly way: 'single' | 'batch' | 'session';
  readonly passed: boolean;
  readonly images: number;
  readonly verification: boolean;
  readonly found: number;
};

/** Refusals that anybody can cause in any number are not audited: they would fill the disk. */
function isAudited(actor: Actor, outcome: string): boolean {
  return actor.clientId !== null && outcome !== 'tooManyRequests' && outcome !== 'busy';
}

/** Appends records in the background; a record that cannot be written is logged and lost. */
function createAuditor(store: Pick<Store, 'audit'>, log: EventLog) {
  const pending = new Set<Promise<void>>();
  const write = async (event: string, { clientId, trxId }: Actor, facts: Facts) => {
    try {
      await store.audit.append({ at: new Date(), event, clientId, trxId, facts });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      ignoreErrors(() => log.warn({ event, trx_id: trxId, reason }, 'the audit record was not written'));
    }
  };
  return {
    append(event: string, actor: Actor, facts: Facts) {
      const writing = write(event, actor, facts).finally(() => pending.delete(writing));
      pending.add(writing);
    },
    async settled() {
      await Promise.all(pending);
    },
  };
}

/** An event must not fail the call that causes it, not even when the log cannot be written. */
function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}
