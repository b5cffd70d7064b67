import type { Affine } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import { infer, type Model } from '../../stages/model.ts';
import type { Box } from '../../types.ts';
import type { PadSignal } from '../signal.ts';

/** Cap of each network's −log probability (natural logarithm): both are often confident and wrong. */
const MOST = 4;

/**
 * Sum over the two installed MiniFASNet networks of −log P(bona fide), each capped: 0…2 × MOST. They were trained on boxes
 * of another detector, narrower than ours and with part of the forehead.
 */
export const minifasnet: PadSignal = {
  name: 'nets',
  values: ['doubt'],
  needs: 'padNetworks',
  measure: async ({ models: { padNetworks }, from, box }) => {
    if (padNetworks === null) return [Number.NaN];
    const detectorBox = asDetectorBox(box);
    return [
      (await cappedLoss(padNetworks.near, from, detectorBox)) +
        (await cappedLoss(padNetworks.wide, from, detectorBox)),
    ];
  },
};

async function cappedLoss(model: Model, from: Sampler, box: Box): Promise<number> {
  const { width, height } = model.spec.input;
  const toPicture = cropInside(from, box, model.spec.crop ?? 1, width, height);
  const classes = (await infer(model, [from.crop(toPicture, width, height, 'edge')]))('classes');
  const most = Math.max(...classes);
  const total = classes.reduce((sum, value) => sum + Math.exp(value - most), 0);
  // The second of the three classes is a bona fide face.
  return Math.min(MOST, Math.log(total) + most - classes[1]!);
}

/** Chosen on the attacks of `dev` among boxes of 1 to 1.5 times this size, square boxes, and the unchanged box. */
function asDetectorBox({ x, y, width, height }: Box): Box {
  return { x: x + 0.084 * width, y: y - 0.06 * height, width: width * 0.832, height: height * 0.96 };
}

/** The box enlarged as in the training of the networks: as far as the picture reaches, and moved inside it. */
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
