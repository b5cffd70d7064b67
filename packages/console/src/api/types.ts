import type { endpoints } from '@wajah/contract';

type Endpoints = typeof endpoints;

/** What an endpoint answers when it succeeds. */
export type AnswerOf<Id extends keyof Endpoints> = Endpoints[Id]['answer']['_zod']['output'];

export type Detection = AnswerOf<'detectFaces'>;
export type DetectedFace = Detection['faces'][number];
export type Comparison = AnswerOf<'compareImages'>;
export type FacePage = AnswerOf<'listFaces'>;
export type Person = FacePage['faces'][number];

export type Gallery = AnswerOf<'describeGalleries'>['facegalleries'][number];
export type Token = AnswerOf<'listApiTokens'>['tokens'][number];
export type Activity = AnswerOf<'getActivity'>;
export type Histogram = Activity['similarity'];
export type RefusalEvent = Activity['refusals'][number];
export type SystemStatus = AnswerOf<'getStatus'>;
