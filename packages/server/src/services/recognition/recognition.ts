import type { Picture } from '@wajah/contract';
import type { Caller } from '../caller.ts';
import { type AnalyzedFace, analyzeMainFace, settleBoth, templateOf, wearsMask } from '../faces/main-face.ts';
import { imageField, sourceField, targetField } from '../faces/pictures.ts';
import type { LivenessProof, PictureField } from '../faces/ports.ts';
import { createIdentification, type SearchParts } from './identification.ts';
import type { RecognitionService } from './ports.ts';

type Analyze = (caller: Caller, field: PictureField, picture: Picture) => Promise<AnalyzedFace>;

/** Compares a picture with one enrolled user, with a whole gallery, or with another picture. */
export function createRecognitionService(parts: RecognitionParts): RecognitionService {
  const { pictures, config } = parts;
  const analyze: Analyze = async (caller, field, sent) => {
    const picture = { field, bytes: pictures.decode(field, sent) };
    return analyzeMainFace(pictures, caller, picture, ['embedding', 'mask'], config.limits.minFace);
  };
  return {
    verify: createVerify(parts, analyze),
    identify: createIdentification(parts),
    compare: createCompare(parts, analyze),
  };
}

interface RecognitionParts extends SearchParts {
  readonly liveness: LivenessProof;
}

function createVerify(
  { comparisons, liveness, events }: RecognitionParts,
  analyze: Analyze,
): RecognitionService['verify'] {
  return async (caller, request) => {
    const { facegalleryId } = request;
    const person = await comparisons.person(caller, request);
    const own = comparisons.thresholds.verification(person.gallery);
    const threshold = comparisons.thresholds.verification(person.gallery, request);
    const proof = await liveness.read(caller, request.livenessToken, person.gallery);

    const { face, analysis } = await analyze(caller, imageField, request.image);
    await proof?.spend(templateOf(face), imageField.name);
    const similarity = person.similarity(templateOf(face));
    const verified = similarity >= threshold;
    const { found } = analysis;
    await events.observe(
      'face_verified',
      caller,
      { facegallery_id: facegalleryId, verified, found, ...person.facts },
      { galleryId: facegalleryId, userId: request.userId, similarity, threshold, gallery: person.gallery.id },
    );
    return { userName: person.userName, similarity, verified, threshold, own, masker: wearsMask(face) };
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
      analyze(caller, sourceField, request.sourceImage),
      analyze(caller, targetField, request.targetImage),
    );
    await proof?.spend(templateOf(source.face), sourceField.name);
    const similarity = engine.comparisonSimilarity(templateOf(source.face), templateOf(target.face));
    const verified = similarity >= threshold;
    const found = Math.max(source.analysis.found, target.analysis.found);
    events.observe('images_compared', caller, { verified, found });
    const masker = wearsMask(source.face) || wearsMask(target.face);
    return { similarity, verified, threshold, own, masker };
  };
}
