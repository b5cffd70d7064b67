import type { Attribute, Embedder, FaceCrop } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import {
  describeFace,
  mainFace,
  requireFaces,
  requireQuality,
  requireSize,
  templateOf,
} from '../../services/pictures/main-face.ts';
import { imageField, refusalOf } from '../../services/pictures/pictures.ts';
import type { ImportPicture } from './people.ts';

/** What a picture must be to be imported: the rules of an enrolment. */
export interface PictureRules {
  /** Least size of the face, pixels; 0: none. */
  readonly minimumFace: number;
  readonly singleFace: boolean;
  readonly quality: boolean;
  readonly keepCrops: boolean;
}

export interface AnalysedPicture {
  readonly template: Float32Array;
  readonly crop: FaceCrop | undefined;
}

/** Computes the template of a picture's main face. @returns why not, as a sentence */
export async function analysePicture(
  embedder: Pick<Embedder, 'analyze'>,
  picture: ImportPicture,
  rules: PictureRules,
): Promise<AnalysedPicture | { readonly reason: string }> {
  const bytes = await picture.read().catch((error: Error) => ({ reason: error.message }));
  if ('reason' in bytes) return bytes;
  try {
    const analysis = await embedder.analyze(bytes, requestOf(rules)).catch((error: unknown) => {
      throw refusalOf(error, imageField);
    });
    const face = mainFace(analysis, imageField.name);
    const subject = describeFace(analysis, imageField.name);
    requireSize(face, subject, rules.minimumFace, ', or import with --force');
    if (rules.singleFace) requireFaces(analysis.boxes, imageField.name, 1);
    if (rules.quality) requireQuality(face, subject, rules.minimumFace === 0 ? ['size'] : []);
    return { template: templateOf(face), crop: face.crop };
  } catch (error) {
    // The engine is busy or closed: no fault of the picture.
    if (!(error instanceof Refusal) || error.status === 'busy') throw error;
    return { reason: error.detail };
  }
}

function requestOf({ minimumFace, quality, keepCrops }: PictureRules) {
  const attributes: Attribute[] = ['embedding'];
  if (quality) attributes.push('quality');
  if (keepCrops) attributes.push('crop');
  return { attributes, maxFaces: 1, search: 'fast', minFaceSize: Math.max(1, minimumFace) } as const;
}
