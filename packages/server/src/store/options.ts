/** How to reach a PostgreSQL store. */
export interface PostgresOptions {
  /** postgres://…; of several hosts, the one that accepts writes is used. */
  readonly url: string;
  /** Standby that galleries are read from. */
  readonly readUrl?: string | null;
  /** Maximum number of connections to each of the two. Default: 10. */
  readonly connections?: number;
  /** Timeout of a statement and of the wait for a connection, milliseconds. Default: 10 000. */
  readonly timeoutMs?: number;
}

/** What another thread needs to read a store; structured-cloneable. */
export type ReaderOptions =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly options: PostgresOptions };
