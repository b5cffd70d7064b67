import { phrase } from '@wajah/contract/refusals';
import { type Attribute, type Embedder, type FaceCrop, faceOfCrop } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import {
  describeFace,
  mainFace,
  requireFaces,
  requireQuality,
  requireSize,
  templateOf,
} from '../../services/faces/main-face.ts';
import { imageField, refusalOf } from '../../services/faces/pictures.ts';
import type { ExportedFace, ImportPicture } from './people.ts';

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

/** Faces that a crop may show: the person's own, and others in the background. */
const facesOfCrop = 4;

/** Computes the template of a picture's main face, or takes the exported one. @returns why not, as a sentence */
export async function analysePicture(
  embedder: Pick<Embedder, 'analyze'>,
  picture: ImportPicture,
  rules: PictureRules,
): Promise<AnalysedPicture | { readonly reason: string }> {
  const bytes = picture.exported
    ? new Uint8Array()
    : await picture.read().catch((error: Error) => ({ reason: error.message }));
  if ('reason' in bytes) return bytes;
  try {
    if (picture.exported) return await takeExported(embedder, picture.exported, rules);
    const analysis = await embedder.analyze(bytes, requestOf(rules)).catch((error: unknown) => {
      throw refusalOf(error, imageField);
    });
    const face = mainFace(analysis, imageField.name);
    const subject = describeFace(analysis, imageField.name);
    requireSize(face, subject, rules.minimumFace, phrase('orForceImport'));
    if (rules.singleFace) requireFaces(analysis.boxes, imageField.name, 1);
    if (rules.quality) requireQuality(face, subject, rules.minimumFace === 0 ? ['size'] : []);
    return { template: templateOf(face), crop: face.crop };
  } catch (error) {
    // The engine is busy or closed: no fault of the picture.
    if (!(error instanceof Refusal) || error.status === 'busy') throw error;
    return { reason: error.detail };
  }
}

/** @returns the template, or one of the kept crop where it is of another pack */
async function takeExported(
  embedder: Pick<Embedder, 'analyze'>,
  { template, crop }: ExportedFace,
  { keepCrops }: PictureRules,
): Promise<AnalysedPicture | { readonly reason: string }> {
  const kept = keepCrops && crop ? crop : undefined;
  if (template) return { template, crop: kept };
  if (!crop) return { reason: 'the template is of another pack, and no crop was kept' };
  const request = { attributes: ['embedding'], maxFaces: facesOfCrop, search: 'fast' } as const;
  const { faces } = await embedder.analyze(crop.jpeg, request).catch((error: unknown) => {
    throw refusalOf(error, imageField);
  });
  const found = faceOfCrop(faces, crop)?.embedding;
  return found ? { template: found, crop: kept } : { reason: 'the pack finds no face in the kept crop' };
}

function requestOf({ minimumFace, quality, keepCrops }: PictureRules) {
  const attributes: Attribute[] = ['embedding'];
  if (quality) attributes.push('quality');
  if (keepCrops) attributes.push('crop');
  return { attributes, maxFaces: 1, search: 'fast', minFaceSize: Math.max(1, minimumFace) } as const;
}
