import type { PadSignalValues } from '@wajah/engine/training';
import type { Split } from '../data/eval-folder.ts';

/** Attack species, as in the manifests of `pad`; masks are worn or held. */
export type Species = 'bona fide' | 'print' | 'phone' | 'monitor' | 'unknown' | 'mask' | 'generated';

/** Signal values of one face. */
export interface PadExample {
  /** Task and file, with the number of a film's frame. */
  readonly name: string;
  readonly values: PadSignalValues;
  readonly attack: boolean;
  readonly species: Species;
  /** What shares people, cameras and rooms: a fit leaves out all of a collection or nothing. */
  readonly collection: string;
  readonly person: string;
  /** A whole camera frame, a crop around a face, a picture of another task, or a simulated capture. */
  readonly source: 'frame' | 'crop' | 'other' | 'simulated';
  readonly split: Split;
}

/** Whether error rates are measured on the example: whole frames that a camera took for authentication. */
export function isCapture({ source }: PadExample): boolean {
  return source === 'frame';
}

/**
 * Weight of each example. All examples of a collection and label together count as the square root of their number, so
 * that no camera dominates; simulated ones by `simulated` besides.
 */
export function collectionWeights(examples: readonly PadExample[], simulated: number): Float64Array {
  const key = ({ collection, attack, source }: PadExample) =>
    `${collection} ${attack} ${source === 'simulated'}`;
  const counts = new Map<string, number>();
  for (const example of examples) counts.set(key(example), (counts.get(key(example)) ?? 0) + 1);
  return Float64Array.from(examples, (example) => {
    const share = 1 / Math.sqrt(counts.get(key(example))!);
    return example.source === 'simulated' ? simulated * share : share;
  });
}
