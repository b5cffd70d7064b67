import { squareCrop } from '../geometry.ts';
import type { Sampler } from '../sampler.ts';
import type { Box } from '../types.ts';
import { featuresOf } from './features.ts';
import type { Model } from './model.ts';

/** Sides of the crops over the longer side of the face box: the face alone, and the head with what is beside it. */
const TIMES = [1.2, 2.2] as const;

/**
 * What the features network says of the face's upright square and of a wider one, one after the other: 2 × 1024
 * values. It was trained to tell people apart; light, skin and paper show in its answers all the same.
 * @param box of the face, pixels of the upright picture
 */
export async function spoofLook(features: Model, from: Sampler, box: Box): Promise<Float32Array> {
  const { width } = features.spec.input;
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const longer = Math.max(box.width, box.height, 1);
  const answers: number[] = [];
  for (const times of TIMES) {
    const crop = from.crop(squareCrop(centre, longer * times, 0, width), width, width, 'edge');
    answers.push(...(await featuresOf(features, crop)));
  }
  return Float32Array.from(answers);
}
