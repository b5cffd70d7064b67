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
  /** Null: it is not of the chain. */
  readonly link: RecordLink | null;
}

/** Makes the links of a chain under a key that the store does not have. */
export interface AuditChain {
  link(entry: AuditEntry, previous: ChainLink): RecordLink;
  /** Seals an end of the chain. */
  sealEnd(end: ChainEnd, link: ChainLink): SealedLink;
  isSealedEnd(end: ChainEnd, link: SealedLink): boolean;
}

/** The head is the last record; the anchor is the last one that was pruned. */
export type ChainEnd = 'head' | 'anchor';

/** Records in no place of the chain: somebody inserted them, or moved an end of the chain. */
export interface Strays {
  /** The first 100, with their numbers, which may be larger than any safe integer; null: without one. */
  readonly strays: { readonly id: string; readonly number: string | null }[];
}

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
   * Appends entries in order, in one transaction. Names no client that is not registered, or was not at the time of
   * the entry: an entry that was under way during an erasure must not bring its name back.
   * @param relaxed the embedded store may lose them in a power failure within 50 ms
   */
  append(entries: readonly AuditEntry[], chain: AuditChain, relaxed?: boolean): Promise<ChainLink[]>;
  /** Newest first, also those in no place of the chain, whose link is null. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** Records of the chain, in order of their number. @param after number, exclusive */
  read(after: number, limit: number): Promise<AuditRecord[]>;
  /** In order of month, gallery and event. */
  counts(query: { readonly clientId: string; readonly from: Date; readonly to: Date }): Promise<EventCount[]>;
  ends(): Promise<Readonly<Record<ChainEnd, SealedLink>> & Strays>;
  /**
   * Deletes records before a time (null: none), and completes interrupted erasures. The chain then begins behind the
   * anchor. @returns number of deleted records
   */
  prune(before: Date | null, chain: AuditChain): Promise<number>;
}
