import type { CalibrationCurve } from '../similarity.ts';
import type { TemplateRecipe } from '../stages/template/template.ts';
import type { EmbeddingSpec } from '../types.ts';
import type { NetworkManifest, PackManifest } from './manifest.ts';

/** A dense float32 tensor, row-major. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** One open network. */
export interface Network {
  /** Names of the inputs and outputs, in the model's order. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Runs on the calling thread and blocks it. Keys are input names, results are by output name. */
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Record<string, Tensor>>;
  close(): Promise<void>;
}

/** Purpose of a network in a pack. Inputs are NCHW float32, normalised as its manifest says. */
export type Role = 'detector' | 'mesh' | 'iris' | 'features' | 'embedder' | 'scene';

/** A network with its manifest: input size, normalisation, alignment, threshold. */
export interface Model {
  readonly network: Network;
  readonly spec: NetworkManifest;
}

/** PAD networks for a near and a wide crop. */
export type PadNetworks = Readonly<Record<'near' | 'wide', Model>>;

/** The models of a pack. */
export type Models = Readonly<Record<Role, Model>> & {
  /** Template recipe; null where templates are the embedder's output. */
  readonly recipe: TemplateRecipe | null;
  /** Null when none are installed. */
  readonly padNetworks: PadNetworks | null;
};

/** A pack opened for inference in one thread. */
export interface OpenPack {
  readonly embeddingSpec: EmbeddingSpec;
  readonly manifest: PackManifest;
  /** Calibration of the embedder, for `similarityOf`; null before it was measured. */
  readonly curve: CalibrationCurve | null;
  readonly models: Models;
  close(): Promise<void>;
}
