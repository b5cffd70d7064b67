import type { StatusName } from '../errors.ts';
import {
  cardAnswer,
  cardMiss,
  compareAnswer,
  envelope,
  identifyAnswer,
  identifyMiss,
  listFacesAnswer,
  verifyAnswer,
} from '../schemas/answers.ts';
import {
  compareRequest,
  enrolCardRequest,
  enrolRequest,
  identifyRequest,
  listFacesRequest,
  userRequest,
  verifyRequest,
} from '../schemas/requests.ts';
import { endpoint } from './endpoint.ts';

const ok = { status: '200', status_message: 'Success' };
const image = '/9j/4AAQSkZJRgABAQ…';
const pictureRefusals = [
  'imageNull',
  'imageBase64',
  'imageType',
  'imageBroken',
  'faceNotDetected',
  'faceTooSmall',
] as const satisfies readonly StatusName[];
const galleryRefusals = ['galleryIdNull', 'galleryNotFound'] as const satisfies readonly StatusName[];
const common = { auth: 'token', hit: 'before', tag: 'face' } as const;

/** Faces of a gallery, and the comparison of two pictures. */
export const faceEndpoints = {
  enrolFace: endpoint({
    ...common,
    id: 'enrolFace',
    methods: ['POST'],
    path: '/face-api/facegallery/enroll-face',
    summary: 'Enrols a user with a face.',
    request: enrolRequest,
    answer: envelope,
    refusals: [
      ...pictureRefusals,
      ...galleryRefusals,
      'userIdNull',
      'userNameNull',
      'userExists',
      'qualityTooLow',
      'livenessNotProven',
    ],
    example: {
      request: { user_id: '3174001', user_name: 'Sri Rahayu', facegallery_id: 'demo@trial', image },
      answer: ok,
    },
  }),
  enrolFaceKtp: endpoint({
    ...common,
    id: 'enrolFaceKtp',
    methods: ['POST'],
    path: '/face-api/facegallery/enroll-face-ktp',
    summary: 'Enrols a user whose face matches the face on the identity card.',
    request: enrolCardRequest,
    answer: cardAnswer,
    miss: cardMiss,
    refusals: [
      ...pictureRefusals,
      ...galleryRefusals,
      'userIdNull',
      'userNameNull',
      'userExists',
      'notRecognized',
      'livenessNotProven',
    ],
    example: {
      request: { user_id: '3174001', user_name: 'Sri Rahayu', facegallery_id: 'demo@trial', image },
      answer: { ...ok, masker: false, similarity: 0.83 },
    },
  }),
  listFaces: endpoint({
    ...common,
    id: 'listFaces',
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
  verifyFace: endpoint({
    ...common,
    id: 'verifyFace',
    methods: ['POST'],
    path: '/face-api/facegallery/verify-face',
    summary: 'Compares a picture with the enrolled face of one user.',
    request: verifyRequest,
    answer: verifyAnswer,
    refusals: [...pictureRefusals, ...galleryRefusals, 'userIdNull', 'userNotFound', 'livenessNotProven'],
    example: {
      request: { user_id: '3174001', facegallery_id: 'demo@trial', image },
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
    ...common,
    id: 'identifyFace',
    methods: ['POST'],
    path: '/face-api/facegallery/identify-face',
    summary: 'Searches a gallery for the face of a picture.',
    request: identifyRequest,
    answer: identifyAnswer,
    miss: identifyMiss,
    refusals: [...pictureRefusals, ...galleryRefusals, 'notRecognized'],
    example: {
      request: { facegallery_id: 'demo@trial', image },
      answer: {
        ...ok,
        status_description: 'Face Recognition Success',
        return: [{ confidence_level: 0.91, mask: false, user_id: '3174001', user_name: 'Sri Rahayu' }],
      },
    },
  }),
  deleteFace: endpoint({
    ...common,
    hit: 'while left',
    id: 'deleteFace',
    methods: ['DELETE'],
    path: '/face-api/facegallery/delete-face',
    summary: 'Deletes a user from a gallery.',
    request: userRequest,
    answer: envelope,
    refusals: [...galleryRefusals, 'userIdNull', 'userNotFound'],
    example: { request: { user_id: '3174001', facegallery_id: 'demo@trial' }, answer: ok },
  }),
  compareImages: endpoint({
    ...common,
    id: 'compareImages',
    tag: 'compare',
    methods: ['POST'],
    path: '/face-api/compare-images',
    summary: 'Compares the faces of two pictures; nothing is stored.',
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
      request: { source_image: image, target_image: image },
      answer: { ...ok, similarity: 0.91, verified: true, masker: false, threshold: 0.625 },
    },
  }),
};
