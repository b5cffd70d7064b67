// Where things lie in the memory that kernels scan; scan.wat names the same places.

/** Codes are padded with zeros to a multiple of this: what one step of the kernel reads of a row. */
export const chunk = 16;

/** Rows that lie interleaved, `chunk` codes of each in turn. */
export const interleavedRows = 4;

/** Rows of a full block. Small galleries have one smaller block. */
export const blockRows = 1024;

/** Longest template. */
export const maxDimensions = 4096;

/**
 * Places inside a block, in bytes. What is scanned (codes, scales, residuals) lies apart from the rest, so that
 * the blocks of a gallery are one stream: with the templates in between, reading them took a tenth longer.
 */
export interface BlockLayout {
  /** Rows that fit. */
  readonly capacity: number;
  readonly dimensions: number;
  /** Codes of a row. */
  readonly stride: number;
  /** f32 of each row, after the codes. */
  readonly scales: number;
  /** f32 of each row; −∞ is an empty row. */
  readonly residuals: number;
  readonly scannedBytes: number;
  /** u32 of each row, after the templates: the version with which the face was written, modulo 2^32. */
  readonly seqs: number;
  /** `dimensions` f32 of each row, and the seqs. */
  readonly templateBytes: number;
}

/** Codes of a row. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / chunk) * chunk;
}

/** @param capacity a multiple of 4 */
export function blockLayout(capacity: number, dimensions: number): BlockLayout {
  const stride = strideOf(dimensions);
  const scales = capacity * stride;
  const residuals = scales + capacity * 4;
  const seqs = capacity * dimensions * 4;
  const scannedBytes = residuals + capacity * 4;
  return {
    capacity,
    dimensions,
    stride,
    scales,
    residuals,
    scannedBytes,
    seqs,
    templateBytes: seqs + capacity * 4,
  };
}

/** Of a row's first codes, in bytes from the start of its block; its next `chunk` lie 4 · `chunk` further. */
export function codesOf(row: number, stride: number): number {
  const lane = row % interleavedRows;
  return (row - lane) * stride + lane * chunk;
}

/** What kernel and caller tell each other. Places in units of 4 bytes. */
export const state = {
  threshold: 0,
  candidateCount: 1,
  k: 2,
  scale: 3,
  a: 4,
  b: 5,
  maxCandidates: 6,
  pruneThreshold: 7,
  lowerBounds: 8,
  candidates: 24,
} as const;

/** The best lower ends that a kernel keeps: it raises its threshold itself for no larger k. */
export const maxLowerBounds = 16;

/** Notes before the kernel forgets those that fell below the threshold, and what it may leave. */
export const maxCandidates = 1024;
export const pruneThreshold = 512;

/** Memory of one scan: the query, then the state with room for the last four notes. */
export const queryBytes = maxDimensions * 2;
const scratchBytes = queryBytes + state.candidates * 4 + (maxCandidates + interleavedRows) * 8;

/** The main thread is number 0. */
export const maxThreads = 9;

/** Where a thread's scratch lies, in every memory. Nothing lies at address 0, so that 0 can mean nothing. */
export function scratchOf(thread: number): number {
  return 64 + thread * Math.ceil(scratchBytes / 64) * 64;
}
