import { type Step, sessionFace } from '@wajah/contract';
import { captureFaults, flatnessOf, stillnessOf } from '@wajah/engine';
import type { LivenessSessionRecord } from '../../store/ports/sessions.ts';
import { requiredState } from './challenge.ts';
import { type BestFrame, checks, type SessionFrames, type StepFrame } from './checks.ts';
import type { AnalyzedFrame, LivenessContext } from './context.ts';
import {
  attributesOf,
  type Findings,
  findingsOf,
  type Requirements,
  withRequiredStates,
} from './findings.ts';
import type { Reason } from './reasons.ts';
import { type Frame, mostFrontal } from './series.ts';

/**
 * Judges frames that follow the steps of their session.
 * @param places for each frame the index of its step
 * @returns `reasons` why the session is not passed, `failed`: the checks that gave them; `reference`: the most frontal of
 *   the faces that represent a step and have a whole template
 */
export async function judge(
  context: LivenessContext,
  record: LivenessSessionRecord,
  frames: readonly AnalyzedFrame[],
  places: readonly number[],
) {
  const minFace = record.minFace ?? sessionFace.byDefault;
  const best = record.steps.map((step, place) => {
    const own = frames.flatMap((frame, index) => (places[index] === place ? { ...frame, index } : []));
    return bestFrame(context, step as Step, own, minFace);
  });
  const session = await sessionFrames(context, minFace, best, frames, places);
  const found: { name: string; reasons: Reason[] }[] = [];
  for (const { name, find } of checks) found.push({ name, reasons: await find(session) });
  return {
    results: best.map(({ result }) => result),
    reasons: found.flatMap(({ reasons }) => reasons),
    failed: found.flatMap(({ name, reasons }) => (reasons.length > 0 ? [name] : [])),
    reference: mostFrontal(
      session.chosen.flatMap(({ face }) => (face.embedding ? face : [])),
      (face) => face,
    ),
  };
}

/** What the checks see. */
async function sessionFrames(
  { engine, thresholds }: LivenessContext,
  minFace: number,
  best: readonly BestFrame[],
  frames: readonly AnalyzedFrame[],
  places: readonly number[],
): Promise<SessionFrames> {
  const judged = new Set(best.map(({ result }) => result.frame));
  const series = frames.flatMap(({ name, digest, result }, index): Frame[] => {
    if (!('face' in result)) return [];
    const picture = { name, digest: digest.toString('hex'), face: result.face };
    return [{ ...picture, parameter: `step ${places[index]}`, judged: judged.has(index) }];
  });
  const chosen = best.flatMap(nameOf);
  const matched = best.filter(({ result }) => result.match).flatMap(nameOf);
  const turning = chosen.flatMap(({ face, step }) => (requiredState(step).angle ? face : []));
  // Its limit is its own: other thresholds than 1 do not change it.
  const stillness = thresholds.spoof >= 1 ? undefined : await stillnessOf(turning);
  return {
    engine,
    thresholds,
    minFace,
    best,
    series,
    chosen,
    matched,
    flatness: flatnessOf(turning),
    stillness,
  };
}

function nameOf({ face, result }: BestFrame): StepFrame[] {
  return face ? [{ name: `frames[${result.frame}]`, step: result.step, face }] : [];
}

/** The frame that matches a step best, if possible one that can be judged. */
function bestFrame(
  { thresholds }: LivenessContext,
  step: Step,
  frames: readonly (AnalyzedFrame & { readonly index: number })[],
  minFace: number,
): BestFrame {
  const required: Requirements = { ...requiredState(step), spoofDetection: true };
  const judged = frames.flatMap(({ result, index }) => {
    if (!('face' in result)) return [];
    const { face } = result;
    const findings = findingsOf(face, required, thresholds);
    const faults = captureFaults(face, minFace).length;
    return { face, index, findings, match: stateFinding(findings), faults };
  });
  const [best] = judged.sort(
    (a, b) =>
      Number(b.match.holds) - Number(a.match.holds) ||
      a.faults - b.faults ||
      b.match.evidence - a.match.evidence,
  );
  if (best) {
    const { face, index, findings } = best;
    const attributes = attributesOf(withRequiredStates(face, required), findings);
    return { face, result: { step, match: best.match.holds, frame: index, ...attributes } };
  }
  const failed = frames.map(({ result }) => result).find((result) => 'error' in result);
  return { result: { step, match: false, ...(failed && { error: failed.error }) } };
}

function stateFinding({ angle, eyes, mouth }: Findings) {
  return angle ?? eyes ?? mouth ?? { holds: false, evidence: 0 };
}
