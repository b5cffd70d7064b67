import { Refusal } from '../errors.ts';
import type { Match } from '../matching/matcher.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { templateOf, wearsMask } from './faces.ts';
import { galleryOf, requireContract, userOf } from './lookup.ts';
import { createPictures, imageField, type PictureField, sourceField, targetField } from './pictures.ts';
import { both, lookAtFace, type Probe } from './probe.ts';
import type { Caller, RecognitionService } from './services.ts';
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
  const { store, engine, vault, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  return async (caller, { galleryId, userId, image }) => {
    const gallery = await galleryOf(store, caller, galleryId);
    const enrolled = await userOf(store, gallery, userId);
    requireContract(gallery, engine.contract);
    const template = vault.gallery(gallery).open(userId, enrolled.template);

    const { face, analysis } = await look(caller, imageField, image);
    const similarity = engine.similarity(templateOf(face), template);
    const verified = similarity >= thresholds.verify;
    events.faceVerified(caller, { facegallery_id: galleryId, verified, found: analysis.found });
    return { userName: enrolled.userName, similarity, verified, masker: wearsMask(face) };
  };
}

function createIdentify(deps: ServiceDependencies, look: Look): RecognitionService['identify'] {
  const { store, engine, matcher, events } = deps;
  const thresholds = createThresholds(engine, deps.config.thresholds);
  return async (caller, { galleryId, image, topK }) => {
    if (!Number.isInteger(topK) || topK < 1 || topK > 10) {
      throw new Refusal('malformed', `top_k: ${topK} is not a whole number from 1 to 10`);
    }
    requireContract(await galleryOf(store, caller, galleryId), engine.contract);
    const { face, analysis } = await look(caller, imageField, image);

    // Read anew: the answer holds for the gallery as it is now, not as it was before the picture was looked at.
    const gallery = await galleryOf(store, caller, galleryId);
    requireContract(gallery, engine.contract);
    const matches = await matcher.search(gallery, templateOf(face), topK);
    const threshold = thresholds.identify(gallery.faces);
    const similarity = (match: Match) => engine.similarityOf(match.score);
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
  return async (caller, { sourceImage, targetImage }) => {
    const [source, target] = await both(
      look(caller, sourceField, sourceImage),
      look(caller, targetField, targetImage),
    );
    const similarity = engine.similarity(templateOf(source.face), templateOf(target.face));
    const verified = similarity >= thresholds.verify;
    events.imagesCompared(caller, {
      verified,
      found: Math.max(source.analysis.found, target.analysis.found),
    });
    return { similarity, verified, masker: wearsMask(source.face) || wearsMask(target.face) };
  };
}
