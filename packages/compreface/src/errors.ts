import { type StatusName, statuses } from '@wajah/contract';
import type { RefusalCode } from '@wajah/contract/refusals';
import type { Refusal } from '@wajah/server/profile';

/** Code of CompreFace for fields that do not pass its checks. */
export const validationCode = 26;

/** Codes that its clients know statuses by; 0 of all others. */
const codesOfStatuses: Readonly<Partial<Record<StatusName, number>>> = {
  unauthorized: 10,
  userExists: 36,
  faceNotDetected: 28,
  faceTooSmall: 28,
  qualityTooLow: 31,
  userNotFound: 42,
  galleryNotFound: 10,
  imageNull: 5,
  targetImageNull: 5,
  sourceImageNull: 5,
  imageBase64: 21,
  imageType: 21,
  targetImageBase64: 21,
  imageBroken: 21,
  sourceImageBase64: 21,
  sourceImageType: 21,
};

/** Of refusals that have another one than their status. */
const codes: Readonly<Partial<Record<RefusalCode, number>>> = {
  unclear: 28,
  apiKeyMissing: 20,
  apiKeyUnknown: 10,
  parameterMissing: 33,
  subjectNameEmpty: 26,
  partMissing: 34,
  fieldEmpty: 5,
  bodyNotTaken: 0,
  embeddingsRefused: 36,
  subjectExists: 43,
  pictureNotFound: 44,
};

/** CompreFace's codes that are answered with another HTTP status than 400. */
const httpOf: Readonly<Record<number, number>> = { 10: 404, 42: 404, 44: 404 };

/** HTTP codes that clients retry or give up on, of statuses that CompreFace does not have; 400 of all others. */
const keptHttp: Readonly<Record<number, number>> = {
  403: 403,
  404: 404,
  405: 404,
  429: 429,
  500: 500,
  503: 503,
};

/**
 * The answer to a refusal, as CompreFace's clients expect it.
 * @param subject of the call
 */
export function errorOf(refusal: Refusal, subject: string | null = null) {
  const { status, fields } = refusal;
  const code =
    (fields['compreface'] as number | undefined) ?? ownCode(refusal) ?? codesOfStatuses[status] ?? 0;
  return {
    http: httpOf[code] ?? (code === 0 ? keptHttp[statuses[status].http] : undefined) ?? 400,
    body: { message: messageOf(refusal, subject), code },
  };
}

const ownCode = ({ code }: Refusal) => (code === null ? undefined : codes[code]);

/** Clients look for this text, or for code 28. */
const noFaceMessage = 'No face is found in the given image';

/** Messages that clients may compare, by the code or else the status of a refusal; all others are its detail. */
const messages: Readonly<Partial<Record<RefusalCode | StatusName, (refusal: Refusal) => string>>> = {
  pictureNotFound: ({ params }) => `Image ${params['picture']} not found`,
  subjectExists: () => 'Subject already exists',
  faceNotDetected: () => noFaceMessage,
  faceTooSmall: ({ params: { size, minimum } }) =>
    `${noFaceMessage} that is large enough: the face is ${size} pixels (brow to chin, the shorter side), ${minimum} are needed; take the picture from nearer, or send a larger snapshot of the camera`,
  unclear: (refusal) => `${noFaceMessage} that is clear enough: ${refusal.detailWith(names)}`,
  qualityTooLow: () => 'More than one face in the source image',
  serverError: () => 'Something went wrong, please try again',
};

/** What its clients send instead of fields of the service. */
const names: Readonly<Record<string, string>> = {
  Accesstoken: 'x-api-key',
  image: 'file',
  user_id: 'subject',
};

function messageOf(refusal: Refusal, subject: string | null): string {
  const { code, status } = refusal;
  const own = code && messages[code];
  if (own) return own(refusal);
  if (refusal.fields['compreface'] !== undefined || ownCode(refusal) !== undefined)
    return refusal.detailWith(names);
  if (status === 'userNotFound') return `Subject ${subject ?? ''} not found`;
  return messages[status]?.(refusal) ?? refusal.detailWith(names);
}
