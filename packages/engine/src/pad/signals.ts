import { squareCrop } from '../imaging/geometry.ts';
import { inferViews } from '../stages/infer.ts';
import type { PadFace, PadSignal } from './signal.ts';
import { minifasnet } from './signals/minifasnet.ts';
import { moire } from './signals/moire.ts';
import { scene } from './signals/scene.ts';
import { spectrum } from './signals/spectrum.ts';
import { surroundings } from './signals/surroundings.ts';

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

/** Every signal, in the order of the score's reported parts. */
export const PAD_SIGNALS: readonly PadSignal[] = [
  faceFeatures,
  scene,
  spectrum,
  moire,
  surroundings,
  minifasnet,
];

/** Values of each measured signal by its name; NaN where the picture does not determine a value. */
export type PadSignalValues = Readonly<Record<string, ArrayLike<number>>>;

/** Measures the signals whose networks are installed. */
export async function measurePadSignals(
  face: PadFace,
  signals: readonly PadSignal[] = PAD_SIGNALS,
): Promise<PadSignalValues> {
  const values: Record<string, ArrayLike<number>> = {};
  for (const signal of signals) {
    if (signal.needs !== undefined && face.models[signal.needs] === null) continue;
    values[signal.name] = await signal.measure(face);
  }
  return values;
}
