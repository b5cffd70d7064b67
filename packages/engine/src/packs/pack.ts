import type { CalibrationCurve } from '../similarity.ts';
import type { Models } from '../stages/model.ts';
import type { EmbeddingSpec } from '../types.ts';
import type { PackManifest } from './manifest.ts';

/** A pack opened for inference in one thread. */
export interface OpenPack {
  readonly embeddingSpec: EmbeddingSpec;
  readonly manifest: PackManifest;
  /** Calibration of the embedder, for `similarityOf`; null before it was measured. */
  readonly curve: CalibrationCurve | null;
  readonly models: Models;
  /** Installed pack whose PAD networks are in use; null: there is none. */
  readonly padPack: string | null;
  close(): Promise<void>;
}
