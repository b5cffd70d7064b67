import type { SubmitSessionRequest } from '@wajah/contract';
import { type Face, judgeLight, type LightJudgement, type LightVerdict } from '@wajah/engine';
import type { LivenessSessionRecord } from '../../store/session-store.ts';
import type { Caller } from '../caller.ts';
import { quickTemplateOf } from '../faces/main-face.ts';
import { formatSimilarity } from '../galleries/format-similarity.ts';
import { type LivenessContext, pictureError } from './context.ts';
import { createNoLightsReason, createReason, type Reason } from './reasons.ts';
import { samePersonLimit } from './series.ts';

type LightFrames = NonNullable<SubmitSessionRequest['lightFrames']>;

/** What the lights of a session say. */
export interface LightCheck {
  /** Undefined when the session shows no lights. */
  readonly verdict?: LightVerdict;
  readonly reasons: readonly Reason[];
}

/**
 * Judges the frames of the lights: their order, whether they show the person of the session, and whether the face answered.
 * `cannot_tell` is a reason only where the server requires the challenge.
 * @param reference face that represents the session
 */
export async function checkLight(
  context: LivenessContext,
  caller: Caller,
  { lights }: LivenessSessionRecord,
  frames: LightFrames = [],
  reference: Face | undefined,
): Promise<LightCheck> {
  if (!lights) return { reasons: [] };
  const unanswered = (reason: Reason): LightCheck => ({
    verdict: 'cannot_tell',
    reasons: context.config.sessions.light === 'required' ? [reason] : [],
  });
  const cannotTell = (why: string, figures?: string) => unanswered(createReason('light', why, figures));
  // A page sends none where the person prefers reduced motion.
  if (frames.length === 0) return unanswered(createNoLightsReason());
  if (frames.length !== lights.length || frames.some(({ light }, i) => light !== i)) {
    const finding = `the light_frames do not follow the lights; required is one for each of 0 to ${lights.length - 1}, in this order`;
    return { verdict: 'not_answered', reasons: [createReason('light', finding)] };
  }
  const faces = await analyzeLights(context, caller, frames);
  const broken = faces.indexOf(undefined);
  if (broken >= 0 || !reference) return cannotTell(`light_frames[${Math.max(0, broken)}] cannot be judged`);
  const seen = faces as Face[];
  const others = checkPerson(context, seen, reference);
  const judgement = judgeLight(seen, lights);
  const figures = figuresOf(judgement);
  if (judgement.verdict === 'cannot_tell') {
    const open = cannotTell('the light on the face cannot be measured', figures);
    return { ...open, reasons: [...others, ...open.reasons] };
  }
  const failed = judgement.verdict === 'not_answered';
  const finding = 'the light on the face does not follow the lights of the screen';
  return {
    verdict: judgement.verdict,
    reasons: [...others, ...(failed ? [createReason('light', finding, figures)] : [])],
  };
}

function figuresOf({ strength, error, tint, share, others }: LightJudgement): string {
  return `strength ${strength.toFixed(3)} ± ${error.toFixed(3)}, tint ${tint.toFixed(3)}, ${(100 * share).toFixed(2)} % of all sequences as likely, all on average ${others.toPrecision(2)} times as likely`;
}

/** @returns for each frame its face, or undefined where it cannot be judged */
function analyzeLights(
  { pictures, analyze, mapPictures }: LivenessContext,
  caller: Caller,
  frames: LightFrames,
): Promise<(Face | undefined)[]> {
  return mapPictures(frames, async ({ image = '' }, index) => {
    const field = { kind: 'image', name: `light_frames[${index}].image` } as const;
    try {
      const picture = { field, bytes: pictures.decode(field, image) };
      const attributes = ['mesh', 'colours', 'quickEmbedding'] as const;
      return (await analyze(caller, picture, attributes)).face;
    } catch (error) {
      // Throws what is not about the picture.
      pictureError(error);
      return undefined;
    }
  });
}

/**
 * The lights must be answered by the person who did the steps: coloured light lowers the similarity of single frames, so
 * that each is compared at the limit of a series, and their median at the threshold of verification.
 */
function checkPerson(
  { engine, thresholds }: LivenessContext,
  faces: readonly Face[],
  reference: Face,
): Reason[] {
  const similarities = faces
    .map((face) => engine.similarity(quickTemplateOf(reference), quickTemplateOf(face)))
    .sort((a, b) => a - b);
  const [least, middle] = [similarities[0]!, similarities[similarities.length >> 1]!];
  const needed = thresholds.verification();
  if (least >= samePersonLimit && middle >= needed) return [];
  const figures = `similarity ${formatSimilarity(least)} at least and ${formatSimilarity(middle)} in the middle, ${formatSimilarity(samePersonLimit)} and ${formatSimilarity(needed)} are needed`;
  return [createReason('person', 'the light_frames show a face that does not match the frames', figures)];
}
