import { createHash } from 'node:crypto';
import { type Attributes, type BatchLivenessRequest, statuses } from '@wajah/contract';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { mapBounded } from '../../lib/keyed-queue.ts';
import type { Caller } from '../caller.ts';
import { analyzeMainFace } from '../pictures/main-face.ts';
import type { PictureField } from '../pictures/pictures.ts';
import type { EnrolledPerson } from '../recognition/enrolled-person.ts';
import type { LivenessContext } from './context.ts';
import {
  allHold,
  attributesFor,
  attributesOf,
  failuresOf,
  findingsOf,
  type Requirements,
  requiredState,
  withRequiredStates,
} from './findings.ts';
import type { Frame } from './frames/repeats.ts';
import { checkBatchSeries, seriesAttributes } from './series.ts';

type Item = BatchLivenessRequest['batch'][number];

/** The row of the status table that a picture was refused with, in the names of the wire. */
export interface PictureError {
  status: string;
  status_message: string;
  detail: string;
}

export interface BatchEntry extends Attributes {
  match: boolean;
  verified?: boolean;
  error?: PictureError;
}

/** A judged picture of a batch. */
interface JudgedItem {
  readonly entry: BatchEntry;
  readonly succeeded: boolean;
  /** Requirements that do not hold, or `picture` when it was refused. */
  readonly failures: readonly string[];
  /** Faces in the picture. */
  readonly found: number;
  /** For the checks of the series; absent when the picture was refused. */
  readonly frame?: Frame;
}

export function createBatch(context: LivenessContext) {
  const { deps, personOf } = context;
  return async (caller: Caller, request: BatchLivenessRequest) => {
    const { batch, successThreshold = batch.length } = request;
    const person = await personOf(caller, request);
    const judgeItem = (item: Item, index: number) =>
      judgeOrFail(context, caller, item, index, item.faceVerification ? person : undefined);
    // Bounded by the number of workers, so that one batch does not fill the queue.
    const judged = await mapBounded(batch, deps.engine.load().workers, judgeItem);

    const frames = judged.flatMap(({ frame }) => frame ?? []);
    // Programs written for that service send one picture for several parameters.
    const repeatsAllowed = deps.config.compat.includes('risetai');
    const reasons = await checkBatchSeries(deps, frames, repeatsAllowed);
    const successes = judged.filter(({ succeeded }) => succeeded).length;
    const passed = reasons.length === 0 && successes >= successThreshold;
    const found = Math.max(...judged.map((item) => item.found));
    const facts = {
      passed,
      images: batch.length,
      verification: person !== undefined,
      found,
      ...person?.facts,
    };
    const names = [...reasons.map(({ name }) => name), ...judged.flatMap(({ failures }) => failures)];
    const failures = passed ? [] : [...new Set(names)];
    const about = { galleryId: request.facegalleryId, userId: request.userId };
    await deps.events.livenessJudged(caller, { way: 'batch', ...facts }, failures, about);
    return {
      liveness: passed ? ('passed' as const) : ('failed' as const),
      /** Why the batch as a whole failed; empty when only single pictures did. */
      reasons: reasons.map(({ finding }) => finding),
      /** In the order of the request. */
      results: judged.map(({ entry }) => entry),
    };
  };
}

/** A refused picture fails alone; a busy server or a disconnected caller ends the batch. */
async function judgeOrFail(
  context: LivenessContext,
  caller: Caller,
  item: Item,
  index: number,
  person: EnrolledPerson | undefined,
): Promise<JudgedItem> {
  try {
    return await judgeItem(context, caller, item, index, person);
  } catch (error) {
    return {
      entry: { match: false, error: pictureError(error) },
      succeeded: false,
      failures: ['picture'],
      found: 0,
    };
  }
}

/** @throws the error itself when it is not about the picture */
export function pictureError(error: unknown): PictureError {
  if (!(error instanceof Refusal) || error.status === 'busy') throw error;
  const { status, message } = statuses[error.status];
  return { status, status_message: message, detail: error.detail };
}

async function judgeItem(
  { deps, pictures, thresholds }: LivenessContext,
  caller: Caller,
  { image = '', faceParameter, spoofDetection, faceVerification }: Item,
  index: number,
  person: EnrolledPerson | undefined,
): Promise<JudgedItem> {
  const field: PictureField = { kind: 'image', name: `batch[${index}].image` };
  const required: Requirements = { ...requiredState(faceParameter), spoofDetection, person };
  const bytes = pictures.decode(field, image);
  const attributes = [...new Set<Attribute>([...attributesFor(required), ...seriesAttributes])];
  const { minFace } = deps.config.limits;
  const { face, analysis } = await analyzeMainFace(pictures, caller, { field, bytes }, attributes, minFace);

  const findings = findingsOf(face, required, thresholds);
  const match = (findings.angle ?? findings.eyes ?? findings.mouth)?.holds ?? false;
  // Without a user the fields are there too, and have no effect.
  const verification = faceVerification && { verified: findings.verified?.holds ?? false, similarity: 0 };
  return {
    entry: { match, ...verification, ...attributesOf(withRequiredStates(face, required), findings) },
    succeeded: allHold(findings),
    failures: failuresOf(findings),
    found: analysis.found,
    frame: {
      name: `image${index + 1}`,
      parameter: faceParameter,
      digest: createHash('sha256').update(bytes).digest('hex'),
      judged: true,
      face,
    },
  };
}
