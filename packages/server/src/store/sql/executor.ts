/** Query parameter. Whole numbers must be safe integers; times are milliseconds since 1970. */
export type SqlValue = string | number | Uint8Array | null;

/** Single statements with $1, $2 … as placeholders. Both databases implement it. */
export interface SqlExecutor {
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** Commits a write. @returns number of changed rows */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /** As `run`, for counters: the write outlives the process, and may be lost when the machine loses its power. */
  count(sql: string, ...values: SqlValue[]): Promise<number>;
  /** As `run`, for statements that only erase: the embedded store also runs them while its disk is full. */
  erase(sql: string, ...values: SqlValue[]): Promise<number>;
  /** Commits a write with RETURNING. @returns its first row */
  returning<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
}
