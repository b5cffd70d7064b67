import type { Alongside } from '../store/database/session.ts';
import type { AuditEntry } from '../store/ports/audit.ts';

/** The cause of an event; a call that is refused before authentication has no client. */
export interface Actor {
  /** Empty: the operator of the installation acts, for no client. */
  readonly clientId: string | null;
  readonly trxId: string | null;
  /** The operator of the installation acts for the client: its record says so. */
  readonly isOperator?: boolean | undefined;
}

/** Fields of an event beside its actor. No personal data: no user_id, name, picture or template. */
export type Facts = AuditEntry['facts'];

/** Proof that an erasure is in the audit trail. */
export interface Receipt {
  /** Of the record. */
  readonly number: number;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  readonly at: Date;
}

/** Receives log lines; a pino logger fits. */
export interface EventLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Whom an event is about. Only subscribers are told: not the log, nor the audit trail. */
export interface Subject {
  readonly galleryId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** An event as subscribers receive it: a row of `eventTable`, or a change of a face. */
export interface SubscribedEvent {
  readonly name: string;
  /** Who caused it, and whom it is about. */
  readonly about: Actor & Subject;
  /** Of its name. */
  readonly facts: Facts;
  readonly detail?: object | undefined;
}

/** What a subscriber keeps of an event. */
export interface Keeping {
  /** Keeps it in the transaction of what happens, and fails with it. */
  readonly write: Alongside;
  /** Keeps it where nothing else is written. Resolves when it outlives the process; never rejects. */
  keep(): Promise<void>;
  /** That transaction is committed. */
  written(): void;
}

/** What receives events besides log, metrics and audit trail. None of its functions throws. */
export interface EventSubscriber {
  /** @returns undefined: nothing is kept of the event */
  keepingOf?(event: SubscribedEvent): Keeping | undefined;
  /** Counts an event that has happened. */
  count?(event: SubscribedEvent): void;
  /** Drops what is counted and not written yet; resolves before stored counts may be erased. */
  forget?(filter: CallFilter): Promise<void>;
}

/** An answered call. */
export interface RecordedCall {
  readonly at: Date;
  readonly clientId: string;
  readonly route: string;
  readonly status: string;
  /** Set when the call was refused or its face was not accepted. */
  readonly refused: {
    /** Code of the refusal; null: the face was not accepted. */
    readonly error: string | null;
    /** Of its sentence; null: none, or too many to be recorded. */
    readonly params: Readonly<Record<string, unknown>> | null;
    /** In English. */
    readonly detail: string | null;
    readonly trxId: string;
    readonly galleryId: string | null;
    readonly userId: string | null;
    readonly similarity: number | null;
    readonly spoofScore: number | null;
  } | null;
}

/** The calls of a client, a gallery, or one user. */
export interface CallFilter {
  readonly clientId: string;
  readonly galleryId?: string | undefined;
  readonly userId?: string | undefined;
}
