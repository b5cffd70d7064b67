import type { PadFace, PadSignal } from './signal.ts';
import { faceFeatures } from './signals/face-features.ts';
import { minifasnet } from './signals/minifasnet.ts';
import { moire } from './signals/moire.ts';
import { scene } from './signals/scene.ts';
import { spectrum } from './signals/spectrum.ts';
import { surroundings } from './signals/surroundings.ts';

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
