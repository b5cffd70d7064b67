import { z } from 'zod';
import {
  flag,
  message,
  name,
  names,
  optionalCount,
  optionalFlag,
  optionalFraction,
  optionalName,
  optionalPicture,
  optionalPictures,
  optionalWord,
  picture,
} from '../fields.ts';
import type { StatusName } from '../refusals/statuses.ts';
import { aPicture, maxTemplates } from '../values.ts';
import { exampleTerms, termsAnswer, termsFields } from './consent.ts';
import { endpoint } from './endpoint.ts';
import {
  box,
  calibration,
  envelope,
  exampleImage,
  exampleReceipt,
  type Fields,
  gallery,
  masker,
  ok,
  qualityVerdict,
  receipt,
  refusalAnswer,
  similarity,
  threshold,
  trx,
  user,
} from './envelope.ts';
import { specified } from './specified.ts';

export const image = picture(`The picture: base64 of a ${aPicture}; a data URL is accepted.`);
const userName = name('Name of the person.');

export const checkSingleFace = {
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

/** Least and most pictures of a person in a call. */
const leastImages = 2;
export const mostImages = 8;

/** One picture or several of a person; with `pictureGiven`. */
export const pictureOrSeveral = {
  image: optionalPicture(
    `The picture: base64 of a ${aPicture}; a data URL is accepted. Needed, but with images or use_session_frame.`,
  ),
  images: optionalPictures(
    `Extension: ${leastImages} to ${mostImages} pictures of one person, in place of image; in a form the field is repeated. Pictures that are refused alone are left out, and named as \`left_out\`; if none is left, the refusal of the first is the answer. If two show different people, the call is refused (411).`,
    leastImages,
    mostImages,
  ),
};

export const leftOut = z
  .array(
    z.object({
      index: z.int().meta({ description: 'Place in `images`, from 0.' }),
      error: envelope.extend({ detail: z.string() }),
    }),
  )
  .optional()
  .meta({
    description: 'Extension: the pictures of `images` that were left out, and why; absent if none was.',
  });

/** Without a picture the session's frame is enrolled. It runs even when other fields are wrong, as errors are in order. */
export const pictureGiven = z.check<{
  image?: unknown;
  images?: unknown;
  use_session_frame?: unknown;
}>(({ value, issues }) => {
  const given = [value.image, value.images].filter((one) => one !== undefined).length;
  if (given === 2) {
    const text = message('imageOrImages', { other: 'image' });
    issues.push({ code: 'custom', input: value.images, path: ['images'], message: text });
  }
  if (given > 0 || String(value.use_session_frame) === 'true') return;
  const text = message('pictureText');
  issues.push({ code: 'invalid_type', expected: 'string', input: undefined, path: ['image'], message: text });
});
pictureGiven._zod.def.when = ({ value }) => typeof value === 'object' && value !== null;

const enrolRequest = z
  .object({
    user_id: user,
    user_name: userName,
    facegallery_id: gallery,
    force_register: flag(
      'Enrols a face below the minimum size; extension: also one that shows too little to tell people apart, and appends a face that differs from those of the user.',
      false,
    ),
    ...pictureOrSeveral,
    trx_id: trx,
    if_exists: optionalWord(
      `Extension: what is done if the user_id is enrolled. \`refuse\`, the default. \`append\` adds this face to those of the user, up to ${maxTemplates}, if its similarity to one of them reaches the threshold of the gallery: the user keeps the name, a picture that the user has already counts once, and the score of a probe is the mean over all of them. \`replace\` puts this face in place of them, without a comparison. \`replace_same\` does if its similarity to one of them reaches the threshold, and else refuses (409).`,
      ['refuse', 'append', 'replace', 'replace_same'],
    ),
    replace: flag('Extension: short for `if_exists`: `replace`.', false),
    append: flag('Extension: short for `if_exists`: `append`.', false),
    check_quality: flag('Extension: refuses a face that fails a quality rule.', false),
    check_duplicate: flag(
      'Extension: refuses a face that looks like that of another user_id, at the threshold of identification; the answer names it as `duplicate_user_id`, with `similarity` and, with `details`, `face` and `found`.',
      false,
    ),
    ...checkSingleFace,
    details: optionalFlag(
      'Extension: answers which face was enrolled, and how many the picture shows. The refusal (409) of an enrolled user_id has them too, unless suspended, with the highest `similarity` to its pictures, the `threshold`, `same_person` and, of a picture that is enrolled, `same_picture`.',
      false,
    ),
    ...livenessToken,
    use_session_frame: optionalFlag(
      'Extension: in place of image, the frame that the session of the liveness_token kept (keep_frame).',
      false,
    ),
    ...termsFields,
  })
  .check(pictureGiven);

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
  ...termsFields,
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
  details: optionalFlag(
    'Extension: each user with the times of enrolment and of the last change, consent, end of storage and suspension.',
    false,
  ),
});

const userRequest = z.object({ user_id: user, facegallery_id: gallery, trx_id: trx });

const faceCropRequest = userRequest.extend({
  picture_id: optionalName('Extension: of this picture (get-face-pictures). Default: the newest.'),
});

/** Users of a call for thumbnails at most. */
const mostThumbnails = 50;

const thumbnailsRequest = z.object({
  facegallery_id: gallery,
  user_ids: names(`Identifiers of 1 to ${mostThumbnails} users.`, mostThumbnails),
  trx_id: trx,
});

const facePictureRequest = userRequest.extend({
  picture_id: name('Identifier of the picture (get-face-pictures).'),
});

const mergeFacesRequest = z.object({
  facegallery_id: gallery,
  user_id: user,
  other_user_id: name(
    'Identifier of the user whose pictures become those of user_id, and who is enrolled no longer.',
  ),
  user_name: optionalName('Name of the person from now on. Default: that of user_id.'),
  trx_id: trx,
});

const updateFaceRequest = z.object({
  user_id: user,
  facegallery_id: gallery,
  user_name: name('New name of the person.'),
  trx_id: trx,
});

const enrolAnswer = envelope.extend({
  ...specified({
    found: z.int().optional().meta({ description: 'Extension, with `details`: faces in the picture.' }),
    face: z
      .object(specified({ box, quality: z.array(qualityVerdict).optional() }))
      .optional()
      .meta({ description: 'Extension, with `details`: the face that was enrolled, and its quality rules.' }),
    similarity: similarity.optional().meta({
      description:
        'Extension, with `append` and `replace_same`, if the user was enrolled: the highest similarity, 0 to 1, to the pictures before.',
    }),
  }),
  threshold: threshold.optional().meta({
    description:
      'Extension, with `similarity`: the threshold of the gallery; only `force_register` appends below it. Absent with WAJAH_COMPAT=risetai.',
  }),
  same_picture: z.boolean().optional().meta({
    description:
      'Extension, with `append`: the user has this picture already; none was added. Consent and retention of the call hold, and the face crop is kept where the gallery keeps them and has none of the user. Absent with WAJAH_COMPAT=risetai.',
  }),
  left_out: leftOut,
  former_name: z.string().optional().meta({
    description:
      'Extension, with `replace_same`: the name before, if it was another: not if only case and blanks differ, or if the user_id is sent as the name. Refusals of the `same_person` have it too. Absent with WAJAH_COMPAT=risetai.',
  }),
  calibration,
});

/** A face that was not appended, because it differs from those of the user. */
const enrolMiss = refusalAnswer.extend({
  ...specified({ similarity }),
  threshold: threshold.meta({ description: 'The threshold of the gallery.' }),
  calibration,
});

const enrolledAt = z.string().meta({ description: 'Time of the enrolment, ISO 8601.' });
const changedAt = z.string().meta({ description: 'Time of the last change of faces or name, ISO 8601.' });

const cardAnswer = envelope.extend({ ...specified({ masker, similarity }), calibration });

/** A KTP enrolment below the minimum. */
const cardMiss = refusalAnswer.extend({ ...specified({ masker, similarity }), calibration });

const hasCrop = z.boolean().meta({ description: 'A crop of the face is kept.' });

/** Programs of the specification ask for no details and no page: they see the first two fields. */
const listFacesAnswer = envelope.extend(
  specified({
    faces: z.array(
      z.object(
        specified({
          user_id: z.string(),
          user_name: z.string(),
          created_at: enrolledAt.optional(),
          updated_at: changedAt.optional(),
          consent: termsAnswer.consent.optional(),
          expires_at: termsAnswer.expires_at.optional(),
          suspended_at: termsAnswer.suspended_at.optional(),
          has_crop: hasCrop.optional(),
        }),
      ),
    ),
    next_cursor: z.string().optional().meta({ description: 'Extension: present if a limit cut the list.' }),
  }),
);

const faceCropAnswer = envelope.extend({
  image: z.string().meta({ description: 'JPEG as base64, at most 512 pixels wide and high.' }),
});

const thumbnail = z.string().nullable();

const thumbnailsAnswer = envelope.extend({
  faces: z.array(
    z.object({
      user_id: z.string(),
      image: thumbnail.meta({
        description:
          'The newest face as a JPEG in base64, at most 160 pixels wide and high; null: no crop is kept, or nobody of this user_id is enrolled.',
      }),
    }),
  ),
});

const facePicturesAnswer = envelope.extend({
  pictures: z
    .array(
      z.object({
        picture_id: z.string().meta({ description: 'UUID.' }),
        image: thumbnail.meta({
          description:
            'The face as a JPEG in base64, at most 160 pixels wide and high; null: no crop is kept of each picture.',
        }),
      }),
    )
    .meta({ description: 'The oldest first.' }),
});

const mergeFacesAnswer = envelope.extend({
  merged: z.boolean().meta({ description: 'false: nobody of other_user_id is enrolled (any more).' }),
  n_picture: z.int().meta({ description: 'Pictures of user_id now.' }),
});

const describeFaceAnswer = envelope.extend({
  user_id: z.string(),
  user_name: z.string(),
  created_at: enrolledAt,
  updated_at: changedAt,
  ...termsAnswer,
  has_crop: hasCrop,
  n_picture: z
    .int()
    .meta({ description: `Pictures that the person is enrolled with, 1 to ${maxTemplates}.` }),
});

/** What is done if the user is enrolled. */
export type IfExists = NonNullable<z.output<typeof enrolRequest>['if_exists']>;
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
  'consentMissing',
  'userSuspended',
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
    methods: ['POST'],
    path: '/face-api/facegallery/enroll-face',
    access: 'enrol',
    repeatable: false,
    pictures: mostImages,
    hit: 'before',
    audits: 'face_enrolled',
    summary: 'Enrols a user with a face.',
    request: enrolRequest,
    answer: enrolAnswer,
    miss: enrolMiss,
    refusals: [...enrolmentRefusals, 'qualityTooLow', 'notRecognized', 'livenessNotProven'],
    example: {
      request: { ...exampleEnrolment, details: true },
      answer: { ...ok, found: 2, face: { box: { x: 212.4, y: 96.1, width: 208.3, height: 243.9 } } },
    },
  }),
  enrolFaceKtp: endpoint({
    tag: 'face',
    methods: ['POST'],
    path: '/face-api/facegallery/enroll-face-ktp',
    access: 'enrol',
    repeatable: false,
    pictures: 2,
    hit: 'before',
    audits: 'face_enrolled',
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
    access: 'read',
    repeatable: true,
    hit: 'before',
    audits: null,
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
    access: 'enrol',
    repeatable: false,
    audits: 'face_removed',
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

const examplePicture = '5b3a1c1e-6f3f-4d0a-9c55-0a4f6f2d8a11';

/** What reads crops, and what changes enrolled faces. */
const shown = {
  tag: 'face',
  methods: ['POST'],
  access: 'pictures',
  repeatable: true,
  hit: 'before',
  audits: 'crop_shown',
} as const;
const changed = {
  tag: 'face',
  methods: ['POST'],
  access: 'enrol',
  repeatable: false,
  hit: 'never',
  audits: 'face_changed',
} as const;

const exampleUser = { user_id: '3174001', facegallery_id: 'demo@trial' };

/** Single users, and face crops. */
export const faceExtensions = {
  describeFace: endpoint({
    tag: 'face',
    hit: 'never',
    methods: ['GET', 'POST'],
    path: '/face-api/facegallery/describe-face',
    access: 'read',
    repeatable: true,
    audits: null,
    summary: 'What is stored of a user, without templates and pictures.',
    request: userRequest,
    answer: describeFaceAnswer,
    refusals: [...galleryRefusals, 'userIdNull', 'userNotFound'],
    example: {
      request: exampleUser,
      answer: {
        ...ok,
        user_id: '3174001',
        user_name: 'Sri Rahayu',
        created_at: '2026-01-31T12:00:00.000Z',
        updated_at: '2026-03-02T09:30:00.000Z',
        ...exampleTerms,
        has_crop: true,
        n_picture: 2,
      },
    },
  }),
  updateFace: endpoint({
    ...changed,
    path: '/face-api/facegallery/update-face',
    summary: 'Changes the name of a user; faces and user_id stay.',
    request: updateFaceRequest,
    answer: envelope,
    refusals: [...galleryRefusals, 'userIdNull', 'userNameNull', 'userNotFound'],
    example: { request: { ...exampleUser, user_name: 'Sri Rahayu Widodo' }, answer: ok },
  }),
  getFaceCrop: endpoint({
    ...shown,
    path: '/face-api/get-face-crop',
    summary:
      'Returns the stored face crop of an enrolled face, the newest of several. Requires that the gallery ' +
      'keeps face crops; each call is recorded in the audit trail.',
    request: faceCropRequest,
    answer: faceCropAnswer,
    refusals: ['userIdNull', 'userNotFound', 'galleryIdNull', 'galleryNotFound'],
    example: {
      request: exampleUser,
      answer: { status: '200', status_message: 'Success', image: exampleImage },
    },
  }),
  getFaceThumbnails: endpoint({
    ...shown,
    path: '/face-api/get-face-thumbnails',
    summary:
      'Returns the faces of several users, small, where crops are kept. A call is one record of the audit trail.',
    request: thumbnailsRequest,
    answer: thumbnailsAnswer,
    refusals: galleryRefusals,
    example: {
      request: { facegallery_id: 'demo@trial', user_ids: ['3174001', '3174099'] },
      answer: {
        ...ok,
        faces: [
          { user_id: '3174001', image: exampleImage },
          { user_id: '3174099', image: null },
        ],
      },
    },
  }),
  getFacePictures: endpoint({
    ...shown,
    path: '/face-api/get-face-pictures',
    summary:
      'Lists the pictures that a user is enrolled with, small, where crops are kept. A call is one record of the audit trail.',
    request: userRequest,
    answer: facePicturesAnswer,
    refusals: [...galleryRefusals, 'userIdNull', 'userNotFound'],
    example: {
      request: exampleUser,
      answer: { ...ok, pictures: [{ picture_id: examplePicture, image: exampleImage }] },
    },
  }),
  deleteFacePicture: endpoint({
    ...changed,
    path: '/face-api/facegallery/delete-face-picture',
    destroys: true,
    summary:
      'Deletes one of several pictures of a user, with its template. The last one is refused: delete-face erases the user.',
    request: facePictureRequest,
    answer: envelope,
    refusals: [...galleryRefusals, 'userIdNull', 'userNotFound', 'userSuspended'],
    example: { request: { ...exampleUser, picture_id: examplePicture }, answer: ok },
  }),
  mergeFaces: endpoint({
    ...changed,
    path: '/face-api/facegallery/merge-faces',
    destroys: true,
    summary:
      'Makes two users of a gallery one: user_id keeps its consent and retention, and has the pictures of both. Sent again, it changes nothing.',
    request: mergeFacesRequest,
    answer: mergeFacesAnswer,
    refusals: [...galleryRefusals, 'userIdNull', 'userNotFound', 'userExists', 'userSuspended'],
    example: {
      request: { ...exampleUser, other_user_id: '3174099' },
      answer: { ...ok, merged: true, n_picture: 3 },
    },
  }),
};
