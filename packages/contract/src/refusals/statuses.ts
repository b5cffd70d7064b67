import { featureStatuses } from '../features/declared.ts';
import { aPicture, maxTemplates } from '../values.ts';

/**
 * The status table: the only place that pairs a status of the envelope with its HTTP code, message and title.
 * A retired name or status is never reused.
 */
export const statuses = {
  success: {
    status: '200',
    http: 200,
    message: 'Success',
    when: 'The call succeeded.',
    title: 'Face not accepted',
  },
  malformed: {
    status: '400',
    http: 400,
    message: 'Request malformed',
    when: 'The JSON does not parse, a field has a wrong type, is too long or holds a value that is not allowed, or a batch is empty or over 8.',
    title: 'Request not understood',
  },
  unauthorized: {
    status: '401',
    http: 401,
    message: 'Accesstoken not authorized',
    when: 'The header is missing, or the token is unknown, expired or revoked.',
    title: 'Token not accepted',
  },
  denied: {
    status: '403',
    http: 403,
    message: 'Requested resource denied',
    when: 'The client is not registered, a quota is used up (detail names which), the token lacks a scope, the faces of the gallery were enrolled with another model pack than the server runs, the gallery needs more memory than the server has for galleries, no face crop is kept of a user, or what is stored is damaged.',
    title: 'Not allowed',
  },
  routeNotFound: {
    status: '404',
    http: 404,
    message: 'Route not found',
    when: 'No endpoint has this path.',
    title: 'Unknown address',
  },
  methodNotAllowed: {
    status: '405',
    http: 405,
    message: 'Method not allowed',
    when: 'The endpoint exists but does not accept this method; the Allow header lists those it does.',
    title: 'Method not allowed',
  },
  userExists: {
    status: '409',
    http: 409,
    message: 'user_id already enrolled',
    when: `The user_id is enrolled and neither replace nor append is true, append would exceed ${maxTemplates} pictures, or check_duplicate found that the face looks like that of another user_id: then status_message is "face already enrolled".`,
    title: 'Already enrolled, or looks like somebody else',
  },
  notRecognized: {
    status: '411',
    http: 200,
    message: 'Face not verified or unregistered',
    when: 'Identification found nobody at or above the threshold, a KTP enrolment stayed below minimum_similarity, or append stayed below the threshold of the gallery.',
    title: 'Face not recognised',
  },
  faceNotDetected: {
    status: '412',
    http: 422,
    message: 'Face not detected',
    when: 'No face was found in the image.',
    title: 'Face not detected',
  },
  faceTooSmall: {
    status: '413',
    http: 422,
    message: 'Face too small',
    when: 'The face is below the minimum size; force_register lifts this at enrolment.',
    title: 'Face too small',
  },
  qualityTooLow: {
    status: '414',
    http: 422,
    message: 'Face quality too low',
    when: 'A quality rule that is switched on failed, check_single_face found other faces, or the face shows too little to tell people apart: it is blurred, dark or squeezed, or its eyes are covered, and would be enrolled, or match somebody; detail lists each rule with value and limit.',
    title: 'Face quality too low',
  },
  userNotFound: {
    status: '415',
    http: 404,
    message: 'user_id not found',
    when: 'The gallery has no such user.',
    title: 'Person not found',
  },
  galleryNotFound: {
    status: '416',
    http: 404,
    message: 'facegallery_id not found',
    when: 'The client has no such gallery; also when it belongs to another client.',
    title: 'Gallery not found',
  },
  galleryExists: {
    status: '417',
    http: 409,
    message: 'facegallery_id already exists',
    when: 'The client already has a gallery of this name.',
    title: 'Gallery exists already',
  },
  sessionNotFound: {
    status: '418',
    http: 404,
    message: 'session_id not found',
    when: 'The client has no such liveness session; also when it belongs to another client, or was deleted after it expired.',
    title: 'Session not found',
  },
  sessionJudged: {
    status: '419',
    http: 409,
    message: 'session_id already judged',
    when: 'Frames were submitted for this liveness session before; a session is judged once.',
    title: 'Session judged already',
  },
  sessionExpired: {
    status: '420',
    http: 410,
    message: 'session_id expired',
    when: 'The call came after expires_at of the liveness session, or the session was ended: by a newer link for the same person, with the list of expected people or the gallery that its link was of, or because the person has a face there meanwhile.',
    title: 'Session expired',
  },
  livenessNotProven: {
    status: '421',
    http: 403,
    message: 'Liveness not proven',
    when: 'The gallery requires a liveness_token and none was sent; or the liveness_token is not genuine, expired, spent, of another client, or of a face that the picture does not match (detail says which).',
    title: 'Liveness not proven',
  },
  tokenNotFound: {
    status: '422',
    http: 404,
    message: 'token_id not found',
    when: 'The client has no such API token; also when it belongs to another client.',
    title: 'Token not found',
  },
  consentMissing: {
    status: '423',
    http: 403,
    message: 'Consent missing',
    when: 'The gallery requires a consent, and the call has no consent_reference and none is stored of the user, or it has ended.',
    title: 'Consent missing',
  },
  userSuspended: {
    status: '424',
    http: 403,
    message: 'user_id suspended',
    when: 'The user is stored and not matched: suspend-person suspended them, and resume-person ends it.',
    title: 'Person suspended',
  },
  ...featureStatuses,
  clientNotFound: {
    status: '426',
    http: 404,
    message: 'client_id not found',
    when: 'An operator named a client that does not exist.',
    title: 'Client not found',
  },
  clientExists: {
    status: '427',
    http: 409,
    message: 'client_id already exists',
    when: 'An operator creates a client under the name of another one.',
    title: 'Client exists already',
  },
  tooManyRequests: {
    status: '429',
    http: 429,
    message: 'Too many requests',
    when: 'A rate limit was reached, or a limit of open or failed liveness sessions; Retry-After says when to try again.',
    title: 'Too many requests',
  },
  imageNull: {
    status: '451',
    http: 400,
    message: 'image is null',
    when: 'image is missing, null or empty.',
    title: 'Picture missing',
  },
  userIdNull: {
    status: '452',
    http: 400,
    message: 'user_id is null',
    when: 'user_id is missing, null, empty or only white space.',
    title: 'User ID missing',
  },
  userNameNull: {
    status: '453',
    http: 400,
    message: 'user_name is null',
    when: 'user_name is missing, null, empty or only white space.',
    title: 'Name missing',
  },
  galleryIdNull: {
    status: '454',
    http: 400,
    message: 'facegallery_id is null',
    when: 'facegallery_id is missing, null, empty or only white space.',
    title: 'Gallery missing',
  },
  targetImageNull: {
    status: '455',
    http: 400,
    message: 'target_image is null',
    when: 'target_image is missing, null or empty.',
    title: 'Second picture missing',
  },
  sourceImageNull: {
    status: '456',
    http: 400,
    message: 'source_image is null',
    when: 'source_image is missing, null or empty.',
    title: 'First picture missing',
  },
  imageBase64: {
    status: '490',
    http: 422,
    message: 'Cannot decode image base64',
    when: 'image is not base64.',
    title: 'Picture not base64',
  },
  imageType: {
    status: '491',
    http: 422,
    message: 'image type not recognized',
    when: `The decoded bytes of image or target_image are no ${aPicture}; detail names what they look like.`,
    title: 'Unknown type of picture',
  },
  targetImageBase64: {
    status: '492',
    http: 422,
    message: 'Cannot decode target_image base64',
    when: 'target_image is not base64.',
    title: 'Second picture not base64',
  },
  imageBroken: {
    status: '493',
    http: 422,
    message: 'image error',
    when: 'The picture is truncated, corrupt, over a limit (bytes, pixels, side, scans, metadata, work of decoding), or alone takes longer than a picture may; sending it again does not help.',
    title: 'Picture damaged or too large',
  },
  sourceImageBase64: {
    status: '494',
    http: 422,
    message: 'Cannot decode source_image base64',
    when: 'source_image is not base64.',
    title: 'First picture not base64',
  },
  sourceImageType: {
    status: '495',
    http: 422,
    message: 'source_image type not recognized',
    when: `The decoded bytes of source_image are no ${aPicture}.`,
    title: 'Unknown type of the first picture',
  },
  serverError: {
    status: '500',
    http: 500,
    message: 'Server error',
    when: 'An unexpected error; it is logged with the trx_id.',
    title: 'Error of the server',
  },
  busy: {
    status: '503',
    http: 503,
    message: 'Server busy',
    when: 'The inference queue is full, the server is draining, or its database cannot be reached. Nothing was partly written. Retry-After says when to try again.',
    title: 'Server busy',
  },
} as const satisfies Record<string, StatusRow>;

/** `status_message` of a `userExists` that is about the face: the user_id of the call is not enrolled. */
export const faceEnrolledMessage = 'face already enrolled';

/** One row of the status table. */
export interface StatusRow {
  /** Value of the envelope's `status`. */
  readonly status: string;
  /** HTTP status code. */
  readonly http: number;
  /** Value of the envelope's `status_message`. */
  readonly message: string;
  /** When it is answered, for the documentation. */
  readonly when: string;
  /** Heading for people. */
  readonly title: string;
}

/** Name of a row of the status table; services refuse by it. */
export type StatusName = keyof typeof statuses;
