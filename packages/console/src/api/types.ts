import type {
  DescribeGalleriesAnswer,
  DetectFacesAnswer,
  EnrolFaceAnswer,
  FindDuplicatesAnswer,
  GetActivityAnswer,
  GetAuditAnswer,
  ListApiTokensAnswer,
} from '@wajah/client';

export type {
  CompareImagesAnswer as Comparison,
  DescribeFaceAnswer as DescribedPerson,
  DetectFacesAnswer as Detection,
  FindDuplicatesAnswer as Duplicates,
  GetActivityAnswer as Activity,
  GetGalleryScoresAnswer as GalleryScores,
  GetStatusAnswer as SystemStatus,
  Person,
} from '@wajah/client';

export type DetectedFace = DetectFacesAnswer['faces'][number];
export type FaceBox = NonNullable<EnrolFaceAnswer['face']>['box'];
export type Gallery = DescribeGalleriesAnswer['facegalleries'][number];
export type CropPolicy = DescribeGalleriesAnswer['face_crops'];
export type DuplicatePair = FindDuplicatesAnswer['pairs'][number];
export type Token = ListApiTokensAnswer['tokens'][number];
export type AuditRecord = GetAuditAnswer['records'][number];
export type RefusalEvent = GetActivityAnswer['refusals'][number];

export type Scope = Token['scopes'][number];

/** An unlimited quota, as answers have it. */
export const unlimited = 2_147_483_647;
