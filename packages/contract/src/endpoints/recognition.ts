import { z } from 'zod';
import { optionalCount, optionalFraction, optionalRate, picture } from '../fields.ts';
import { endpoint } from './endpoint.ts';
import {
  envelope,
  exampleImage,
  type Fields,
  fraction,
  gallery,
  masker,
  ok,
  refusalAnswer,
  similarity,
  threshold,
  trx,
  user,
  verified,
} from './envelope.ts';
import { galleryRefusals, image, livenessToken, pictureRefusals } from './faces.ts';

/** The operating point of one call. */
const operatingPoint = {
  threshold: optionalFraction('Extension: similarity threshold of this call, 0 to 1.'),
  far: optionalRate(
    'Extension: the threshold as the false match rate of one comparison, a number or a text such as "1e-4"; ' +
      'not together with `threshold`.',
  ),
};

const verifyRequest = z.object({
  user_id: user,
  facegallery_id: gallery,
  image,
  trx_id: trx,
  ...operatingPoint,
  ...livenessToken,
});

const identifyRequest = z.object({
  facegallery_id: gallery,
  image,
  trx_id: trx,
  top_k: optionalCount('Extension: most users in the answer. Default 1.', 1, 10),
  ...operatingPoint,
});

const compareRequest = z.object({
  source_image: picture('The picture to compare: base64 of a JPEG or PNG.'),
  target_image: picture('The reference picture: base64 of a JPEG or PNG.'),
  trx_id: trx,
  ...operatingPoint,
  ...livenessToken,
});

const verifyAnswer = envelope.extend({
  user_name: z.string(),
  similarity,
  masker,
  verified,
  threshold,
});

const identified = z.array(
  z.object({ confidence_level: fraction, mask: z.boolean(), user_id: z.string(), user_name: z.string() }),
);

const identifyAnswer = envelope.extend({ status_description: z.string(), return: identified });

/** An identification without a candidate. */
const identifyMiss = refusalAnswer.extend({ status_description: z.string(), return: identified });

const compareAnswer = envelope.extend({ similarity, verified, masker, threshold });

export type VerifyRequest = Fields<typeof verifyRequest>;
export type IdentifyRequest = Fields<typeof identifyRequest>;
export type CompareRequest = Fields<typeof compareRequest>;

/** Verification, identification, and comparison of two pictures. */
export const recognitionEndpoints = {
  verifyFace: endpoint({
    tag: 'face',
    path: '/face-api/facegallery/verify-face',
    summary: 'Compares a picture with the enrolled face of one user.',
    request: verifyRequest,
    answer: verifyAnswer,
    refusals: [...pictureRefusals, ...galleryRefusals, 'userIdNull', 'userNotFound', 'livenessNotProven'],
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
    path: '/face-api/facegallery/identify-face',
    summary: 'Searches a gallery for the face of a picture.',
    request: identifyRequest,
    answer: identifyAnswer,
    miss: identifyMiss,
    refusals: [...pictureRefusals, ...galleryRefusals, 'notRecognized'],
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
    path: '/face-api/compare-images',
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
      'livenessNotProven',
    ],
    example: {
      request: { source_image: exampleImage, target_image: exampleImage },
      answer: { ...ok, similarity: 0.91, verified: true, masker: false, threshold: 0.625 },
    },
  }),
};
