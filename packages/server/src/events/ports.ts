import type { AuditEntry, Comparison, OutboxEvent, RefusedCall, WebhookType } from '../store/ports.ts';

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

/** What every record of a call has. */
type CallFacts = Pick<RefusedCall, 'at' | 'clientId' | 'route' | 'status' | 'ms'>;

/** An answered call. */
export interface RecordedCall extends CallFacts {
  /** Set when the call was refused or its face was not accepted. */
  readonly refused: Omit<RefusedCall, keyof CallFacts> | null;
}

/** The calls of a client, a gallery, or one user. */
export interface CallFilter {
  readonly clientId: string;
  readonly galleryId?: string | undefined;
  readonly userId?: string | undefined;
}

/** What counts calls and scores. */
export interface EventActivity {
  record(call: RecordedCall): void;
  /** Counts the best similarity of a probe for its gallery, without its user. */
  compared(probe: ComparedProbe): void;
  /** Drops unwritten records and waits for those being written; to be awaited before the stored ones are erased. */
  forget(filter: CallFilter): Promise<void>;
}
