import { detectedFaces } from '@wajah/contract';
import type { Analysis, Attribute, Face } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { byArea } from '../pictures/face-fields.ts';
import { mainFace } from '../pictures/main-face.ts';
import type { PictureField, Pictures } from '../pictures/pictures.ts';

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
export function factsOf({ engine }: Pick<ServiceDependencies, 'engine'>, { image, stages }: Analysis) {
  const { pack, version } = engine.embeddingSpec;
  return { image, stages, pack: `${pack} ${version}` };
}

/** @throws Refusal of the picture, `faceNotDetected` */
export async function facesOfPicture(
  pictures: Pictures,
  caller: Caller,
  { field, image }: { readonly field: PictureField; readonly image: string },
  { limit, minScore, attributes }: WantedFaces,
): Promise<FacesOfPicture> {
  const maxFaces = limit === 0 ? detectedFaces.most : Math.min(limit, detectedFaces.most);
  const request = { attributes, maxFaces, search: 'fast' } as const;
  const analysis = await pictures.analyze(field, pictures.decode(field, image), request, caller);
  mainFace(analysis, field.name);
  const faces = analysis.faces.filter(({ score }) => score >= minScore).toSorted(byArea);
  if (faces.length > 0) return { faces, analysis };
  throw new Refusal(
    'faceNotDetected',
    `${field.name}: no face has a score of ${minScore} or more; lower the threshold, or send a clearer picture`,
  );
}
