import type { MessagePort } from 'node:worker_threads';
import type { ReaderOptions } from '../../store/database/session.ts';
import type { Match } from '../matcher.ts';
import type { MatrixFace, PackedRows } from '../matrix/matrix-rows.ts';
import type { MemorySegment, SegmentRequest } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel/kernel.ts';

// Messages between the main thread and the worker that reads galleries.

export interface ReaderWorkerData {
  readonly options: ReaderOptions;
  /** For memory requests. */
  readonly allocatorPort: MessagePort;
  /** Int32: 0 while a memory request is unanswered. */
  readonly answered: SharedArrayBuffer;
}

/** Result to produce: a whole matrix, the next faces or user_ids, or the best `k`. */
export type ReadPurpose =
  | { readonly for: 'matrix' }
  | { readonly for: 'slice'; readonly after: number; readonly limit: number }
  | { readonly for: 'list'; readonly after: string; readonly limit: number }
  | { readonly for: 'search'; readonly probe: Float32Array; readonly k: number };

/** A job of the worker. */
export interface ReadJob {
  readonly job: number;
  readonly gallery: number;
  /** Minimum version of a replica of the store. */
  readonly version: number;
  readonly key: Uint8Array;
  readonly purpose: ReadPurpose;
}

/** As `FaceStore.slice`, with the templates of its faces in one array. */
export interface OpenedSlice {
  readonly version: number;
  readonly total: number;
  readonly faces: readonly MatrixFace[];
  readonly templates: Float32Array;
}

export type ReaderCommand = ReadJob | { readonly cancel: number } | { readonly close: true };

/** Progress of a job (`read`: number of faces) or its result. */
export type ReaderReport = { readonly job: number } & (
  | { readonly read: number }
  | { readonly rows: PackedRows; readonly version: number }
  | { readonly slice: OpenedSlice }
  | { readonly userIds: string[] }
  | { readonly matches: Match[] }
  | { readonly failed: string }
);

/** Request for memory; the worker blocks until it is answered. */
export interface AllocationRequest {
  readonly job: number;
  readonly wanted: readonly SegmentRequest[];
}

export type Allocation =
  | { readonly pieces: MemorySegment[]; readonly memories: readonly WasmMemory[] }
  | { readonly refused: string };
