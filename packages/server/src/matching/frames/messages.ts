import type { AlignedFaceImage } from '@wajah/engine';
import type { StoredFramePart } from '../../store/session-store.ts';
import type { FrameRange } from './packed-hashes.ts';

/** What the worker of frames starts with. */
export interface FrameWorkerData {
  /** `FrameVault.key` */
  readonly key: Uint8Array;
}

/** Sealed hashes that the worker does not have yet. */
interface AddFrames {
  readonly kind: 'add';
  readonly frames: readonly (StoredFramePart & { readonly sentAt: Date })[];
  /** Older ones are dropped; milliseconds. */
  readonly since: number;
}

/** A question with a number, under which it is answered. */
export type FrameQuestion =
  | {
      readonly kind: 'candidates';
      readonly images: readonly AlignedFaceImage[];
      readonly range: FrameRange;
      /** Most candidates of an image. */
      readonly most: number;
    }
  | {
      readonly kind: 'same';
      readonly image: AlignedFaceImage;
      /** Sealed details of candidates, the most similar first. */
      readonly details: readonly StoredFramePart[];
    };

export type FrameCommand = AddFrames | (FrameQuestion & { readonly job: number });

/** Ids of candidates of each image; or whether one of them is the same picture. */
export type FrameReply = { readonly job: number } & (
  | { readonly answer: readonly number[][] | boolean }
  | { readonly error: string }
);
