import type { CompareRequest, IdentifyRequest, VerifyRequest } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { Match } from '../../matching/matcher.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { requireComparable } from '../galleries/embedding-spec.ts';
import { galleryOf } from '../galleries/lookup.ts';
import { createLivenessProof } from '../liveness/token.ts';
import {
  type AnalyzedFace,
  analyzeMainFace,
  settleBoth,
  templateOf,
  wearsMask,
} from '../pictures/main-face.ts';
import {
  createPictures,
  imageField,
  type PictureField,
  sourceField,
  targetField,
} from '../pictures/pictures.ts';
import { galleryForComparison, searchComparable } from '../template-migration/template-migration.ts';
import { enrolledPerson } from './enrolled-person.ts';
import { galleryScores } from './gallery-scores.ts';
import { createThresholds, formatSimilarity } from './thresholds.ts';

type Analyze = (caller: Caller, field: PictureField, text: string) => Promise<AnalyzedFace>;

export type RecognitionService = ReturnType<typeof createRecognitionService>;

/** Compares a picture with one enrolled user, with a whole gallery, or with another picture. */
export function createRecognitionService(deps: ServiceDependencies) {
  const pictures = createPictures(deps);
  const analyze: Analyze = async (caller, field, text) => {
    const picture = { field, bytes: pictures.decode(field, text) };
    return analyzeMainFace(pictures, caller, picture, ['embedding', 'mask'], deps.config.limits.minFace);
  };
  return {
    verify: createVerify(deps, analyze),
    identify: createIdentify(deps, analyze),
    compare: createCompare(deps, analyze),
  };
}

function createVerify(deps: ServiceDependencies, analyze: Analyze) {
  const { engine, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  const liveness = createLivenessProof(deps);
  return async (caller: Caller, request: VerifyRequest) => {
    const { facegalleryId } = request;
    const person = await enrolledPerson(deps, caller, request);
    const threshold = thresholds.verification(person.gallery, request);
    const proof = await liveness.read(caller, request.livenessToken, person.gallery);

    const { face, analysis } = await analyze(caller, imageField, request.image);
    await proof?.spend(templateOf(face), imageField.name);
    const similarity = person.similarity(templateOf(face));
    const verified = similarity >= threshold;
    const { found } = analysis;
    events.faceVerified(caller, { facegallery_id: facegalleryId, verified, found, ...person.facts });
    return { userName: person.userName, similarity, verified, threshold, masker: wearsMask(face) };
  };
}

function createIdentify(deps: ServiceDependencies, analyze: Analyze) {
  const { store, engine, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  /** @throws Refusal `notRecognized`, with status_description and an empty list, when nobody reaches the threshold */
  return async (caller: Caller, request: IdentifyRequest) => {
    const { facegalleryId, image, topK = 1 } = request;
    const before = await galleryForComparison(deps, caller, facegalleryId);
    requireComparable(before, engine.embeddingSpec);
    thresholds.identification(before, request);
    const { face, analysis } = await analyze(caller, imageField, image);

    // Read again: the answer is about the gallery as it is after the analysis of the picture.
    const gallery = await galleryOf(store, caller, facegalleryId);
    requireComparable(gallery, engine.embeddingSpec);
    const { facts, probe } = galleryScores(deps, gallery);
    const { query, similarityOf } = probe(templateOf(face));
    const matches = await searchComparable(deps, caller, gallery, query, topK);
    const threshold = thresholds.identification(gallery, request);
    const similarity = (match: Match) => similarityOf(match.score);
    const candidates = matches.filter((match) => similarity(match) >= threshold);
    events.faceIdentified(caller, {
      facegallery_id: facegalleryId,
      identified: candidates.length > 0,
      candidates: candidates.length,
      found: analysis.found,
      ...facts,
    });
    const best = matches[0];
    if (candidates.length === 0) throw notRecognized(best && similarity(best), threshold);
    const mask = wearsMask(face);
    return candidates.map((match) => ({
      userId: match.userId,
      userName: match.userName,
      confidence: similarity(match),
      mask,
    }));
  };
}

/** @param best similarity of the best candidate; undefined in an empty gallery */
function notRecognized(best: number | undefined, threshold: number): Refusal {
  const detail =
    best === undefined
      ? 'facegallery_id: nobody is enrolled in this gallery; enrol somebody first'
      : `image: nobody in the gallery reaches the threshold: the best similarity is ${formatSimilarity(best)}, the threshold ${formatSimilarity(threshold)}; enrol the person, or send a clearer picture`;
  return new Refusal('notRecognized', detail, { status_description: 'Face Not Registered', return: [] });
}

function createCompare(deps: ServiceDependencies, analyze: Analyze) {
  const { engine, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  const liveness = createLivenessProof(deps);
  return async (caller: Caller, request: CompareRequest) => {
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
    events.imagesCompared(caller, { verified, found });
    return { similarity, verified, threshold, masker: wearsMask(source.face) || wearsMask(target.face) };
  };
}
