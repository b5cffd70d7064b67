import type { FaceReaderAddress } from '../../store/face-reader.ts';
import type { PackedRows } from '../matrix-rows.ts';
import type { Piece, Wanted } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/web-assembly.ts';

// What the main thread and the one that builds matrices say to each other.

/** What the building thread is born with. */
export interface BuilderBirth {
  readonly address: FaceReaderAddress;
  /** For asking for memory. */
  readonly lender: MessagePort;
  /** 0 while an answer of the lender is waited for. Int32. */
  readonly answered: SharedArrayBuffer;
}

/** What it is told. */
export type BuilderOrder =
  | {
      readonly build: number;
      readonly gallery: number;
      /** How new a copy of the store must be. */
      readonly version: number;
      readonly key: Uint8Array;
    }
  | { readonly giveUp: number }
  | { readonly close: true };

/** What it says of a building; `read` and more is to come, or it is the last word. */
export type BuilderReport = { readonly build: number } & (
  | { readonly read: number }
  | { readonly rows: PackedRows; readonly version: number }
  | { readonly failed: string }
);

/** It asks for memory, and waits. */
export interface LoanRequest {
  readonly build: number;
  readonly wanted: readonly Wanted[];
}

export type Loan =
  | { readonly pieces: Piece[]; readonly memories: readonly WasmMemory[] }
  | { readonly refused: string };

/** Who builds asks for memory through one of these. */
export type MessagePort = import('node:worker_threads').MessagePort;
