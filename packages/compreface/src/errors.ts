import type { StatusName } from '@wajah/contract';
import { Refusal } from '@wajah/server/profile';

/** Codes of errors that CompreFace's clients know, with their HTTP codes. */
const codes = {
  undefined: { code: 0, http: 400 },
  emptyField: { code: 5, http: 400 },
  serviceNotFound: { code: 10, http: 404 },
  missingHeader: { code: 20, http: 400 },
  fileType: { code: 21, http: 400 },
  validation: { code: 26, http: 400 },
  noFace: { code: 28, http: 400 },
  tooManyFaces: { code: 31, http: 400 },
  missingParameter: { code: 33, http: 400 },
  missingPart: { code: 34, http: 400 },
  incorrectArgument: { code: 36, http: 400 },
  subjectNotFound: { code: 42, http: 404 },
  subjectExists: { code: 43, http: 400 },
  imageNotFound: { code: 44, http: 404 },
} as const;

type CodeName = keyof typeof codes;

/** An error of the profile itself, recorded under `status`. @param message as CompreFace words it, where it has one */
export function failure(name: CodeName, message: string, status: StatusName = 'malformed'): Refusal {
  return new Refusal(status, message, { compreface: name });
}

const { undefined: other, noFace, fileType, emptyField } = codes;

/** Errors of services. Those that CompreFace does not have keep the HTTP code that its clients retry or give up on. */
const known: Readonly<Partial<Record<StatusName, { readonly code: number; readonly http: number }>>> = {
  unauthorized: codes.serviceNotFound,
  galleryNotFound: codes.serviceNotFound,
  userNotFound: codes.subjectNotFound,
  userExists: codes.incorrectArgument,
  faceNotDetected: noFace,
  faceTooSmall: noFace,
  qualityTooLow: codes.tooManyFaces,
  imageNull: emptyField,
  sourceImageNull: emptyField,
  targetImageNull: emptyField,
  imageBase64: fileType,
  sourceImageBase64: fileType,
  targetImageBase64: fileType,
  imageType: fileType,
  sourceImageType: fileType,
  imageBroken: fileType,
  routeNotFound: { ...other, http: 404 },
  methodNotAllowed: { ...other, http: 404 },
  denied: { ...other, http: 403 },
  livenessNotProven: { ...other, http: 403 },
  userSuspended: { ...other, http: 403 },
  consentMissing: { ...other, http: 403 },
  tooManyRequests: { ...other, http: 429 },
  busy: { ...other, http: 503 },
  serverError: { ...other, http: 500 },
};

const noFaceMessage = 'No face is found in the given image';

/** Messages that clients may compare; all others are the detail of the refusal. */
const messages: Readonly<Partial<Record<StatusName, (detail: string) => string>>> = {
  faceNotDetected: () => noFaceMessage,
  faceTooSmall: (detail) => `${noFaceMessage}: ${detail}`,
  qualityTooLow: () => 'More than one face in the source image',
  serverError: () => 'Something went wrong, please try again',
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * The answer to a refusal, as CompreFace's clients expect it.
 * @param fields of the refusal
 * @param subject of the call
 */
export function errorOf(
  status: StatusName,
  detail: string,
  fields: Fields = {},
  subject: string | null = null,
) {
  const name = named(fields);
  const { code, http } = name === undefined ? (known[status] ?? other) : codes[name];
  return { http, body: { message: messageOf(status, detail, fields, subject), code } };
}

function named({ compreface, picture, subject }: Fields): CodeName | undefined {
  if (picture !== undefined) return 'imageNotFound';
  if (subject !== undefined) return 'subjectExists';
  return compreface as CodeName | undefined;
}

function messageOf(status: StatusName, detail: string, fields: Fields, subject: string | null): string {
  if (fields['compreface'] !== undefined) return detail;
  if (fields['picture'] !== undefined) return `Image ${fields['picture']} not found`;
  if (fields['subject'] !== undefined) return 'Subject already exists';
  if (status === 'userNotFound') return `Subject ${subject ?? ''} not found`;
  return messages[status]?.(detail) ?? detail;
}
