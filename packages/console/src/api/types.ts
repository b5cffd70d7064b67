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

/** A record, so that the compiler reports a missing scope. */
const allScopes: Readonly<Record<Scope, true>> = {
  recognise: true,
  enrol: true,
  read: true,
  pictures: true,
  manage: true,
  webhooks: true,
  diagnostics: true,
  operate: true,
};

/** The scopes that a token has where none is named: what a door or a desk needs. */
export const defaultScopes: readonly Scope[] = ['recognise'];

/** Every scope of a token, in the server's order. */
export const scopes = Object.keys(allScopes) as readonly Scope[];
