import { type Affine, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import { inferViews } from '../../stages/infer.ts';
import type { Box } from '../../types.ts';
import type { PadSignal } from '../signal.ts';

/** Side of the square over the longer side of the face box, as far as the picture reaches. */
const TIMES = 4;
const CHANNELS = 960;

/**
 * Output of the scene network, which was trained to find people and their limbs, for a wide square around the face: mean,
 * then standard deviation, of each channel over the square. They depend on hands, rims, sheets and rooms.
 *
 * The square lies wholly inside the picture. Repeated edges would reveal the picture's format, which distinguishes the
 * training collections and not attacks from bona fide faces.
 */
export const scene: PadSignal = {
  name: 'scene',
  values: ['mean', 'deviation'].flatMap((kind) =>
    Array.from({ length: CHANNELS }, (_, i) => `scene-${kind}-${TIMES}-${i}`),
  ),
  measure: async ({ models: { scene }, from, box }) => {
    const { width } = scene.spec.input;
    const output = await inferViews(scene, from, [squareInside(from, box, width)], 'edge');
    return spreadOf(output('activations'), CHANNELS);
  },
};

/** The square around the box, shrunk and moved until it lies inside the picture. */
function squareInside({ width, height }: Pick<Sampler, 'width' | 'height'>, box: Box, size: number): Affine {
  const side = Math.max(1, Math.min(width, height, TIMES * Math.max(box.width, box.height)));
  const along = (start: number, length: number, limit: number) =>
    Math.max(side / 2, Math.min(limit - side / 2, start + length / 2));
  const centre = { x: along(box.x, box.width, width), y: along(box.y, box.height, height) };
  return squareCrop(centre, side, 0, size);
}

/** Mean and standard deviation of each channel; the channels of a place are adjacent. */
function spreadOf(activations: Float32Array, channels: number): Float32Array {
  const spread = new Float32Array(2 * channels);
  const places = activations.length / channels;
  for (let channel = 0; channel < channels; channel++) {
    let [sum, squares] = [0, 0];
    for (let at = channel; at < activations.length; at += channels) {
      sum += activations[at]!;
      squares += activations[at]! ** 2;
    }
    spread[channel] = sum / places;
    spread[channels + channel] = Math.sqrt(Math.max(0, squares / places - (sum / places) ** 2));
  }
  return spread;
}
