/** A model pack in the store. */
export interface StoredPack {
  readonly id: string;
  /** JSON. */
  readonly definition: string;
  /** Of the definition and the files, see `StoredAuditChain`. */
  readonly seal: Uint8Array;
}

/** Model packs that are kept with the people who are enrolled with them. */
export interface PackStore {
  list(): Promise<StoredPack[]>;
  /** Bytes by name, in the order of the names; none of a pack that is too large to be kept. */
  files(id: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Replaces one of the same name. */
  put(pack: StoredPack, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Embedding specs (JSON) that people are enrolled with. */
  enrolled(): Promise<string[]>;
}
