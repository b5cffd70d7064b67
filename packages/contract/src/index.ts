export * from './answers.ts';
export { cutDegrees, cutFraction, raiseThreshold } from './decimals.ts';
export { carriesPictures, type Endpoint, type Method, refusalsOf } from './endpoint.ts';
export { endpointList, endpoints } from './endpoints.ts';
export { type StatusName, type StatusRow, statuses } from './errors.ts';
export { maxBatch } from './liveness-requests.ts';
export { type ParsedRequest, parseRequest, type RequestRefusal } from './parse.ts';
export { maxFrames, sessionSteps } from './session-schemas.ts';
export { maxNameLength, nameProblem, normaliseName } from './text.ts';
