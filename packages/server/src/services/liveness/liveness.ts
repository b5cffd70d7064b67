import { createHash } from 'node:crypto';
import type { RequestOf } from '@wajah/contract';
import type { Attribute } from '@wajah/engine';
import { unjudgedDetail } from '../../config/findings.ts';
import type { Caller } from '../caller.ts';
import { describeFace, requireClear } from '../faces/main-face.ts';
import { imageField, pictureError } from '../faces/pictures.ts';
import type { PictureField } from '../faces/ports.ts';
import type { EnrolledPerson } from '../galleries/ports.ts';
import { requiredState } from './challenge.ts';
import { createLivenessContext, type LivenessContext, type LivenessDependencies } from './context.ts';
import {
  allHold,
  attributesFor,
  attributesOf,
  confidenceOf,
  failuresOf,
  findingsOf,
  type Requirements,
  withRequiredStates,
} from './findings.ts';
import type { BatchEntry, LivenessService } from './ports.ts';
import { checkBatchSeries, type Frame, seriesAttributes } from './series.ts';

/** Judges whether pictures show a bona fide presentation with the requested head pose, eyes and mouth. */
export function createLivenessService(deps: LivenessDependencies): LivenessService {
  const context = createLivenessContext(deps);
  return { single: createSingle(context), batch: createBatch(context) };
}

/** A single call reports all attributes of the face, whatever the request requires. */
const allAttributes = ['mask', 'pose', 'eyes', 'mouth'] as const satisfies readonly Attribute[];

function createSingle({ events, pictures, thresholds, personOf, analyze }: LivenessContext) {
  return async (caller: Caller, request: RequestOf<'verifyLiveness'>) => {
    const { spoofDetection = true, ...states } = request.faceParameters;
    const person = await personOf(caller, request);
    const attributes: Attribute[] = [...allAttributes];
    if (spoofDetection) attributes.push('spoof');
    if (person) attributes.push('embedding', 'unclear');
    const picture = { field: imageField, bytes: pictures.decode(imageField, request.image) };
    const { face, analysis } = await analyze(caller, picture, attributes);

    const findings = findingsOf(face, { ...states, spoofDetection, person }, thresholds);
    const { verified, real, angle, eyes, mouth } = findings;
    if (verified?.holds) requireClear(face, describeFace(analysis, imageField.name));
    const passed = allHold(findings);
    const outcome = { passed, images: 1, verification: person !== undefined, found: analysis.found };
    const facts = { way: 'single', ...outcome, ...person?.facts } as const;
    const reasons = [...new Set(failuresOf(findings))];
    const about = { galleryId: request.facegalleryId, userId: request.userId };
    await events.observe('liveness_judged', caller, facts, { ...about, reasons });
    return {
      liveness: passed ? ('passed' as const) : ('failed' as const),
      /** Without the similarity. */
      confidence: confidenceOf(findings),
      verified: verified?.holds,
      threshold: person && thresholds.verification(person.gallery),
      matchStatus: {
        ...(verified && { verified: verified.holds }),
        ...(real && { is_real: real.holds }),
        ...(angle && { angle: angle.holds }),
        ...(eyes && { eyes: eyes.holds }),
        ...(mouth && { mouth: mouth.holds }),
      },
      results: attributesOf(face, findings),
      ...(real?.unjudged && { detail: unjudgedDetail }),
    };
  };
}

type Item = RequestOf<'verifyLivenessBatch'>['batch'][number];

/** A judged picture of a batch. */
interface JudgedItem {
  readonly entry: BatchEntry;
  readonly succeeded: boolean;
  /** Requirements that do not hold, or `picture` when it was refused. */
  readonly failures: readonly string[];
  /** Whether it fails because no network judged it. */
  readonly unjudged?: boolean | undefined;
  /** Faces in the picture. */
  readonly found: number;
  /** For the checks of the series; absent when the picture was refused. */
  readonly frame?: Frame;
}

function createBatch(context: LivenessContext) {
  const { config, events, personOf, thresholds } = context;
  return async (caller: Caller, request: RequestOf<'verifyLivenessBatch'>) => {
    const { batch, successThreshold = batch.length } = request;
    const person = await personOf(caller, request);
    // Programs written for that service send one picture for several parameters.
    const repeatsAllowed = config.compat.includes('risetai');
    const parameters = batch.map(({ faceParameter }) => faceParameter);
    const judgeItem = (item: Item, index: number) => {
      const ofSeries = seriesAttributes(item.faceParameter, parameters, repeatsAllowed);
      const shown = item.faceVerification ? person : undefined;
      return judgeOrFail(context, caller, item, index, { person: shown, ofSeries });
    };
    const judged = await context.pictures.map(batch, judgeItem);
    const frames = judged.flatMap(({ frame }) => frame ?? []);
    const reasons = checkBatchSeries(context, frames, repeatsAllowed);
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
    await events.observe(
      'liveness_judged',
      caller,
      { way: 'batch', ...facts },
      { ...about, reasons: failures },
    );
    return {
      liveness: passed ? ('passed' as const) : ('failed' as const),
      /** Why the batch as a whole failed; empty when only single pictures did. */
      reasons: reasons.map(({ finding }) => finding),
      threshold: person && thresholds.verification(person.gallery),
      /** In the order of the request. */
      results: judged.map(({ entry }) => entry),
      ...(judged.some(({ unjudged }) => unjudged) && { detail: unjudgedDetail }),
    };
  };
}

/** What a picture of a batch is asked beside its own parameter. */
interface AskedOfItem {
  readonly person: EnrolledPerson | undefined;
  /** Attributes for the checks of the series. */
  readonly ofSeries: readonly Attribute[];
}

/** A refused picture fails alone; a busy server or a disconnected caller ends the batch. */
async function judgeOrFail(
  context: LivenessContext,
  caller: Caller,
  item: Item,
  index: number,
  asked: AskedOfItem,
): Promise<JudgedItem> {
  try {
    return await judgeItem(context, caller, item, index, asked);
  } catch (error) {
    return {
      entry: { match: false, error: pictureError(error) },
      succeeded: false,
      failures: ['picture'],
      found: 0,
    };
  }
}

async function judgeItem(
  context: LivenessContext,
  caller: Caller,
  { image = '', faceParameter, spoofDetection, faceVerification }: Item,
  index: number,
  { person, ofSeries }: AskedOfItem,
): Promise<JudgedItem> {
  const field: PictureField = { kind: 'image', name: `batch[${index}].image` };
  const required: Requirements = { ...requiredState(faceParameter), spoofDetection, person };
  const bytes = context.pictures.decode(field, image);
  const attributes = [...new Set<Attribute>([...attributesFor(required), ...ofSeries])];
  const { face, analysis } = await context.analyze(caller, { field, bytes }, attributes);

  const findings = findingsOf(face, required, context.thresholds);
  if (findings.verified?.holds) requireClear(face, describeFace(analysis, field.name));
  const match = (findings.angle ?? findings.eyes ?? findings.mouth)?.holds ?? false;
  // Without a user the fields are there too, and have no effect.
  const verification = faceVerification && { verified: findings.verified?.holds ?? false, similarity: 0 };
  return {
    entry: { match, ...verification, ...attributesOf(withRequiredStates(face, required), findings) },
    succeeded: allHold(findings),
    failures: failuresOf(findings),
    unjudged: findings.real?.unjudged,
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
