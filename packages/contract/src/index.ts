export { type CamelCased, camelCased } from './camel-case.ts';
export { cutDegrees, cutFraction, raiseThreshold } from './decimals.ts';
export { carriesPictures, type Endpoint, type Method, refusalsOf } from './endpoints/endpoint.ts';
export { endpointList, endpoints } from './endpoints/endpoints.ts';
export { extensionEndpoints } from './endpoints/extensions.ts';
export { type StatusName, type StatusRow, statuses } from './errors.ts';
export { type ParsedRequest, parseRequest, type RequestRefusal } from './parse.ts';
export {
  type ActivityRequest,
  activityBuckets,
  type CreateTokenRequest,
  type RevokeTokenRequest,
  scoreBins,
} from './schemas/account.ts';
export * from './schemas/answers.ts';
export { type DetectRequest, detectable, detectedFaces, landmarkKinds } from './schemas/detect.ts';
export type { UpdateGalleryRequest } from './schemas/gallery.ts';
export {
  type Angle,
  type BatchLivenessRequest,
  type LivenessRequest,
  maxBatch,
  type Parameter,
} from './schemas/liveness.ts';
export type {
  CompareRequest,
  CreateGalleryRequest,
  EnrolCardRequest,
  EnrolRequest,
  GalleryRequest,
  IdentifyRequest,
  ListFacesRequest,
  UserRequest,
  VerifyRequest,
} from './schemas/requests.ts';
export {
  type CreateSessionRequest,
  maxFrames,
  type SubmitSessionRequest,
  sessionSteps,
} from './schemas/session.ts';
export { type Scope, scopeMeanings, scopeOf, scopes } from './scopes.ts';
export { maxNameLength, nameProblem, normaliseName } from './text.ts';
