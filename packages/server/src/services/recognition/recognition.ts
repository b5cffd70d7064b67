import { Refusal } from '../../errors.ts';
import type { Match } from '../../matching/matcher.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { galleryOf, requireContract } from '../galleries/lookup.ts';
import { createLivenessProof } from '../liveness/token-proof.ts';
import { templateOf, wearsMask } from '../pictures/main-face.ts';
import {
  createPictures,
  imageField,
  type PictureField,
  sourceField,
  targetField,
} from '../pictures/pictures.ts';
import { both, lookAtFace, type Probe } from '../pictures/probe.ts';
import type { Caller, RecognitionService } from '../services.ts';
import { galleryForComparison, searchOwn } from '../template-migration/template-migration.ts';
import { enrolledPerson } from './enrolled-person.ts';
import { calibrationFor } from './similarity-calibration.ts';
import { createThresholds, shown } from './thresholds.ts';

type Look = (caller: Caller, field: PictureField, text: string) => Promise<Probe>;

/** Who somebody is: compared with one enrolled person, with a whole gallery, or with another picture. */
export function createRecognitionService(deps: ServiceDependencies): RecognitionService {
  const pictures = createPictures(deps.engine, deps.config.limits);
  const look: Look = (caller, field, text) =>
    lookAtFace(pictures, caller, { field, text }, ['embedding', 'mask'], deps.config.limits.minFace);
  return {
    verify: createVerify(deps, look),
    identify: createIdentify(deps, look),
    compare: createCompare(deps, look),
  };
}

function createVerify(deps: ServiceDependencies, look: Look): RecognitionService['verify'] {
  const { engine, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  const liveness = createLivenessProof(deps);
  return async (caller, { galleryId, userId, image, livenessToken, ...point }) => {
    const person = await enrolledPerson(deps, caller, { galleryId, userId });
    const threshold = thresholds.verification(person.gallery, point);
    const proof = await liveness.read(caller, livenessToken, person.gallery);

    const { face, analysis } = await look(caller, imageField, image);
    await proof?.spend(templateOf(face), imageField.name);
    const similarity = person.similarity(templateOf(face));
    const verified = similarity >= threshold;
    events.faceVerified(caller, { facegallery_id: galleryId, verified, found: analysis.found });
    return { userName: person.userName, similarity, verified, threshold, masker: wearsMask(face) };
  };
}

function createIdentify(deps: ServiceDependencies, look: Look): RecognitionService['identify'] {
  const { store, engine, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  return async (caller, { galleryId, image, topK, ...point }) => {
    if (!Number.isInteger(topK) || topK < 1 || topK > 10) {
      throw new Refusal('malformed', `top_k: ${topK} is not a whole number from 1 to 10`);
    }
    const before = await galleryForComparison(deps, caller, galleryId);
    requireContract(before, engine.embeddingSpec);
    thresholds.identification(before, point);
    const { face, analysis } = await look(caller, imageField, image);

    // Read anew: the answer holds for the gallery as it is now, not as it was before the picture was looked at.
    const gallery = await galleryOf(store, caller, galleryId);
    requireContract(gallery, engine.embeddingSpec);
    const matches = await searchOwn(deps, gallery, templateOf(face), topK);
    const threshold = thresholds.identification(gallery, point);
    const scale = calibrationFor(engine, gallery);
    const similarity = (match: Match) => scale.similarityOf(match.score);
    const near = matches.filter((match) => similarity(match) >= threshold);
    events.faceIdentified(caller, {
      facegallery_id: galleryId,
      identified: near.length > 0,
      candidates: near.length,
      found: analysis.found,
    });
    const best = matches[0];
    if (near.length === 0) throw nobody(best && similarity(best), threshold);
    const mask = wearsMask(face);
    return near.map((match) => ({
      userId: match.userId,
      userName: match.userName,
      confidence: similarity(match),
      mask,
    }));
  };
}

function nobody(best: number | undefined, threshold: number): Refusal {
  const detail =
    best === undefined
      ? 'facegallery_id: nobody is enrolled in this gallery; enrol somebody first'
      : `image: nobody in the gallery is near enough: the best similarity is ${shown(best)}, the threshold ${shown(threshold)}; enrol the person, or send a clearer picture`;
  return new Refusal('notRecognized', detail, { status_description: 'Face Not Registered', return: [] });
}

function createCompare(deps: ServiceDependencies, look: Look): RecognitionService['compare'] {
  const { engine, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  const liveness = createLivenessProof(deps);
  return async (caller, { sourceImage, targetImage, livenessToken, ...point }) => {
    const threshold = thresholds.verification(undefined, point);
    const proof = await liveness.read(caller, livenessToken);
    const [source, target] = await both(
      look(caller, sourceField, sourceImage),
      look(caller, targetField, targetImage),
    );
    await proof?.spend(templateOf(source.face), sourceField.name);
    const similarity = engine.similarity(templateOf(source.face), templateOf(target.face));
    const verified = similarity >= threshold;
    events.imagesCompared(caller, {
      verified,
      found: Math.max(source.analysis.found, target.analysis.found),
    });
    return { similarity, verified, threshold, masker: wearsMask(source.face) || wearsMask(target.face) };
  };
}
