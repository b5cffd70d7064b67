import { cutFraction, type Picture, type RequestOf } from '@wajah/contract';
import type { Analysis, Attribute, Face } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Caller } from '../caller.ts';
import {
  among,
  byArea,
  describeFace,
  faceSize,
  isUnclear,
  mainFace,
  placeOf,
  qualityFields,
  requireClear,
  requireFaces,
  requireSize,
  templateOf,
  wearsMask,
} from '../faces/main-face.ts';
import { imageField } from '../faces/pictures.ts';
import type { LeftOut, PictureField, Pictures } from '../faces/ports.ts';
import { leftOutFields, lookAtPerson } from '../faces/several-pictures.ts';
import { galleryOf } from '../galleries/lookup.ts';
import type { Comparisons, GalleryScores, OperatingPoint } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import { distinctCandidates } from './distinct-candidates.ts';
import type { Candidate, Identification, RecognitionService, SearchedFace, Unidentified } from './ports.ts';

/** What faces are searched for with. */
export interface SearchParts extends ServiceParts<'store' | 'events' | 'config'> {
  readonly pictures: Pictures;
  readonly comparisons: Comparisons;
  readonly unidentified: readonly Unidentified[];
}

type FaceSearchParts = Omit<SearchParts, 'config' | 'pictures' | 'unidentified'>;

/** Searches a gallery for the main face of a picture, or for each of several. */
export function createIdentification(parts: SearchParts): RecognitionService['identify'] {
  const search = createFaceSearch(parts);
  const identify = async (caller: Caller, request: IdentifyRequest, onFaceless: () => void) => {
    const several = request.faces !== undefined;
    // The scheduler learns the cost of a kind of work: several faces cost a multiple of one.
    const costly = several || request.thorough;
    const work = costly ? { ...caller, operation: 'identifyFace of several' } : caller;
    const read: ReadFaces = (gallery) => findFaces(parts, work, request, gallery, onFaceless);
    const { gallery, ...found } = await search(work, request, read);
    const faces = await withFields(parts.unidentified, work, gallery, found.faces);
    const result = { ...found, faces, several, withBelow: asksBelow(caller, request) };
    if (result.people.length === 0) throw notRecognized(found.best, result);
    return result;
  };
  return async (caller, request) => {
    let faceless = 0;
    const onFaceless = () => {
      faceless += 1;
    };
    return identify(caller, request, onFaceless).catch((error: unknown) => {
      // All of several: one of them may have a face that is too small, or be no picture.
      const pictures = request.images?.length ?? 1;
      if (!request.allowNoFace || faceless < pictures) throw error;
      return nobodySeen(parts, caller, request);
    });
  };
}

type IdentifyRequest = Parameters<RecognitionService['identify']>[1];

/** What a picture without a face shows. Nobody was searched for, so that it is no event. */
async function nobodySeen(
  { comparisons: { gallery: galleryOf, thresholds } }: SearchParts,
  caller: Caller,
  { facegalleryId, faces, ...point }: SearchRequest,
): Promise<Identification> {
  const gallery = await galleryOf(caller, facegalleryId);
  return {
    ...{ people: [], faces: [], found: 0, leftOut: [], several: faces !== undefined, withBelow: false },
    threshold: thresholds.identification(gallery, point),
    own: thresholds.identification(gallery, undefined),
  };
}

type SearchRequest = OperatingPoint & Pick<RequestOf<'identifyFace'>, 'facegalleryId' | 'topK' | 'faces'>;
/** @returns also the faces that are searched for, the largest first; at least one */
type ReadFaces = (gallery: GalleryRecord) => Promise<{
  readonly analysis: Analysis;
  readonly large: readonly Face[];
  readonly leftOut?: readonly LeftOut[];
}>;

/** Searches a gallery for faces of a picture, also for profiles. */
export function createFaceSearch({ store, comparisons, events }: FaceSearchParts) {
  const { thresholds } = comparisons;
  const search = createSearch(comparisons);
  /** One call: one look at the picture, searches in sequence until the deadline of the call, one event. */
  return async (caller: Caller, request: SearchRequest, read: ReadFaces) => {
    const { facegalleryId } = request;
    const before = await comparisons.gallery(caller, facegalleryId);
    comparisons.require(before);
    thresholds.identification(before, request);
    const { analysis, large, leftOut = [] } = await read(before);

    // Read again: the answer is about the gallery as it is after the analysis of the picture.
    const gallery = await galleryOf(store, caller, facegalleryId);
    comparisons.require(gallery);
    const scores = comparisons.scores(gallery);
    const thresholdFor = (open: number) => thresholds.identification(gallery, request, open);
    const found = await search(caller, gallery, scores, large, { most: request.topK ?? 1, thresholdFor });
    const faces = analysis.faces.toSorted(byArea).map((face) => searched(face, found.of.get(face)));
    const people = faces.flatMap(({ candidates }) => candidates);
    const unclear = faces.find(({ outcome }) => outcome === 'unclear');
    if (people.length === 0 && unclear) requireClear(unclear.face, describeFace(analysis, imageField.name));
    const { threshold, best, matches } = found;
    const facts = { ...factsOf(request, analysis, faces, people.length), ...scores.facts };
    const about = { galleryId: facegalleryId, userId: people[0]?.userId };
    const similarity = people[0]?.confidence ?? best;
    const scored = { similarity, threshold, gallery: gallery.id, best: found.bestOfFaces };
    await events.observe('face_identified', caller, facts, { ...about, ...scored });
    const own = thresholds.identification(gallery, undefined, found.left);
    return {
      gallery,
      people,
      faces,
      found: analysis.found,
      threshold,
      own,
      best,
      matches,
      analysis,
      leftOut,
    };
  };
}

/** What the record of a search says. */
function factsOf(
  { facegalleryId, faces: asked }: SearchRequest,
  { found }: Analysis,
  faces: readonly SearchedFace[],
  candidates: number,
) {
  return {
    facegallery_id: facegalleryId,
    identified: candidates > 0,
    candidates,
    found,
    ...(asked !== undefined && { outcomes: faces.map(({ outcome }) => outcome).join(' ') }),
  };
}

type Sought = Pick<RequestOf<'identifyFace'>, 'image' | 'images' | 'faces' | 'thorough' | 'checkSingleFace'>;

/**
 * @param onFaceless is told each picture without a face
 * @returns the faces that are large enough, the largest first; at least one
 */
async function findFaces(
  parts: SearchParts,
  caller: Caller,
  request: Sought,
  gallery: GalleryRecord,
  onFaceless: () => void,
) {
  const features = parts.unidentified.flatMap((feature) => feature.attributes(gallery));
  const look = async (field: PictureField, picture: Picture) => {
    const bytes = parts.pictures.decode(field, picture);
    return facesOf(parts, caller, { ...request, features }, { field, bytes }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'faceNotDetected') onFaceless();
      throw error;
    });
  };
  const seen = await lookAtPerson(parts, request, look, nobody);
  return { ...seen, large: request.images ? [seen.face] : seen.large };
}

async function facesOf(
  { config: { limits }, pictures }: SearchParts,
  caller: Caller,
  { faces, thorough, checkSingleFace, features }: Sought & { readonly features: readonly Attribute[] },
  { field, bytes }: { readonly field: PictureField; readonly bytes: Uint8Array },
) {
  const attributes = new Set<Attribute>(['embedding', 'mask', 'unclear', ...features]);
  if (faces !== undefined) attributes.add('quality');
  const analysis = await pictures.analyze(
    field,
    bytes,
    { attributes: [...attributes], maxFaces: faces ?? 1, search: thorough ? 'thorough' : 'fast' },
    caller,
  );
  mainFace(analysis, field.name);
  if (checkSingleFace) requireFaces(analysis.boxes, field.name, 1);
  const [largest, ...others] = analysis.faces.toSorted((a, b) => faceSize(b) - faceSize(a));
  requireSize(largest!, describeFace(analysis, field.name), limits.minFace);
  return {
    analysis,
    face: largest!,
    large: [largest!, ...others.filter((face) => faceSize(face) >= limits.minFace)],
  };
}

/** Of an identification without a candidate. */
const nobody = { status_description: 'Face Not Registered', return: [] };

/** With what features say of those that are not identified. */
async function withFields(
  unidentified: readonly Unidentified[],
  caller: Caller,
  gallery: GalleryRecord,
  faces: readonly SearchedFace[],
): Promise<SearchedFace[]> {
  const nobodys = faces.flatMap(({ face, outcome }) => (outcome === 'not_identified' ? [face] : []));
  const said = await Promise.all(unidentified.map((feature) => feature.fields(caller, gallery, nobodys)));
  return faces.map((one) => ({ ...one, fields: Object.assign({}, ...said.map((of) => of.get(one.face))) }));
}

/** The cloud's programs, whose scale a refusal does not have, know no candidates below the threshold. */
const asksBelow = (
  { asCloud }: Caller,
  { belowThreshold }: Pick<RequestOf<'identifyFace'>, 'belowThreshold'>,
) => belowThreshold === true && asCloud !== true;

function searched(face: Face, found: Pick<SearchedFace, 'candidates' | 'below'> | undefined): SearchedFace {
  if (found === undefined) return { face, outcome: 'too_small', candidates: [], below: [] };
  if (found.candidates.length === 0) return { face, outcome: 'not_identified', ...found };
  if (isUnclear(face)) return { face, outcome: 'unclear', candidates: [], below: [] };
  return { face, outcome: 'identified', ...found };
}

interface Wanted {
  /** Candidates of a face. */
  readonly most: number;
  /** As `distinctCandidates` takes it. */
  readonly thresholdFor: (faces: number) => number;
}

function createSearch(comparisons: Comparisons) {
  return async (
    caller: Caller,
    gallery: GalleryRecord,
    scores: GalleryScores,
    faces: readonly Face[],
    { most, thresholdFor }: Wanted,
  ) => {
    const found: (Candidate & { readonly score: number })[][] = [];
    for (const face of faces) {
      const { query, scoreOf, similarityOf } = scores.probe(templateOf(face));
      const matches = await comparisons.search(caller, gallery, query, most + faces.length - 1);
      // Of a profile that does not ask for masks nobody sees it.
      const mask = face.mask?.worn === true;
      found.push(
        matches.map(({ userId, userName, score: product }) => ({
          userId,
          userName,
          mask,
          confidence: similarityOf(product),
          score: scoreOf(product),
        })),
      );
    }
    const { candidates, below, threshold, left } = distinctCandidates(found, most, thresholdFor);
    const withoutScores = (list: (typeof found)[number]) =>
      list.map(({ score: _, ...candidate }): Candidate => candidate);
    const best = found.flatMap(([first]) => first?.confidence ?? []);
    return {
      threshold,
      left,
      best: best.length > 0 ? Math.max(...best) : undefined,
      bestOfFaces: best,
      /** Of each face, the most similar first, whatever others of the picture are. */
      matches: faces.map((face, at) => ({ face, people: found[at]!.slice(0, most) })),
      of: new Map(
        faces.map((face, at) => [
          face,
          { candidates: withoutScores(candidates[at]!), below: withoutScores(below[at]!) },
        ]),
      ),
    };
  };
}

/** @param best similarity of the best candidate of all faces; undefined in an empty gallery */
function notRecognized(
  best: number | undefined,
  { faces, found, threshold, several, withBelow, leftOut }: Identification,
): Refusal {
  const empty = faces.map(({ face, outcome, below, fields: said }) => ({
    ...placeOf(face),
    quality: qualityFields(face),
    mask: wearsMask(face),
    outcome,
    candidates: [],
    ...said,
    ...(withBelow && {
      below: below.map(({ confidence, mask, userId, userName }) => ({
        confidence_level: cutFraction(confidence),
        mask,
        user_id: userId,
        user_name: userName,
      })),
    }),
  }));
  const fields = {
    ...nobody,
    ...leftOutFields(leftOut),
    masked: wearsMask(faces[0]!.face),
    ...(several
      ? { faces: empty, found, threshold }
      : { ...faces[0]!.fields, ...among({ face: faces[0]!.face, analysis: { found } }) }),
  };
  if (best === undefined) return new Refusal('galleryEmpty', {}, fields);
  return new Refusal('nobodyReaches', { best, threshold }, fields);
}
