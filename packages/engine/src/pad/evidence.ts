import type { PadFace, PadSignal } from './signal.ts';

/** Values of each cue that was measured, by its name; a value that the picture cannot tell is NaN. */
export type PadSignalValues = Readonly<Record<string, ArrayLike<number>>>;

/** Measures a face for the cues whose networks are there. */
export async function measurePadSignals(cues: readonly PadSignal[], face: PadFace): Promise<PadSignalValues> {
  const evidence: Record<string, ArrayLike<number>> = {};
  for (const cue of cues) {
    if (cue.needs !== undefined && face.models[cue.needs] === null) continue;
    evidence[cue.name] = await cue.measure(face);
  }
  return evidence;
}
