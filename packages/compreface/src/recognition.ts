import { detectedFaces, type Picture } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Analysis, Attribute, Face } from '@wajah/engine';
import {
  byArea,
  type Caller,
  createFaceSearch,
  faceSize,
  imageField,
  isUnclear,
  mainFace,
  type PictureField,
  type Pictures,
  type ProfileParts,
  Refusal,
  requireClear,
  requireFaces,
  requireSize,
  settleBoth,
  sourceField,
  targetField,
  templateOf,
} from '@wajah/server/profile';

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
  const { pictures, config } = parts;
  const search = createFaceSearch(parts);
  /**
   * The users that are most similar to each face, without a threshold. Faces that are too small for one are left out:
   * clients read the first user of each face.
   * @throws Refusal `galleryNotFound` | `denied` (other model pack) | `faceTooSmall`, and of the picture
   */
  return async (caller: Caller, { galleryId, image, candidates, ...wanted }: Wanted) => {
    const attributes: Attribute[] = ['embedding', 'unclear', ...wanted.attributes];
    const picture = { field: imageField, image };
    const read = async () => {
      const { faces, analysis } = await facesOfPicture(pictures, caller, picture, { ...wanted, attributes });
      const large = faces.filter((face) => faceSize(face) >= config.limits.minFace);
      const main = { field: imageField.name, face: phrase('theFace') };
      if (large.length === 0) requireSize(faces[0]!, main, config.limits.minFace);
      return { analysis, large: clearFaces(large, imageField.name) };
    };
    const request = { facegalleryId: galleryId, topK: candidates };
    const { matches, analysis } = await search(caller, request, read);
    return { faces: matches, ...factsOf(parts, analysis) };
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
    const attributes: Attribute[] = ['embedding', 'unclear', ...wanted.attributes];
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
    const others = isUnclear(face) ? clearFaces(second.faces, targetField.name) : second.faces;
    const faces = others.map((other) => ({
      face: other,
      similarity: engine.comparisonSimilarity(reference, templateOf(other)),
    }));
    const threshold = thresholds.verification();
    const verified = faces.some(({ similarity }) => similarity >= threshold);
    events.observe('images_compared', caller, { verified, found: second.analysis.found });
    const ofTarget = factsOf(parts, second.analysis);
    return { source: face, faces, ofTarget, ...factsOf(parts, first.analysis) };
  };
}

/**
 * The faces that show enough to tell people apart. Programs decide by a similarity of their own choice, so others have none.
 * @param faces analysed with `unclear`
 * @throws Refusal `qualityTooLow` when none is left
 */
export function clearFaces(faces: readonly Face[], field: string): readonly Face[] {
  const clear = faces.filter((face) => !isUnclear(face));
  if (clear.length === 0) requireClear(faces[0]!, { field, face: phrase('theFace') });
  return clear;
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
