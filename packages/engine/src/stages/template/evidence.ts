import type { Sampler } from '../../imaging/sampler.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Models } from '../model.ts';
import { alignFor } from './align.ts';
import { describe } from './embed.ts';
import { featuresOf } from './features.ts';
import { blend, unit } from './template.ts';

/** What the recognising networks say about a face. Each runs when it is first asked for, and once. */
export interface Evidence {
  /** The embedder's answers for the face and its mirror image, added. */
  descriptor(): Promise<Float32Array>;
  /** 1024 values of the features network. */
  features(): Promise<Float32Array>;
  /** Unit-length template, by the pack's recipe where it has one. */
  template(): Promise<Float32Array>;
}

/** What mask, template and training share of one face. */
export function evidenceOf(models: Models, from: Sampler, mesh: Mesh): Evidence {
  const { embedder, features: general, recipe } = models;
  const descriptor = once(() => describe(embedder, alignFor(embedder, from, mesh)));
  const features = once(() => featuresOf(general, alignFor(general, from, mesh)));
  const template = async () => {
    if (recipe === null) return unit(await descriptor());
    const needed = recipe.some((part) => part.of === 'features');
    return blend(recipe, {
      descriptor: await descriptor(),
      features: needed ? await features() : new Float32Array(),
    });
  };
  return { descriptor, features, template };
}

/** A promise that is made when it is first asked for, and once. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
