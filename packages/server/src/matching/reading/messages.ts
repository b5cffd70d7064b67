import type { FaceReaderOptions } from '../../store/options.ts';
import type { Match } from '../matcher.ts';
import type { MatrixFace, PackedRows } from '../matrix/matrix-rows.ts';
import type { MemorySegment, SegmentRequest } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel/web-assembly.ts';

// What the main thread and the one that reads galleries say to each other.

/** What the reading thread is born with. */
export interface ReaderWorkerData {
  readonly options: FaceReaderOptions;
  /** For asking for memory. */
  readonly allocatorPort: MessagePort;
  /** 0 while an answer of the lender is waited for. Int32. */
  readonly answered: SharedArrayBuffer;
}

/** What a gallery is read for: its matrix, the next faces or user_ids for a matrix that is there, or its best `k`. */
export type ReadPurpose =
  | { readonly for: 'matrix' }
  | { readonly for: 'slice'; readonly after: number; readonly limit: number }
  | { readonly for: 'list'; readonly after: string; readonly limit: number }
  | { readonly for: 'search'; readonly probe: Float32Array; readonly k: number };

/** A gallery is to be read. */
export interface ReadJob {
  readonly job: number;
  readonly gallery: number;
  /** How new a copy of the store must be. */
  readonly version: number;
  readonly key: Uint8Array;
  readonly purpose: ReadPurpose;
}

/** As `FaceStore.slice`, with the templates of all its faces one after the other. */
export interface OpenedSlice {
  readonly version: number;
  readonly total: number;
  readonly faces: readonly MatrixFace[];
  readonly templates: Float32Array;
}

/** What it is told. */
export type ReaderCommand = ReadJob | { readonly cancel: number } | { readonly close: true };

/** What it says of a job; `read` and more is to come, or it is the last word. */
export type ReaderReport = { readonly job: number } & (
  | { readonly read: number }
  | { readonly rows: PackedRows; readonly version: number }
  | { readonly slice: OpenedSlice }
  | { readonly userIds: string[] }
  | { readonly matches: Match[] }
  | { readonly failed: string }
);

/** It asks for memory, and waits. */
export interface AllocationRequest {
  readonly job: number;
  readonly wanted: readonly SegmentRequest[];
}

export type Allocation =
  | { readonly pieces: MemorySegment[]; readonly memories: readonly WasmMemory[] }
  | { readonly refused: string };

/** Who reads asks for memory through one of these. */
export type MessagePort = import('node:worker_threads').MessagePort;
