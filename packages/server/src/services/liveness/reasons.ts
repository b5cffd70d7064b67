import { unjudgedDetail } from '../../config/findings.ts';
import type { Diagnostic, ReasonName } from './ports.ts';

/**
 * What the person, or the program that sends the frames, should do. A hint tells an attacker nothing that the challenge
 * does not tell: it has no measured value, no limit, and names no frame.
 */
const hints: Readonly<Record<ReasonName, string>> = {
  order: 'send at least one frame of each step, in the order of the steps',
  time: 'send the true times of capture in ascending order, or none',
  step: 'do each step clearly and hold it for a moment',
  repeat: 'take a new picture for each step, while the person moves from step to step',
  replay: 'take new pictures in a new session; change the position or the light a little',
  person: 'keep one face in view from the first to the last step, uncovered and in good light',
  flat: 'keep the camera still and turn the head further, in good light',
  spoof:
    'use even light from the front, clean the lens, and keep screens and bright windows out of the picture',
  networks: unjudgedDetail,
  room: 'move back, so that the picture shows room around the head',
  quality: 'use more and even light, clean the lens, come closer, and hold still at each step',
  user: 'the face does not match user_id; let that person do the steps, uncovered and in good light',
};

/** Why a session or a batch is not passed. */
export interface Reason {
  readonly name: ReasonName;
  /** What to do; shown to every caller. */
  readonly hint: string;
  /**
   * What was found, with the names of the pictures but without measured values: in answers of a batch, whose pictures
   * the caller chose, and in diagnostics.
   */
  readonly finding: string;
  /** Measured values and limits: only in diagnostics and in records of calls. */
  readonly figures: string | undefined;
}

/** @param figures measured values and limits, in words such as "similarity 0.31, at least 0.45 is needed" */
export function createReason(name: ReasonName, finding: string, figures?: string): Reason {
  return { name, hint: hints[name], finding, figures };
}

/**
 * A reason about one step, which the person may know.
 * @param place such as `steps[1]`
 * @param hint what to do in this step
 */
export function createStepReason(place: string, hint: string, finding: string, figures?: string): Reason {
  return { name: 'step', hint: `${place}: ${hint}`, finding: `${place}: ${finding}`, figures };
}

/** The reasons as every caller may read them, each text once: a name, a colon, and what to do. */
export function reasonTexts(reasons: readonly Reason[]): string[] {
  return [...new Set(reasons.map(({ name, hint }) => `${name}: ${hint}`))];
}

export function diagnosticsOf(reasons: readonly Reason[]): Diagnostic[] {
  return reasons.map(({ name, finding, figures }) => ({
    name,
    detail: figures === undefined ? finding : `${finding} (${figures})`,
  }));
}
