import { detectedFaces, type Picture } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Analysis, Attribute, Face } from '@wajah/engine';
import {
  byArea,
  type Caller,
  faceSize,
  galleryOf,
  imageField,
  mainFace,
  type PictureField,
  type Pictures,
  type ProfileParts,
  Refusal,
  requireFaces,
  requireSize,
  settleBoth,
  sourceField,
  targetField,
  templateOf,
} from '@wajah/server/profile';

/** A user and the similarity with a face, 0…1. */
type Likeness = {
  readonly userId: string;
  readonly similarity: number;
};

/** All faces of a picture: detected, searched for in a gallery, or compared with a face of another picture. */
export function createSubjectRecognition(parts: ProfileParts) {
  const { pictures, events } = parts;
  return {
    /** @throws Refusal of the picture, `faceNotDetected` */
    async detect(caller: Caller, request: WantedFaces & { readonly image: Picture }) {
      const picture = { field: imageField, image: request.image };
      const { faces, analysis } = await facesOfPicture(pictures, caller, picture, request);
      events.observe('faces_detected', caller, { found: analysis.found });
      return { faces: faces.map((face) => ({ face })), ...factsOf(parts, analysis) };
    },
    recognise: createRecognise(parts),
    compare: createCompare(parts),
  };
}

type Wanted = WantedFaces & {
  readonly galleryId: string;
  readonly image: Picture;
  /** Most users for each face. */
  readonly candidates: number;
};

function createRecognise(parts: ProfileParts) {
  const { store, pictures, comparisons, events, config } = parts;
  /**
   * The users that are most similar to each face, without a threshold. Faces that are too small for one are left out:
   * clients read the first user of each face.
   * @throws Refusal `galleryNotFound` | `denied` (other model pack) | `faceTooSmall`, and of the picture
   */
  return async (caller: Caller, { galleryId, image, candidates, ...wanted }: Wanted) => {
    const before = await comparisons.gallery(caller, galleryId);
    comparisons.require(before);
    const attributes: Attribute[] = ['embedding', ...wanted.attributes];
    const picture = { field: imageField, image };
    const found = await facesOfPicture(pictures, caller, picture, { ...wanted, attributes });
    const large = found.faces.filter((face) => faceSize(face) >= config.limits.minFace);
    const main = { field: imageField.name, face: phrase('theFace') };
    if (large.length === 0) requireSize(found.faces[0]!, main, config.limits.minFace);
    // Read again: the answer is about the gallery as it is after the analysis of the picture.
    const gallery = await galleryOf(store, caller, galleryId);
    comparisons.require(gallery);
    const { facts, probe } = comparisons.scores(gallery);
    const search = async (face: Face): Promise<Likeness[]> => {
      const { query, similarityOf } = probe(templateOf(face));
      const matches = await comparisons.search(caller, gallery, query, candidates);
      return matches.map(({ userId, score }) => ({ userId, similarity: similarityOf(score) }));
    };
    const faces: { face: Face; people: Likeness[] }[] = [];
    for (const face of large) faces.push({ face, people: await search(face) });
    const best = faces.flatMap(({ people }) => people[0]?.similarity ?? []);
    const threshold = comparisons.thresholds.identification(gallery, undefined, large.length);
    const reached = best.filter((similarity) => similarity >= threshold).length;
    const [first] = faces[0]?.people ?? [];
    const isReached = first !== undefined && first.similarity >= threshold;
    const counts = { identified: reached > 0, candidates: reached, found: found.analysis.found };
    const about = { galleryId, userId: isReached ? first.userId : undefined };
    const scored = { similarity: first?.similarity, threshold, gallery: gallery.id, best };
    await events.observe(
      'face_identified',
      caller,
      { facegallery_id: galleryId, ...counts, ...facts },
      { ...about, ...scored },
    );
    return { faces, ...factsOf(parts, found.analysis) };
  };
}

function createCompare(parts: ProfileParts) {
  const { pictures, comparisons, events } = parts;
  const { engine, thresholds } = comparisons;
  /** Compares the only face of one picture with each of another. @throws Refusal of the pictures; `qualityTooLow` */
  return async (
    caller: Caller,
    { source, target, ...wanted }: WantedFaces & { readonly source: Picture; readonly target: Picture },
  ) => {
    const attributes: Attribute[] = ['embedding', ...wanted.attributes];
    const one = { ...wanted, attributes, limit: 2 };
    const [first, second] = await settleBoth(
      facesOfPicture(pictures, caller, { field: sourceField, image: source }, one),
      facesOfPicture(pictures, caller, { field: targetField, image: target }, { ...wanted, attributes }),
    );
    requireFaces(
      first.faces.map(({ box }) => box),
      sourceField.name,
      1,
    );
    const face = first.faces[0]!;
    const reference = templateOf(face);
    const faces = second.faces.map((other) => ({
      face: other,
      similarity: engine.comparisonSimilarity(reference, templateOf(other)),
    }));
    const best = Math.max(...faces.map(({ similarity }) => similarity));
    const verified = best >= thresholds.verification();
    events.observe('images_compared', caller, { verified, found: second.analysis.found });
    const ofTarget = factsOf(parts, second.analysis);
    return { source: face, faces, ofTarget, ...factsOf(parts, first.analysis) };
  };
}

/** Which faces of a picture are wanted. */
export interface WantedFaces {
  /** At most so many, the largest first; 0: all, up to the most that a picture is analysed for. */
  readonly limit: number;
  /** Least detector score, 0…1. */
  readonly minScore: number;
  readonly attributes: readonly Attribute[];
}

/** The faces of a picture, the largest first, and the analysis that they were found by. */
export interface FacesOfPicture {
  readonly faces: readonly Face[];
  readonly analysis: Analysis;
}

/** What an answer may say of the analysis: size of the upright picture, milliseconds of its stages, the model pack. */
export function factsOf({ comparisons }: Pick<ProfileParts, 'comparisons'>, { image, stages }: Analysis) {
  const { pack, version } = comparisons.engine.embeddingSpec;
  return { image, stages, pack: `${pack} ${version}` };
}

/** @throws Refusal of the picture, `faceNotDetected` */
export async function facesOfPicture(
  pictures: Pictures,
  caller: Caller,
  { field, image }: { readonly field: PictureField; readonly image: Picture },
  { limit, minScore, attributes }: WantedFaces,
): Promise<FacesOfPicture> {
  const maxFaces = limit === 0 ? detectedFaces.most : Math.min(limit, detectedFaces.most);
  const request = { attributes, maxFaces, search: 'fast' } as const;
  const analysis = await pictures.analyze(field, pictures.decode(field, image), request, caller);
  mainFace(analysis, field.name);
  const faces = analysis.faces.filter(({ score }) => score >= minScore).toSorted(byArea);
  if (faces.length > 0) return { faces, analysis };
  throw new Refusal('noFaceOfScore', { field: field.name, score: minScore });
}
