export {
  type ActivityRequest,
  activityBuckets,
  type CreateTokenRequest,
  type RevokeTokenRequest,
} from './endpoints/account.ts';
export type { Command, Confirmation } from './endpoints/command.ts';
export { type DetectRequest, detectable, detectedFaces } from './endpoints/detection.ts';
export {
  type Endpoint,
  type Method,
  type OwnEndpoint,
  operatorEndpoint,
  refusalsOf,
} from './endpoints/endpoint.ts';
export { commandEndpoints, endpointList, endpoints, operatorEndpoints } from './endpoints/endpoints.ts';
export { type Attributes, refusalAnswer, success } from './endpoints/envelope.ts';
export type {
  EnrolCardRequest,
  EnrolRequest,
  FaceCropRequest,
  FacePictureRequest,
  ListFacesRequest,
  MergeFacesRequest,
  ThumbnailsRequest,
  UpdateFaceRequest,
  UserRequest,
} from './endpoints/faces.ts';
export type { FindDuplicatesRequest, MarkDifferentRequest } from './endpoints/galleries.ts';
export {
  type CreateGalleryRequest,
  type GalleryRequest,
  type GalleryScoresRequest,
  galleryScoreBins,
  type UpdateGalleryRequest,
} from './endpoints/galleries.ts';
export type {
  CheckGalleriesRequest,
  CohortModeRequest,
  InstallCalibrationRequest,
  MeasureImpostorsRequest,
  PendingFacesRequest,
  ReadAuditTrailRequest,
  RotateSigningKeyRequest,
  SetClientOperatorRequest,
  SomeGalleriesRequest,
  StoreMigratedRequest,
  TemplateMigrationRequest,
} from './endpoints/installation.ts';
export type { Angle, BatchLivenessRequest, LivenessRequest, Parameter } from './endpoints/liveness.ts';
export {
  type ClientRequest,
  type CreateClientRequest,
  clientPage,
  type ListClientsRequest,
  type SetClientQuotaRequest,
} from './endpoints/operation.ts';
export type {
  ErasePersonRequest,
  ExportPersonRequest,
  ListExpiringRequest,
  PersonRequest,
  UpdatePersonRequest,
} from './endpoints/people.ts';
export type { CompareRequest, FaceOutcome, IdentifyRequest, VerifyRequest } from './endpoints/recognition.ts';
export type { AuditRequest, ProcessingRequest } from './endpoints/records.ts';
export { type RefusalsRequest, refusalPage } from './endpoints/records.ts';
export {
  type CreateSessionRequest,
  type HintRequest,
  maxFrames,
  type SendFrameRequest,
  type SessionRequest,
  type Step,
  type SubmitSessionRequest,
} from './endpoints/sessions.ts';
export type {
  CreateWebhookRequest,
  ListDeliveriesRequest,
  UpdateWebhookRequest,
  WebhookRequest,
} from './endpoints/webhooks.ts';
export { message, nameProblem, type Picture, phraseOf, pictureType, UndecodedPicture } from './fields.ts';
export { type CamelCased, camelCased, parseRequest } from './parse.ts';
export { faceEnrolledMessage, type StatusName, type StatusRow, statuses } from './refusals/statuses.ts';
export { escapeUnprintable, normaliseName, quote } from './text.ts';
export {
  type AskedScope,
  askedScopes,
  cutDegrees,
  cutFraction,
  defaultScopes,
  hostedPath,
  linkMinutes,
  maxImagePixels,
  maxTemplates,
  ordinaryScopes,
  ownForm,
  passwordLength,
  raiseThreshold,
  type Scope,
  scopeMeanings,
  scopes,
  sessionFace,
  sessionSteps,
  webhookTypes,
} from './values.ts';
