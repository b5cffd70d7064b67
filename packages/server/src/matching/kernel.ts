/** A row of a table with its inner product with the probe. */
export interface Candidate {
  readonly row: number;
  readonly score: number;
}

/**
 * Vectors of one length in numbered rows, and the scan over them. This is where another way of scanning fits in:
 * codes in WASM memory, say, re-scored exactly.
 */
export interface VectorTable {
  readonly dimensions: number;
  /** Memory held. */
  readonly bytes: number;
  /** Sets a row; the table grows as needed. */
  write(row: number, vector: Float32Array): void;
  copy(from: number, to: number): void;
  /** Overwrites a row, for it was erased. */
  erase(row: number): void;
  /**
   * The `k` rows of the first `count` with the largest inner products, in any order, and with them all rows that
   * tie with the last of these. Exact: the products are those of the float32 vectors, summed in float64.
   * Synchronous, so that no write falls into a scan.
   */
  best(count: number, probe: Float32Array, k: number): Candidate[];
}

/** Makes an empty table with room for `capacity` rows. */
export type Kernel = (dimensions: number, capacity: number) => VectorTable;
