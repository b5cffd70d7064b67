import type { AlignedFaceImage, PerceptualHash } from '@wajah/engine';
import type { Keys } from '../../security/vaults/sealing.ts';
import type { ReaderOptions } from '../../store/database/session.ts';

/** What the worker of frames starts with. */
export interface FrameWorkerData {
  readonly options: ReaderOptions;
  /** `FrameVault.keys` */
  readonly keys: Keys;
  /** How long frames are remembered. */
  readonly hours: number;
}

/** A frame to look for. */
export interface SearchedFrame {
  /** Of `FrameVault.digest`. */
  readonly digest: Uint8Array;
  /** Undefined: only the digest is looked for. */
  readonly image: AlignedFaceImage | undefined;
}

export type FrameQuestion =
  /** Reads what was recorded and erased; the number of hashes. */
  | { readonly kind: 'refresh' }
  /** For each frame whether it is the same picture as one with an id below `before`. */
  | {
      readonly kind: 'search';
      readonly frames: readonly SearchedFrame[];
      readonly before: number;
    }
  /** For each pair of frames, by their places, whether they are the same picture. */
  | {
      readonly kind: 'compare';
      readonly frames: readonly PerceptualHash[];
      readonly pairs: readonly (readonly [number, number])[];
    };

export type FrameAnswer = number | boolean[];

export type FrameCommand =
  | { readonly job: number; readonly question: FrameQuestion }
  | { readonly close: true };

export type FrameReply = { readonly job: number } & (
  | { readonly answer: FrameAnswer }
  /** `unavailable`: the store was. */
  | { readonly error: string; readonly unavailable: boolean }
);
