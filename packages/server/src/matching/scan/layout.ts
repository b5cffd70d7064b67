// Layout of the memory that the kernel scans. scan.wat uses the same offsets.

/** Bytes of a page, the unit in which WASM memory grows. */
export const pageBytes = 65_536;

/** Codes that one step of the kernel reads of a row. Rows are padded with zeros to a multiple of this. */
export const chunk = 16;

/** Rows that are interleaved, `chunk` codes of each in turn. */
export const interleavedRows = 4;

/** Maximum dimensions of a template. */
const maxDimensions = 4096;

/**
 * How rows lie in pages. Codes, scales and residuals, which a scan reads, have pages of their own, so that those of a
 * gallery are contiguous: with the templates in between, a scan took a tenth longer. Four rows lie together: their codes,
 * four scales (f32), four residuals (f32).
 */
export interface PageLayout {
  /** Codes of a row, bytes. */
  readonly stride: number;
  /** Rows of a page of codes, a multiple of `interleavedRows`. */
  readonly codeRows: number;
  /** Rows of a page of templates, f32. */
  readonly templateRows: number;
}

/** Codes of a row. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / chunk) * chunk;
}

/** @throws RangeError above `maxDimensions` */
export function pageLayout(dimensions: number): PageLayout {
  if (dimensions > maxDimensions) throw new RangeError(`templates of ${dimensions} dimensions`);
  const stride = strideOf(dimensions);
  const codeRows = Math.floor(pageBytes / codesOf(interleavedRows, stride)) * interleavedRows;
  const templateRows = Math.floor(pageBytes / Math.max(4, dimensions * 4));
  return { stride, codeRows, templateRows };
}

/** Bytes of a row beside its codes: scale and residual. */
const factorBytes = 8;

/** Of a row's first codes, in bytes from the start of its page; its next `chunk` lie 4 · `chunk` further. */
export function codesOf(row: number, stride: number): number {
  const lane = row % interleavedRows;
  return (row - lane) * (stride + factorBytes) + lane * chunk;
}

/** Of a row's scale, in bytes from the start of its page; its residual lies 16 further. */
export function scaleOf(row: number, stride: number): number {
  const lane = row % interleavedRows;
  return codesOf(row - lane, stride) + interleavedRows * stride + lane * 4;
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

/** Lower bounds that the kernel keeps; for larger k it does not raise its threshold. */
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
