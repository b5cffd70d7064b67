import type { Sampler } from '../../imaging/sampler.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Models } from '../model.ts';
import { alignFor } from './align.ts';
import { embed } from './embed.ts';
import { featuresOf } from './features.ts';
import { applyRecipe, toUnitLength } from './template.ts';

/** What the recognising networks say about a face. Each runs when it is first asked for, and once. */
export interface FaceVectors {
  /** The embedder's answers for the face and its mirror image, added. */
  descriptor(): Promise<Float32Array>;
  /** 1024 values of the features network. */
  features(): Promise<Float32Array>;
  /** Unit-length template, by the pack's recipe where it has one. */
  template(): Promise<Float32Array>;
}

/** What mask, template and training share of one face. */
export function faceVectors(models: Models, from: Sampler, mesh: Mesh): FaceVectors {
  const { embedder, features: general, recipe } = models;
  const descriptor = memoize(() => embed(embedder, alignFor(embedder, from, mesh)));
  const features = memoize(() => featuresOf(general, alignFor(general, from, mesh)));
  const template = async () => {
    if (recipe === null) return toUnitLength(await descriptor());
    const needed = recipe.some((part) => part.of === 'features');
    return applyRecipe(recipe, {
      descriptor: await descriptor(),
      features: needed ? await features() : new Float32Array(),
    });
  };
  return { descriptor, features, template };
}

/** A promise that is made when it is first asked for, and once. */
export function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
