import { z } from 'zod';
import { featureFaceFields } from '../features/fields.ts';
import { message, optionalCount, optionalFlag, optionalFraction, optionalRate, picture } from '../fields.ts';
import { aPicture } from '../values.ts';
import { endpoint } from './endpoint.ts';
import {
  box,
  calibration,
  envelope,
  exampleImage,
  fraction,
  gallery,
  masker,
  ok,
  qualityVerdict,
  refusalAnswer,
  similarity,
  threshold,
  trx,
  user,
  verified,
} from './envelope.ts';
import {
  checkSingleFace,
  galleryRefusals,
  leftOut,
  livenessToken,
  mostImages,
  pictureGiven,
  pictureOrSeveral,
  pictureRefusals,
} from './faces.ts';
import { specified } from './specified.ts';

/** The operating point of one call. */
const operatingPoint = {
  threshold: optionalFraction('Extension: similarity threshold of this call, 0 to 1.'),
  far: optionalRate(
    'Extension: the threshold as the false match rate of one comparison, a number or a text such as "1e-4"; ' +
      'not together with `threshold`.',
  ),
};

const verifyRequest = z
  .object({
    user_id: user,
    facegallery_id: gallery,
    ...pictureOrSeveral,
    trx_id: trx,
    ...operatingPoint,
    ...checkSingleFace,
    ...livenessToken,
  })
  .check(pictureGiven);

const identifyRequest = z
  .object({
    facegallery_id: gallery,
    ...pictureOrSeveral,
    trx_id: trx,
    top_k: optionalCount('Extension: most users in the answer, of each face. Default 1.', 1, 10),
    faces: optionalCount(
      'Extension: most faces of the picture that are searched for, the most prominent ones; the answer then has `faces`. ' +
        'The threshold rises with the number of those that are not identified, so that the rate of false identifications ' +
        'is kept for the whole picture. ' +
        'Default 1: the main face.',
      1,
      20,
    ),
    below_threshold: optionalFlag(
      'Extension: each face of the answer also has the most similar users below the threshold, as `below`.',
      false,
    ),
    thorough: optionalFlag(
      'Extension: also looks for small faces in parts of the picture, at several times the cost, as detect-faces does.',
      false,
    ),
    allow_no_face: optionalFlag(
      'Extension: a picture without a face is answered, with `found` 0 and nobody in `return`, and is not refused: ' +
        'for a camera before which there is mostly nobody.',
      false,
    ),
    ...operatingPoint,
    ...checkSingleFace,
  })
  .check(pictureGiven)
  .check(({ value, issues }) => {
    if (value.images === undefined || value.faces === undefined) return;
    const text = message('imageOrImages', { other: 'images' });
    issues.push({ code: 'custom', input: value.faces, path: ['faces'], message: text });
  });

const compareRequest = z.object({
  source_image: picture(`The picture to compare: base64 of a ${aPicture}.`),
  target_image: picture(`The reference picture: base64 of a ${aPicture}.`),
  trx_id: trx,
  ...operatingPoint,
  ...checkSingleFace,
  ...livenessToken,
});

const face = z.object({ box });

/** Absent where a picture has one face. */
const among = {
  found: z.int().optional().meta({
    description: 'Extension: faces in the picture; present if there are several.',
  }),
  face: face.optional().meta({
    description: 'Extension: the face that was taken; present if there are several.',
  }),
};

const amongOf = (picture: string) =>
  z
    .object({ found: z.int(), face })
    .optional()
    .meta({
      description: `Extension: the faces in ${picture} and the one that was taken; present if there are several.`,
    });

const verifyAnswer = envelope.extend({
  ...specified({ user_name: z.string(), similarity, masker, verified }),
  ...among,
  left_out: leftOut,
  threshold,
  calibration,
});

const identified = z.array(
  z.object(
    specified({ confidence_level: fraction, mask: z.boolean(), user_id: z.string(), user_name: z.string() }),
  ),
);

const outcomes = ['identified', 'not_identified', 'unclear', 'too_small'] as const;

/** Present when the request names `faces`. */
const searched = {
  faces: z
    .array(
      z.object({
        box,
        quality: z.array(qualityVerdict),
        mask: masker,
        outcome: z.enum(outcomes).meta({
          description:
            'not_identified: nobody reaches the threshold; unclear: somebody does, and the face shows too little to tell people apart; too_small: below WAJAH_MIN_FACE, not searched for.',
        }),
        candidates: identified.meta({
          description:
            'At most top_k users, best first. Who is identified as one face is no candidate of another.',
        }),
        below: identified.optional().meta({
          description:
            'Present with `below_threshold`: users below the threshold, best first, with the candidates at most top_k.',
        }),
        ...featureFaceFields,
      }),
    )
    .optional()
    .meta({ description: 'Extension: each face, the largest first; present if the request has `faces`.' }),
  found: z.int().optional().meta({
    description:
      'Extension: faces in the picture, also those beyond `faces`; present with `faces`, if there are several, and if there is none.',
  }),
  face: among.face,
  threshold: fraction.optional().meta({
    description:
      'Extension: the threshold that the identified faces reach, and no other; present with `faces`.',
  }),
};

const identifyAnswer = envelope.extend({
  ...specified({
    status_description: z.string(),
    return: identified.meta({ description: 'Candidates; of several faces those of the largest first.' }),
  }),
  ...searched,
  left_out: leftOut,
  calibration,
});

/** An identification without a candidate. */
const identifyMiss = refusalAnswer.extend({
  ...specified({ status_description: z.string(), return: identified }),
  ...searched,
  left_out: leftOut,
  ...featureFaceFields,
  calibration,
});

const compareAnswer = envelope.extend({
  ...specified({ similarity, verified, masker }),
  source: amongOf('source_image'),
  target: amongOf('target_image'),
  threshold,
  calibration,
});

/** What became of a face. */
export type FaceOutcome = (typeof outcomes)[number];

/** Verification, identification, and comparison of two pictures. */
export const recognitionEndpoints = {
  verifyFace: endpoint({
    tag: 'face',
    methods: ['POST'],
    path: '/face-api/facegallery/verify-face',
    access: 'recognise',
    repeatable: true,
    pictures: mostImages,
    hit: 'before',
    audits: 'face_verified',
    summary: 'Compares a picture with the enrolled face of one user.',
    request: verifyRequest,
    answer: verifyAnswer,
    refusals: [
      ...pictureRefusals,
      ...galleryRefusals,
      'qualityTooLow',
      'userIdNull',
      'userNotFound',
      'userSuspended',
      'notRecognized',
      'livenessNotProven',
    ],
    example: {
      request: { user_id: '3174001', facegallery_id: 'demo@trial', image: exampleImage },
      answer: {
        ...ok,
        user_name: 'Sri Rahayu',
        similarity: 0.91,
        masker: false,
        verified: true,
        threshold: 0.625,
      },
    },
  }),
  identifyFace: endpoint({
    tag: 'face',
    methods: ['POST'],
    path: '/face-api/facegallery/identify-face',
    access: 'recognise',
    repeatable: true,
    pictures: mostImages,
    hit: 'before',
    audits: 'face_identified',
    summary: 'Searches a gallery for the face of a picture, or for each of its faces.',
    request: identifyRequest,
    answer: identifyAnswer,
    miss: identifyMiss,
    refusals: [...pictureRefusals, ...galleryRefusals, 'qualityTooLow', 'notRecognized'],
    example: {
      request: { facegallery_id: 'demo@trial', image: exampleImage },
      answer: {
        ...ok,
        status_description: 'Face Recognition Success',
        return: [{ confidence_level: 0.91, mask: false, user_id: '3174001', user_name: 'Sri Rahayu' }],
      },
    },
  }),
  compareImages: endpoint({
    tag: 'compare',
    methods: ['POST'],
    path: '/face-api/compare-images',
    access: 'recognise',
    repeatable: true,
    pictures: 2,
    hit: 'before',
    audits: 'images_compared',
    summary: 'Compares the faces of two pictures; stores nothing.',
    request: compareRequest,
    answer: compareAnswer,
    refusals: [
      'targetImageNull',
      'sourceImageNull',
      'imageType',
      'targetImageBase64',
      'imageBroken',
      'sourceImageBase64',
      'sourceImageType',
      'faceNotDetected',
      'faceTooSmall',
      'qualityTooLow',
      'livenessNotProven',
    ],
    example: {
      request: { source_image: exampleImage, target_image: exampleImage },
      answer: { ...ok, similarity: 0.91, verified: true, masker: false, threshold: 0.625 },
    },
  }),
};
