import { squareCrop } from '../../imaging/geometry.ts';
import { inferViews } from '../../stages/infer.ts';
import type { PadSignal } from '../signal.ts';

/** Sides of the crops over the longer side of the face box: the face alone, and the head with its surroundings. */
const TIMES = [1.2, 2.2] as const;
const FEATURES = 1024;

/**
 * Outputs of the features network for two upright squares around the face, concatenated. The network was trained for
 * recognition; its outputs also depend on light, skin and paper.
 */
export const faceFeatures: PadSignal = {
  name: 'look',
  values: TIMES.flatMap((times) => Array.from({ length: FEATURES }, (_, i) => `look-${times}-${i}`)),
  measure: async ({ models: { features }, from, box }) => {
    const { width } = features.spec.input;
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const longer = Math.max(box.width, box.height, 1);
    const outputs = new Float32Array(TIMES.length * FEATURES);
    for (const [i, times] of TIMES.entries()) {
      const view = squareCrop(centre, longer * times, 0, width);
      outputs.set((await inferViews(features, from, [view], 'edge'))('features'), i * FEATURES);
    }
    return outputs;
  },
};
