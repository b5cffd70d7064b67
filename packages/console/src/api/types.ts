import type {
  DescribeGalleriesAnswer,
  DetectFacesAnswer,
  EnrolFaceAnswer,
  ListApiTokensAnswer,
} from '@wajah/client';

export type {
  CompareImagesAnswer as Comparison,
  DescribeFaceAnswer as DescribedPerson,
  DetectFacesAnswer as Detection,
  GetGalleryScoresAnswer as GalleryScores,
  GetStatusAnswer as SystemStatus,
  Person,
} from '@wajah/client';

export type DetectedFace = DetectFacesAnswer['faces'][number];
export type FaceBox = NonNullable<EnrolFaceAnswer['face']>['box'];
export type Gallery = DescribeGalleriesAnswer['facegalleries'][number];
export type CropPolicy = DescribeGalleriesAnswer['face_crops'];
export type Token = ListApiTokensAnswer['tokens'][number];

export type Scope = Token['scopes'][number];
