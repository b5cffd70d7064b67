import type {
  DescribeGalleriesAnswer,
  DetectFacesAnswer,
  GetActivityAnswer,
  ListApiTokensAnswer,
} from '@wajah/client';

export type {
  CompareImagesAnswer as Comparison,
  DetectFacesAnswer as Detection,
  GetActivityAnswer as Activity,
  GetStatusAnswer as SystemStatus,
  Person,
} from '@wajah/client';

export type DetectedFace = DetectFacesAnswer['faces'][number];
export type Gallery = DescribeGalleriesAnswer['facegalleries'][number];
export type Token = ListApiTokensAnswer['tokens'][number];
export type Histogram = GetActivityAnswer['similarity'];
export type RefusalEvent = GetActivityAnswer['refusals'][number];
