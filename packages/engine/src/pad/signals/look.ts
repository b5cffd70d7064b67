import { squareCrop } from '../../imaging/geometry.ts';
import { featuresOf } from '../../stages/template/features.ts';
import type { PadSignal } from '../signal.ts';

/** Sides of the crops over the longer side of the face box: the face alone, and the head with what is beside it. */
const TIMES = [1.2, 2.2] as const;
const FEATURES = 1024;

/**
 * What the features network says of the face's upright square and of a wider one, one after the other. It was trained
 * to tell people apart; light, skin and paper show in its answers all the same.
 */
export const faceFeatures: PadSignal = {
  name: 'look',
  values: TIMES.flatMap((times) => Array.from({ length: FEATURES }, (_, i) => `look-${times}-${i}`)),
  measure: async ({ models: { features }, from, box }) => {
    const { width } = features.spec.input;
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const longer = Math.max(box.width, box.height, 1);
    const answers: number[] = [];
    for (const times of TIMES) {
      const crop = from.crop(squareCrop(centre, longer * times, 0, width), width, width, 'edge');
      answers.push(...(await featuresOf(features, crop)));
    }
    return Float32Array.from(answers);
  },
};
