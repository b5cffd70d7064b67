import { mirrored } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { inferViews, type Model, type Models } from '../model.ts';
import { alignedView } from './align.ts';
import { applyRecipe, toUnitLength } from './template.ts';

/** Outputs of the recognition networks for one face. Each network runs at the first call of its method, once. */
export interface FaceVectors {
  /** Sum of the embedder's outputs for the face and its mirror image; as long as the embedder's output. */
  descriptor(): Promise<Float32Array>;
  /** Output of the features network, 1024 values. */
  features(): Promise<Float32Array>;
  /** Unit-length template: the descriptor, or what the pack's recipe makes of both outputs. */
  template(): Promise<Float32Array>;
}

/** Vectors of the face that the mesh lies on, shared by template, mask and training. */
export function faceVectors(models: Models, from: Sampler, mesh: Mesh): FaceVectors {
  const { embedder, features: featuresNetwork, recipe } = models;
  const descriptor = memoize(() => embed(embedder, from, mesh));
  const features = memoize(async () => {
    const view = alignedView(featuresNetwork, mesh);
    return (await inferViews(featuresNetwork, from, [view]))('features');
  });
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

async function embed(embedder: Model, from: Sampler, mesh: Mesh): Promise<Float32Array> {
  const view = alignedView(embedder, mesh);
  const both = [view, mirrored(view, embedder.spec.input.width)];
  const outputs = (await inferViews(embedder, from, both))('descriptor');
  const dimensions = outputs.length / 2;
  const sum = outputs.slice(0, dimensions);
  for (let i = 0; i < dimensions; i++) sum[i]! += outputs[i + dimensions]!;
  return sum;
}

/** Calls `create` at the first call and returns the same value or promise from then on. */
export function memoize<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
