/** An event, without personal data: no user_id, name, picture or template. */
export interface AuditEntry {
  readonly at: Date;
  readonly event: string;
  readonly clientId: string | null;
  readonly trxId: string | null;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** A place in the chain of records. */
export interface ChainLink {
  /** 1, 2, 3, … without gaps; 0: before the first record. */
  readonly number: number;
  /** SHA-256, 32 bytes; zeros before the first record. */
  readonly hash: Uint8Array;
}

/** A place in the chain with an HMAC-SHA-256, which only a holder of the master key can make. */
export interface SealedLink extends ChainLink {
  readonly seal: Uint8Array;
}

/** What links an entry to the record before it. */
export interface RecordLink extends SealedLink {
  /** 16 random bytes; null: what the digest is of was erased. */
  readonly salt: Uint8Array | null;
  /** SHA-256 of salt, client, trx_id and facts. */
  readonly digest: Uint8Array;
}

/** A stored record. */
export interface AuditRecord extends AuditEntry {
  /** Grows with each record, with gaps. */
  readonly id: number;
  /** Null: written by a version without a chain. */
  readonly link: RecordLink | null;
}

/** Makes the links of a chain under a key that the store does not have. */
export interface AuditChain {
  link(entry: AuditEntry, previous: ChainLink): RecordLink;
  /** Seals an end of the chain. */
  sealEnd(end: ChainEnd, link: ChainLink): SealedLink;
}

/** The head is the last record; the anchor is the last one that was pruned. */
export type ChainEnd = 'head' | 'anchor';

/** Which records to list: those that meet every condition. */
export interface AuditQuery {
  readonly limit: number;
  /** Id, exclusive. */
  readonly before?: number | undefined;
  readonly since?: Date | undefined;
  readonly clientId?: string | undefined;
  readonly event?: string | undefined;
}

/** Number of records of one client, month and event. */
export interface EventCount {
  /** Null: of no gallery. */
  readonly galleryId: string | null;
  /** UTC, such as 2026-01. */
  readonly month: string;
  readonly event: string;
  readonly count: number;
}

/** A hash chain of records: each contains the hash of the one before. Servers of one store write one chain. */
export interface AuditStore {
  /**
   * Appends entries in order, in one transaction. Names no client that is not registered, or was not at the time of the
   * entry: an entry that was under way during an erasure must not bring its name back.
   */
  append(entries: readonly AuditEntry[], chain: AuditChain): Promise<ChainLink[]>;
  /** Newest first, also those without a link. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** Records with a link, in order of their number. @param after number, exclusive */
  read(after: number, limit: number): Promise<AuditRecord[]>;
  /** In order of month, gallery and event. */
  counts(query: { readonly clientId: string; readonly from: Date; readonly to: Date }): Promise<EventCount[]>;
  /** The ends of the chain, and how many records without a link are newer than its first record. */
  ends(): Promise<Readonly<Record<ChainEnd, SealedLink>> & { readonly unlinked: number }>;
  /**
   * Deletes records before a time (null: none), and completes interrupted erasures. The chain then begins behind the
   * anchor. @returns number of deleted records
   */
  prune(before: Date | null, chain: AuditChain): Promise<number>;
}

/** An entry that names no client, call or gallery. */
export function withoutNames({ at, event, facts }: AuditEntry): AuditEntry {
  const { facegallery_id: _, ...rest } = facts;
  return { at, event, clientId: null, trxId: null, facts: rest };
}

/** Whether an entry may name its client. @param registered time of registration; absent or null: not registered */
export function mayName(
  { at, clientId }: AuditEntry,
  registered: ReadonlyMap<string, number | null>,
): boolean {
  const since = clientId === null ? null : registered.get(clientId);
  return since !== undefined && since !== null && since <= at.getTime();
}
