import {
  createSessionRequest,
  sessionAnswer,
  submitSessionAnswer,
  submitSessionRequest,
} from '../schemas/session.ts';
import { endpoint } from './endpoint.ts';

const ok = { status: '200', status_message: 'Success' };
const image = '/9j/4AAQSkZJRgABAQ…';
const sessionId = '019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11';
const common = { tag: 'liveness', auth: 'token', hit: 'before', methods: ['POST'] } as const;

/** Liveness by a challenge that the server holds. */
export const sessionEndpoints = {
  createLivenessSession: endpoint({
    ...common,
    id: 'createLivenessSession',
    path: '/liveness-api/create-session',
    summary: 'Opens a liveness session: says what the person must do, in which order and until when.',
    request: createSessionRequest,
    answer: sessionAnswer,
    refusals: ['userIdNull', 'galleryIdNull', 'userNotFound', 'galleryNotFound'],
    example: {
      request: { steps: 2 },
      answer: {
        ...ok,
        session_id: sessionId,
        steps: ['face front', 'face left', 'eyes closed', 'face front'],
        nonce: 'mHnFpkZ3v1e5nXoV3b0v2g',
        expires_at: '2026-01-31T12:01:00.000Z',
        expires_in: 60,
        front_angle: 12,
      },
    },
  }),
  submitLivenessSession: endpoint({
    ...common,
    id: 'submitLivenessSession',
    path: '/liveness-api/submit-session',
    summary: 'Judges the frames of a liveness session, once; a passed one gives a liveness_token.',
    request: submitSessionRequest,
    answer: submitSessionAnswer,
    refusals: [
      'sessionNotFound',
      'sessionJudged',
      'sessionExpired',
      'userNotFound',
      'galleryNotFound',
      'imageBroken',
    ],
    example: {
      request: {
        session_id: sessionId,
        frames: [
          { step: 'face front', image, captured_at: '2026-01-31T12:00:10.000Z' },
          { step: 'face left', image, captured_at: '2026-01-31T12:00:13.500Z' },
          { step: 'eyes closed', image, captured_at: '2026-01-31T12:00:16.000Z' },
          { step: 'face front', image, captured_at: '2026-01-31T12:00:19.000Z' },
        ],
      },
      answer: {
        ...ok,
        liveness: 'passed',
        results: [
          { step: 'face front', match: true, frame: 0, masker: false, roll: 1.2, pitch: -3.4, yaw: 1.5 },
          { step: 'face left', match: true, frame: 1, masker: false, roll: 1.2, pitch: -3.4, yaw: 24.5 },
          {
            step: 'eyes closed',
            match: true,
            frame: 2,
            masker: false,
            left_eye: 'closed',
            right_eye: 'closed',
            left_eye_score: 0.98,
            right_eye_score: 0.97,
          },
          { step: 'face front', match: true, frame: 3, masker: false, roll: 0.8, pitch: -2.1, yaw: -0.5 },
        ],
        liveness_token: 'eyJhbGciOiJFZERTQSIs…',
        expires_in: 300,
      },
    },
  }),
};
