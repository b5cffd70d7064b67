// Layout of the memory that kernels scan. scan.wat uses the same offsets.

/** Codes that one step of the kernel reads of a row. Rows are padded with zeros to a multiple of this. */
export const chunk = 16;

/** Rows that are interleaved, `chunk` codes of each in turn. */
export const interleavedRows = 4;

/** Rows of a full block. Small galleries have one smaller block. */
export const blockRows = 1024;

/** Maximum dimensions of a template. */
export const maxDimensions = 4096;

/**
 * Offsets in a block, bytes. Scanned data (codes, scales, residuals) are apart from the rest, so that the blocks of a
 * gallery are contiguous: with the templates in between, a scan took a tenth longer.
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

/** State shared by kernel and caller. Offsets in units of 4 bytes. */
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

/** Lower bounds that a kernel keeps; for larger k it does not raise its threshold. */
export const maxLowerBounds = 16;

/** Candidates at which the kernel prunes those below the threshold, and at which it returns after pruning. */
export const maxCandidates = 1024;
export const pruneThreshold = 512;

/** Scratch area of a scan: the query, then the state with space for four more candidates. */
export const queryBytes = maxDimensions * 2;
const scratchBytes = queryBytes + state.candidates * 4 + (maxCandidates + interleavedRows) * 8;

/** The main thread is number 0. */
export const maxThreads = 9;

/** Address of a thread's scratch area, in every memory. Address 0 is unused. */
export function scratchOf(thread: number): number {
  return 64 + thread * Math.ceil(scratchBytes / 64) * 64;
}
