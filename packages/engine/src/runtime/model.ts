import type { NetworkManifest, Role } from '../packs/manifest.ts';
import type { TemplateRecipe } from '../packs/recipe.ts';

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

/** A network with its manifest: input size, normalisation, alignment, threshold. */
export interface Model {
  readonly network: Network;
  readonly spec: NetworkManifest;
  /** The same network for a smaller input. */
  readonly smaller?: Model | undefined;
}

/** PAD networks for a near and a close crop. */
export type PadNetworks = Readonly<Record<'near' | 'close', Model>>;

/** The models of a pack. */
export type Models = Readonly<Record<Role, Model>> & {
  /** Template recipe; null where templates are the embedder's output. */
  readonly recipe: TemplateRecipe | null;
  /** Its vector is a part of the recipe; null: the pack has none. */
  readonly secondEmbedder: Model | null;
  /** Null when none are installed. */
  readonly padNetworks: PadNetworks | null;
};
