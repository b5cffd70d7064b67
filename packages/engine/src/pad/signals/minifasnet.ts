import type { Affine } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import { infer, type Model } from '../../stages/model.ts';
import type { Box } from '../../types.ts';
import type { PadSignal } from '../signal.ts';

/** A network that is sure says no more than this (natural logarithm): the two are often sure and wrong. */
const MOST = 4;

/**
 * How much the installed spoof nets hold the face for none: −log of the probability that it is live, capped, added
 * up: 0…2 × MOST. They were trained on the boxes of another detector, with some forehead and narrower than ours.
 */
export const minifasnet: PadSignal = {
  name: 'nets',
  values: ['doubt'],
  needs: 'padNetworks',
  measure: async ({ models: { padNetworks: spoofNets }, from, box }) => {
    if (spoofNets === null) return [Number.NaN];
    const theirs = asTheirs(box);
    return [(await doubt(spoofNets.near, from, theirs)) + (await doubt(spoofNets.wide, from, theirs))];
  },
};

async function doubt(model: Model, from: Sampler, box: Box): Promise<number> {
  const { width, height } = model.spec.input;
  const toPicture = cropInside(from, box, model.spec.crop ?? 1, width, height);
  const classes = (await infer(model, [from.crop(toPicture, width, height, 'edge')]))('classes');
  const most = Math.max(...classes);
  const total = classes.reduce((sum, value) => sum + Math.exp(value - most), 0);
  // The second of the three classes is a live face.
  return Math.min(MOST, Math.log(total) + most - classes[1]!);
}

/** Of boxes of 1 to 1.5 times this size, square ones, and ours as it is, this one told the attacks of `dev` best. */
function asTheirs({ x, y, width, height }: Box): Box {
  return { x: x + 0.084 * width, y: y - 0.06 * height, width: width * 0.832, height: height * 0.96 };
}

/** As the nets were trained: the box grown as far as the picture is large, and moved inside it. */
function cropInside(from: Sampler, box: Box, times: number, width: number, height: number): Affine {
  const [w, h] = [Math.max(1, box.width), Math.max(1, box.height)];
  const grown = Math.min(times, (from.width - 1) / w, (from.height - 1) / h);
  const place = (centre: number, side: number, limit: number) =>
    Math.max(0, Math.min(limit - side, centre - side / 2));
  return {
    a: Math.max(1, w * grown) / width,
    b: 0,
    tx: place(box.x + box.width / 2, w * grown, from.width),
    c: 0,
    d: Math.max(1, h * grown) / height,
    ty: place(box.y + box.height / 2, h * grown, from.height),
  };
}
