import type { StatusName } from '@wajah/contract';
import { Counter, Registry } from 'prom-client';
import type { Store } from './store/store.ts';

/** Who caused an event; a refusal before authentication has no client. */
export interface Actor {
  readonly clientId: string | null;
  readonly trxId: string | null;
}

/** Where log lines go (a pino logger fits). */
export interface EventLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What an event carries beside its actor. No personal data: no user_id, name, picture or template. */
type Facts = Readonly<Record<string, string | number | boolean>>;

/**
 * The business events, with how many faces were `found` in the picture (of several pictures: in the fullest), of
 * which the largest was taken. One function each writes the log line, counts the metric and appends the audit record.
 * None of them throws or waits.
 */
export interface Events {
  clientRegistered(actor: Actor): void;
  clientErased(actor: Actor, facts: { galleries: number }): void;
  galleryCreated(actor: Actor, facts: { facegallery_id: string }): void;
  galleryRemoved(actor: Actor, facts: { facegallery_id: string; faces: number }): void;
  faceEnrolled(actor: Actor, facts: EnrolledFacts): void;
  faceRemoved(actor: Actor, facts: { facegallery_id: string }): void;
  faceVerified(actor: Actor, facts: { facegallery_id: string; verified: boolean; found: number }): void;
  faceIdentified(
    actor: Actor,
    facts: { facegallery_id: string; identified: boolean; candidates: number; found: number },
  ): void;
  galleryChanged(actor: Actor, facts: { facegallery_id: string; what: string }): void;
  tokenCreated(actor: Actor, facts: { token_id: string; scopes: string }): void;
  tokenRevoked(actor: Actor, facts: { token_id: string }): void;
  facesDetected(actor: Actor, facts: { found: number }): void;
  /** Somebody looked at the picture that is kept of a face. */
  cropShown(actor: Actor, facts: { facegallery_id: string }): void;
  imagesCompared(actor: Actor, facts: { verified: boolean; found: number }): void;
  sessionOpened(actor: Actor, facts: { steps: number; verification: boolean }): void;
  livenessJudged(actor: Actor, facts: LivenessFacts): void;
  /** The call was answered with a row of the status table other than success. */
  refused(actor: Actor, facts: { refusal: StatusName; route: string }): void;
  /** Calls refused as busy so far. */
  busy(): number;
  /** All metrics of this server; label values come from fixed sets only. */
  readonly registry: Registry;
  /** Resolves when the audit records of all events so far are written or given up. */
  settled(): Promise<void>;
}

interface EnrolledFacts {
  readonly facegallery_id: string;
  readonly way: 'image' | 'card';
  readonly replaced: boolean;
  readonly forced: boolean;
  readonly found: number;
}

interface LivenessFacts {
  readonly way: 'single' | 'batch' | 'session';
  readonly passed: boolean;
  readonly images: number;
  readonly verification: boolean;
  readonly found: number;
}

/** @param store its audit trail gets the records */
export function createEvents({ log, store }: { log: EventLog; store: Pick<Store, 'audit'> }): Events {
  const registry = new Registry();
  const counter = new Counter({
    name: 'wajah_events_total',
    help: 'Business events by kind and outcome',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const audit = createAuditor(store, log);

  let busy = 0;
  const tell = (event: string, outcome: string, actor: Actor, facts: Facts) => {
    quietly(() => counter.inc({ event, outcome }));
    quietly(() => log.info({ event, client_id: actor.clientId, trx_id: actor.trxId, ...facts }, event));
    if (isAudited(actor, outcome)) audit.append(event, actor, facts);
  };
  return {
    clientRegistered: (actor) => tell('client_registered', 'done', actor, {}),
    clientErased: (actor, facts) => tell('client_erased', 'done', actor, facts),
    galleryCreated: (actor, facts) => tell('gallery_created', 'done', actor, facts),
    galleryRemoved: (actor, facts) => tell('gallery_removed', 'done', actor, facts),
    faceEnrolled: (actor, facts) => tell('face_enrolled', facts.way, actor, { ...facts }),
    faceRemoved: (actor, facts) => tell('face_removed', 'done', actor, facts),
    faceVerified: (actor, facts) => tell('face_verified', facts.verified ? 'yes' : 'no', actor, facts),
    faceIdentified: (actor, facts) => tell('face_identified', facts.identified ? 'yes' : 'no', actor, facts),
    galleryChanged: (actor, facts) => tell('gallery_changed', 'done', actor, facts),
    tokenCreated: (actor, facts) => tell('token_created', 'done', actor, facts),
    tokenRevoked: (actor, facts) => tell('token_revoked', 'done', actor, facts),
    facesDetected: (actor, facts) => tell('faces_detected', 'done', actor, facts),
    cropShown: (actor, facts) => tell('crop_shown', 'done', actor, facts),
    imagesCompared: (actor, facts) => tell('images_compared', facts.verified ? 'yes' : 'no', actor, facts),
    sessionOpened: (actor, facts) => tell('session_opened', 'done', actor, facts),
    livenessJudged: (actor, facts) =>
      tell('liveness_judged', facts.passed ? 'yes' : 'no', actor, { ...facts }),
    refused(actor, facts) {
      if (facts.refusal === 'busy') busy += 1;
      tell('refused', facts.refusal, actor, facts);
    },
    busy: () => busy,
    registry,
    settled: audit.settled,
  };
}

/** Refusals that anybody can cause without end would only fill the disk. */
function isAudited(actor: Actor, outcome: string): boolean {
  return actor.clientId !== null && outcome !== 'tooManyRequests' && outcome !== 'busy';
}

/** Appends in the background; what cannot be written is logged and given up. */
function createAuditor(store: Pick<Store, 'audit'>, log: EventLog) {
  const pending = new Set<Promise<void>>();
  const write = async (event: string, { clientId, trxId }: Actor, facts: Facts) => {
    try {
      await store.audit.append({ at: new Date(), event, clientId, trxId, facts });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      quietly(() => log.warn({ event, trx_id: trxId, reason }, 'the audit record was not written'));
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

/** An event must never break the call that it tells of. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // A full disk behind the log or a clash of metrics: there is nobody left to tell.
  }
}
