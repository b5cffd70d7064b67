import { batchLivenessAnswer, livenessAnswer } from '../schemas/answers.ts';
import { batchLivenessRequest, livenessRequest } from '../schemas/liveness.ts';
import { endpoint } from './endpoint.ts';

const ok = { status: '200', status_message: 'Success' };
const image = '/9j/4AAQSkZJRgABAQ…';
const common = { tag: 'liveness', auth: 'token', hit: 'before', methods: ['POST'] } as const;

/** Liveness from one picture and from several. */
export const livenessEndpoints = {
  verifyLiveness: endpoint({
    ...common,
    id: 'verifyLiveness',
    path: '/liveness-api/verify-face-liveness',
    summary: 'Judges whether the face of a picture is real and matches what was asked of the person.',
    request: livenessRequest,
    answer: livenessAnswer,
    refusals: [
      'imageNull',
      'userIdNull',
      'galleryIdNull',
      'imageBase64',
      'imageType',
      'imageBroken',
      'faceNotDetected',
      'faceTooSmall',
      'userNotFound',
      'galleryNotFound',
    ],
    example: {
      request: { image, face_parameters: { angle: 'face left', eyes: 'open' } },
      answer: {
        ...ok,
        liveness: 'passed',
        confidence_level: 0.95,
        match_status: { is_real: true, angle: true, eyes: true },
        results: {
          masker: false,
          is_spoof: false,
          spoof_score: 0.03,
          roll: 1.2,
          pitch: -3.4,
          yaw: 24.5,
          left_eye: 'open',
          right_eye: 'open',
          left_eye_score: 0.99,
          right_eye_score: 0.99,
        },
      },
    },
  }),
  verifyLivenessBatch: endpoint({
    ...common,
    id: 'verifyLivenessBatch',
    path: '/liveness-api/batch-verify-face-liveness',
    summary: 'Judges several pictures, each with what it must show.',
    request: batchLivenessRequest,
    answer: batchLivenessAnswer,
    refusals: ['userIdNull', 'galleryIdNull', 'userNotFound', 'galleryNotFound', 'imageBroken'],
    example: {
      request: {
        batch: [
          { image, face_parameter: 'face left' },
          { image, face_parameter: 'eyes closed', spoof_detection: false },
        ],
      },
      answer: {
        ...ok,
        liveness: 'passed',
        results: {
          image1: {
            match: true,
            masker: false,
            is_spoof: false,
            spoof_score: 0.03,
            roll: 1.2,
            pitch: -3.4,
            yaw: 24.5,
          },
          image2: {
            match: true,
            masker: false,
            left_eye: 'closed',
            right_eye: 'closed',
            left_eye_score: 0.98,
            right_eye_score: 0.97,
          },
        },
      },
    },
  }),
};
