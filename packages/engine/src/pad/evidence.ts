import type { PadSignal, SpoofFace } from './signal.ts';

/** Values of each cue that was measured, by its name; a value that the picture cannot tell is NaN. */
export type PadEvidence = Readonly<Record<string, ArrayLike<number>>>;

/** Measures a face for the cues whose networks are there. */
export async function spoofEvidence(cues: readonly PadSignal[], face: SpoofFace): Promise<PadEvidence> {
  const evidence: Record<string, ArrayLike<number>> = {};
  for (const cue of cues) {
    if (cue.needs !== undefined && face.models[cue.needs] === null) continue;
    evidence[cue.name] = await cue.measure(face);
  }
  return evidence;
}
