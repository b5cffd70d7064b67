import { toUnitLength } from '../similarity.ts';
import type { EmbeddingSpec, Engine } from '../types.ts';

/** Whether templates of the two specifications are comparable. */
export function sameEmbeddingSpec(a: EmbeddingSpec, b: EmbeddingSpec): boolean {
  const names = Object.keys(b) as (keyof EmbeddingSpec)[];
  return names.every((name) => a[name] === b[name]);
}

/**
 * Converts templates of an earlier version: the first values are kept and brought to unit length, the others are 0. The
 * inner product with a template of this version compares the kept values alone.
 * @param from what the templates are pinned to
 * @returns the conversion of one template, which throws a RangeError for one of another length; null: there is none
 * @example
 * const upgrade = upgradeFrom(engine, stored);
 * const template = upgrade?.(earlier); // engine.embeddingSpec.dimensions values
 */
export function upgradeFrom(
  { embeddingSpec: { dimensions }, upgrades }: Pick<Engine, 'embeddingSpec' | 'upgrades'>,
  from: EmbeddingSpec,
): ((template: Float32Array) => Float32Array) | null {
  const upgrade = upgrades.find((one) => sameEmbeddingSpec(from, one.from));
  if (!upgrade) return null;
  return (template) => {
    if (template.length !== from.dimensions) {
      throw new RangeError(`a template of ${template.length} values, its pack has ${from.dimensions}`);
    }
    const upgraded = new Float32Array(dimensions);
    upgraded.set(toUnitLength(template.subarray(0, upgrade.keep)));
    return upgraded;
  };
}
