import { type Affine, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import { infer } from '../../stages/model.ts';
import type { Box } from '../../types.ts';
import type { PadSignal } from '../signal.ts';

/** Side of the square over the longer side of the face box, where the picture is large enough. */
const TIMES = 4;
const CHANNELS = 960;

/**
 * What the scene network, which was trained to find people and their limbs in everyday pictures, answers to a wide square
 * around the face: mean of each channel over the square, then its deviation. Hands, rims, sheets and rooms show in them.
 *
 * The square lies wholly inside the picture. Where it stuck out, its repeated edges would tell portrait from landscape
 * formats, and formats tell collections of pictures apart, not spoofs from faces.
 */
export const scene: PadSignal = {
  name: 'scene',
  values: ['mean', 'deviation'].flatMap((kind) =>
    Array.from({ length: CHANNELS }, (_, i) => `scene-${kind}-${TIMES}-${i}`),
  ),
  measure: async ({ models: { scene }, from, box }) => {
    const { width } = scene.spec.input;
    const crop = from.crop(squareInside(from, box, width), width, width, 'edge');
    return spreadOf((await infer(scene, [crop]))('activations'), CHANNELS);
  },
};

/** The square around the box, made smaller and moved as far as it takes to lie inside the picture. */
function squareInside({ width, height }: Pick<Sampler, 'width' | 'height'>, box: Box, size: number): Affine {
  const side = Math.max(1, Math.min(width, height, TIMES * Math.max(box.width, box.height)));
  const along = (start: number, length: number, limit: number) =>
    Math.max(side / 2, Math.min(limit - side / 2, start + length / 2));
  const centre = { x: along(box.x, box.width, width), y: along(box.y, box.height, height) };
  return squareCrop(centre, side, 0, size);
}

/** Mean and standard deviation of each of so many channels that lie side by side. */
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
