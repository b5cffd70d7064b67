import type { Picture } from '@wajah/contract';
import type { Caller } from '../caller.ts';
import {
  type AnalyzedFace,
  among,
  analyzeMainFace,
  describeFace,
  isUnclear,
  requireClear,
  requireFaces,
  settleBoth,
  templateOf,
  wearsMask,
} from '../faces/main-face.ts';
import { sourceField, targetField } from '../faces/pictures.ts';
import type { LivenessProof, PictureField } from '../faces/ports.ts';
import { leftOutFields, lookAtPerson } from '../faces/several-pictures.ts';
import { createDetection } from './detection.ts';
import { createIdentification, type SearchParts } from './identification.ts';
import type { RecognitionService } from './ports.ts';

type Analyze = (
  caller: Caller,
  field: PictureField,
  picture: Picture,
  alone: boolean | undefined,
) => Promise<AnalyzedFace>;

/** Compares a picture with one enrolled user, with a whole gallery, or with another picture; or finds its faces. */
export function createRecognitionService(parts: RecognitionParts): RecognitionService {
  const { pictures, config } = parts;
  const analyze: Analyze = async (caller, field, sent, alone) => {
    const picture = { field, bytes: pictures.decode(field, sent) };
    const attributes = ['embedding', 'mask', 'unclear'] as const;
    const found = await analyzeMainFace(pictures, caller, picture, attributes, config.limits.minFace);
    if (alone) requireFaces(found.analysis.boxes, field.name, 1);
    return found;
  };
  return {
    verify: createVerify(parts, analyze),
    identify: createIdentification(parts),
    compare: createCompare(parts, analyze),
    detect: createDetection(parts),
  };
}

interface RecognitionParts extends SearchParts {
  readonly liveness: LivenessProof;
}

function createVerify(parts: RecognitionParts, analyze: Analyze): RecognitionService['verify'] {
  const { comparisons, liveness, events } = parts;
  return async (caller, request) => {
    const { facegalleryId } = request;
    const person = await comparisons.person(caller, request);
    const own = comparisons.thresholds.verification(person.gallery);
    const threshold = comparisons.thresholds.verification(person.gallery, request);
    const proof = await liveness.read(caller, request.livenessToken, person.gallery);

    const seen = await lookAtPerson(parts, request, (field, picture) =>
      analyze(caller, field, picture, request.checkSingleFace),
    );
    const { face, analysis, field } = seen;
    const similarity = person.similarity(templateOf(face));
    const verified = similarity >= threshold;
    if (verified) requireClear(face, describeFace(analysis, field));
    await proof?.spend(seen.used.map(templateOf), field);
    const { found } = analysis;
    await events.observe(
      'face_verified',
      caller,
      { facegallery_id: facegalleryId, verified, found, ...person.facts },
      { galleryId: facegalleryId, userId: request.userId, similarity, threshold, gallery: person.gallery.id },
    );
    const decision = { similarity, verified, threshold, own, masker: wearsMask(face) };
    return { userName: person.userName, ...decision, ...among(seen), ...leftOutFields(seen.leftOut) };
  };
}

function createCompare(
  { comparisons, liveness, events }: RecognitionParts,
  analyze: Analyze,
): RecognitionService['compare'] {
  const { engine, thresholds } = comparisons;
  return async (caller, request) => {
    const own = thresholds.verification();
    const threshold = thresholds.verification(undefined, request);
    const proof = await liveness.read(caller, request.livenessToken);
    const [source, target] = await settleBoth(
      analyze(caller, sourceField, request.sourceImage, request.checkSingleFace),
      analyze(caller, targetField, request.targetImage, request.checkSingleFace),
    );
    const similarity = engine.comparisonSimilarity(templateOf(source.face), templateOf(target.face));
    const verified = similarity >= threshold;
    // Strangers are alike where both pictures say too little.
    if (verified && isUnclear(target.face)) {
      requireClear(source.face, describeFace(source.analysis, sourceField.name));
    }
    await proof?.spend([templateOf(source.face)], sourceField.name);
    const found = Math.max(source.analysis.found, target.analysis.found);
    events.observe('images_compared', caller, { verified, found });
    const masker = wearsMask(source.face) || wearsMask(target.face);
    return { similarity, verified, threshold, own, masker, source: among(source), target: among(target) };
  };
}
