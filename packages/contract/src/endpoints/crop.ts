import { z } from 'zod';
import { envelope } from '../schemas/answers.ts';
import { userRequest } from '../schemas/requests.ts';
import { endpoint } from './endpoint.ts';

const answer = envelope.extend({
  image: z.string().meta({ description: 'JPEG as base64, at most 512 pixels wide and high.' }),
});

/** Pictures of faces that are kept with their templates. */
export const cropEndpoints = {
  getFaceCrop: endpoint({
    id: 'getFaceCrop',
    tag: 'face',
    methods: ['POST'],
    path: '/face-api/get-face-crop',
    summary:
      'Extension: the picture that is kept of an enrolled face, the newest of several. Only where the operator has ' +
      'face crops kept; each look is recorded in the audit trail.',
    auth: 'token',
    hit: 'before',
    request: userRequest,
    answer,
    refusals: ['userIdNull', 'userNotFound', 'galleryIdNull', 'galleryNotFound'],
    example: {
      request: { user_id: '3174001', facegallery_id: 'demo@trial' },
      answer: { status: '200', status_message: 'Success', image: '/9j/4AAQSkZJRgABAQ…' },
    },
  }),
};
