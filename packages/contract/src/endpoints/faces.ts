import { z } from 'zod';
import type { StatusName } from '../errors.ts';
import {
  flag,
  name,
  optionalCount,
  optionalFlag,
  optionalFraction,
  optionalName,
  optionalPicture,
  picture,
} from '../fields.ts';
import { endpoint } from './endpoint.ts';
import {
  calibration,
  envelope,
  exampleImage,
  exampleReceipt,
  type Fields,
  gallery,
  masker,
  ok,
  receipt,
  refusalAnswer,
  similarity,
  trx,
  user,
} from './envelope.ts';

export const image = picture('The picture: base64 of a JPEG or PNG; a data URL is accepted.');
const userName = name('Name of the person.');

const checkSingleFace = {
  check_single_face: optionalFlag(
    'Extension: refuses a picture with more than one face; with the card in the same picture, with a third one that is ' +
      "as large as the card's. The refusal (414) says how many were found and where.",
    false,
  ),
};

export const livenessToken = {
  liveness_token: optionalName(
    'Extension: the liveness_token of a passed session. The call spends it; the face must be the one that passed.',
    4_000,
  ),
};

const enrolRequest = z.object({
  user_id: user,
  user_name: userName,
  facegallery_id: gallery,
  force_register: flag('Enrols a face below the minimum size.', false),
  image,
  trx_id: trx,
  replace: flag('Extension: replaces the face of an enrolled user_id.', false),
  append: flag(
    'Extension: adds this face to those of an enrolled user_id, up to 5. The score of a probe is the mean over all ' +
      'of them.',
    false,
  ),
  check_quality: flag('Extension: refuses a face that fails a quality rule.', false),
  check_duplicate: flag('Extension: refuses a face that is enrolled under another user_id.', false),
  ...checkSingleFace,
  ...livenessToken,
});

const enrolCardRequest = z.object({
  user_id: user,
  user_name: userName,
  facegallery_id: gallery,
  image,
  trx_id: trx,
  minimum_similarity: optionalFraction('Similarity threshold of face and card.'),
  ktp_image: optionalPicture('Extension: picture of the identity card, if `image` shows only the person.'),
  ...checkSingleFace,
  ...livenessToken,
});

const listFacesRequest = z.object({
  facegallery_id: gallery,
  trx_id: trx,
  search: optionalName('Extension: only users whose user_id or user_name contains this text, ignoring case.'),
  limit: optionalCount(
    'Extension: most faces in the answer; further ones follow with `next_cursor`.',
    1,
    10_000,
  ),
  cursor: optionalName('Extension: `next_cursor` of the previous page.', 1_000),
});

const userRequest = z.object({ user_id: user, facegallery_id: gallery, trx_id: trx });

const cardAnswer = envelope.extend({ masker, similarity, calibration });

/** A KTP enrolment below the minimum. */
const cardMiss = refusalAnswer.extend({ masker, similarity, calibration });

const listFacesAnswer = envelope.extend({
  faces: z.array(z.object({ user_id: z.string(), user_name: z.string() })),
  next_cursor: z.string().optional().meta({ description: 'Extension: present if a limit cut the list.' }),
});

const faceCropAnswer = envelope.extend({
  image: z.string().meta({ description: 'JPEG as base64, at most 512 pixels wide and high.' }),
});

export type EnrolRequest = Fields<typeof enrolRequest>;
export type EnrolCardRequest = Fields<typeof enrolCardRequest>;
export type ListFacesRequest = Fields<typeof listFacesRequest>;
export type UserRequest = Fields<typeof userRequest>;

export const pictureRefusals = [
  'imageNull',
  'imageBase64',
  'imageType',
  'imageBroken',
  'faceNotDetected',
  'faceTooSmall',
] as const satisfies readonly StatusName[];
export const galleryRefusals = ['galleryIdNull', 'galleryNotFound'] as const satisfies readonly StatusName[];
const enrolmentRefusals = [
  ...pictureRefusals,
  ...galleryRefusals,
  'userIdNull',
  'userNameNull',
  'userExists',
] as const satisfies readonly StatusName[];

const exampleEnrolment = {
  user_id: '3174001',
  user_name: 'Sri Rahayu',
  facegallery_id: 'demo@trial',
  image: exampleImage,
};

/** The faces of a gallery. */
export const faceEndpoints = {
  enrolFace: endpoint({
    tag: 'face',
    path: '/face-api/facegallery/enroll-face',
    summary: 'Enrols a user with a face.',
    request: enrolRequest,
    answer: envelope,
    refusals: [...enrolmentRefusals, 'qualityTooLow', 'livenessNotProven'],
    example: {
      request: exampleEnrolment,
      answer: ok,
    },
  }),
  enrolFaceKtp: endpoint({
    tag: 'face',
    path: '/face-api/facegallery/enroll-face-ktp',
    summary: 'Enrols a user whose face matches the face on the identity card.',
    request: enrolCardRequest,
    answer: cardAnswer,
    miss: cardMiss,
    refusals: [...enrolmentRefusals, 'qualityTooLow', 'notRecognized', 'livenessNotProven'],
    example: {
      request: exampleEnrolment,
      answer: { ...ok, masker: false, similarity: 0.83 },
    },
  }),
  listFaces: endpoint({
    tag: 'face',
    methods: ['GET', 'POST'],
    path: '/face-api/facegallery/list-faces',
    summary: 'Lists the users of a gallery, ordered by user_id.',
    request: listFacesRequest,
    answer: listFacesAnswer,
    refusals: galleryRefusals,
    example: {
      request: { facegallery_id: 'demo@trial' },
      answer: { ...ok, faces: [{ user_id: '3174001', user_name: 'Sri Rahayu' }] },
    },
  }),
  deleteFace: endpoint({
    tag: 'face',
    hit: 'while left',
    methods: ['DELETE'],
    path: '/face-api/facegallery/delete-face',
    summary: 'Deletes a user from a gallery.',
    request: userRequest,
    answer: envelope.extend({ receipt }),
    refusals: [...galleryRefusals, 'userIdNull', 'userNotFound'],
    example: {
      request: { user_id: '3174001', facegallery_id: 'demo@trial' },
      answer: { ...ok, receipt: exampleReceipt },
    },
  }),
};

/** Face crops. */
export const faceCropExtensions = {
  getFaceCrop: endpoint({
    tag: 'face',
    path: '/face-api/get-face-crop',
    summary:
      'Extension: returns the stored face crop of an enrolled face, the newest of several. Requires that the operator ' +
      'stores face crops; each call is recorded in the audit trail.',
    request: userRequest,
    answer: faceCropAnswer,
    refusals: ['userIdNull', 'userNotFound', 'galleryIdNull', 'galleryNotFound'],
    example: {
      request: { user_id: '3174001', facegallery_id: 'demo@trial' },
      answer: { status: '200', status_message: 'Success', image: exampleImage },
    },
  }),
};
