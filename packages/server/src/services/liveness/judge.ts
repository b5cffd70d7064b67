import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Step } from '@wajah/contract';
import { compareSkins, type Face, flatnessOf, sittingChange, stillnessOf } from '@wajah/engine';
import type { LivenessSessionRecord } from '../../store/ports.ts';
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
import { minFaceOf } from './frames.ts';
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
  const best = record.steps.map((step, place) => {
    const own = frames.flatMap((frame, index) => (places[index] === place ? { ...frame, index } : []));
    return bestFrame(context, step as Step, own);
  });
  const session = await sessionFrames(context, record, best, frames, places);
  const found = checks.map(({ name, find }) => ({ name, reasons: find(session) }));
  return {
    results: best.map(({ result }) => result),
    reasons: found.flatMap(({ reasons }): Reason[] => reasons),
    failed: found.flatMap(({ name, reasons }) => (reasons.length > 0 ? [name] : [])),
    reference: mostFrontal(
      session.chosen.flatMap(({ face }) => (face.embedding ? face : [])),
      (face) => face,
    ),
  };
}

/** What the checks see. */
async function sessionFrames(
  context: LivenessContext,
  record: LivenessSessionRecord,
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
  await compareInTurns(context, matched, turning);
  // Its limit is its own: other thresholds than 1 do not change it.
  const stillness = context.thresholds.spoof >= 1 ? undefined : stillnessOf(turning);
  const { engine, thresholds } = context;
  return {
    engine,
    thresholds,
    minFace: minFaceOf(record),
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
): BestFrame {
  const required: Requirements = { ...requiredState(step), spoofDetection: true };
  const judged = frames.flatMap(({ result, index }) => {
    if (!('face' in result)) return [];
    const findings = findingsOf(result.face, required, thresholds);
    const { face, faults } = result;
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

/**
 * Computes what the checks compare, a few milliseconds in each turn of the event loop.
 * @param turning of `stillnessOf`
 */
async function compareInTurns(
  { thresholds }: LivenessContext,
  [first, ...later]: readonly StepFrame[],
  turning: readonly Face[],
): Promise<void> {
  for (const { face } of later) {
    sittingChange(first!.face, face);
    await nextTurn();
  }
  if (thresholds.spoof >= 1) return;
  for (const _ of compareSkins(turning)) await nextTurn();
}
