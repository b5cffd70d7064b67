import type { PadSignalScore } from '../types.ts';
import { leavesLookOpen, signalsInUse, spoofScore } from './fusion.ts';
import type { PadFace } from './signal.ts';
import { faceFeatures } from './signals/face-features.ts';
import { measurePadSignals } from './signals.ts';

/**
 * Spoof score of a face, and the signals that it is computed from. `look`, two runs of the features network, is measured
 * only where the others leave open on which side of a threshold the score lies (ADR 55).
 */
export async function scoreFace(face: PadFace): Promise<{ score: number; signals: PadSignalScore[] }> {
  const signals = signalsInUse(face.models.padNetworks !== null);
  const others = await measurePadSignals(
    face,
    signals.filter((signal) => signal !== faceFeatures),
  );
  if (!leavesLookOpen(others)) return spoofScore(others);
  return spoofScore({ ...others, ...(await measurePadSignals(face, [faceFeatures])) });
}
