import type { Affine } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Model } from '../../runtime/model.ts';
import type { Detection } from '../detected.ts';
import { inferViews } from '../infer.ts';
import { decodeBlazeface } from './blazeface.ts';
import { suppress } from './detection.ts';
import { VIEW } from './views.ts';
import { decodeYunet } from './yunet.ts';

/**
 * Runs the detector on one square view of the picture.
 * @param toPicture maps the 256 × 256 pixels of the view to the picture
 * @param threshold least score of a detection, 0…1
 */
export async function detect(
  detector: Model,
  from: Sampler,
  toPicture: Affine,
  threshold: number = detector.spec.threshold ?? 0.5,
): Promise<Detection[]> {
  const { input, decoder } = detector.spec;
  const finer = scaled(toPicture, VIEW / input.width);
  const output = await inferViews(detector, from, [finer]);
  const decode = decoder === 'yunet' ? decodeYunet : decodeBlazeface;
  return suppress(decode(output, input.width, threshold, finer));
}

function scaled({ a, b, c, d, tx, ty }: Affine, by: number): Affine {
  return { a: a * by, b: b * by, c: c * by, d: d * by, tx, ty };
}
