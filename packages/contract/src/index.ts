export type { Command, Confirmation } from './endpoints/command.ts';
export { detectable, detectedFaces } from './endpoints/detection.ts';
export {
  type Endpoint,
  type Method,
  type OwnEndpoint,
  operatorEndpoint,
  refusalsOf,
} from './endpoints/endpoint.ts';
export {
  commandEndpoints,
  endpointList,
  endpoints,
  isSpecified,
  operatorEndpoints,
  type RequestOf,
} from './endpoints/endpoints.ts';
export { type Attributes, refusalAnswer, success } from './endpoints/envelope.ts';
export type {
  IfExists,
  UserRequest,
} from './endpoints/faces.ts';
export { galleryScoreBins } from './endpoints/galleries.ts';
export type { Angle, Parameter } from './endpoints/liveness.ts';
export {
  type ClientRequest,
  clientPage,
} from './endpoints/operation.ts';
export type {
  ErasedTraces,
  ExportedTraces,
  PersonRequest,
} from './endpoints/people.ts';
export type { FaceOutcome } from './endpoints/recognition.ts';
export {
  maxFrames,
  type SessionRequest,
  type Step,
} from './endpoints/sessions.ts';
export { specifiedPart } from './endpoints/specified.ts';
export {
  message,
  name,
  nameProblem,
  optionalFraction,
  optionalName,
  optionalPicture,
  type Picture,
  phraseOf,
  picture,
  pictureType,
  UndecodedPicture,
} from './fields.ts';
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
  linkTries,
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
} from './values.ts';
