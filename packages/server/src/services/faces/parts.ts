import type { Comparisons } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import type { Admission, FaceWriter, LivenessProof, PictureIds, Pictures } from './ports.ts';

/** What enrolments are made from. */
export interface EnrolmentParts extends ServiceParts<'events' | 'config'> {
  readonly pictures: Pictures;
  readonly comparisons: Comparisons;
  readonly admission: Admission;
  readonly liveness: LivenessProof;
  readonly writer: FaceWriter;
}

/** What the crop of a picture is read from. */
export interface CropParts extends ServiceParts<'store' | 'vault'> {
  readonly pictureIds: PictureIds;
}
