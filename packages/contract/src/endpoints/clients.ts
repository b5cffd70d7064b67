import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { bareRequest, envelope, exampleReceipt, ok, receipt } from './envelope.ts';
import { galleriesAnswer, galleryAnswer } from './galleries/galleries.ts';

const countersAnswer = envelope.extend({
  remaining_limit: z.object({
    n_api_hits: z.int().meta({ description: 'Remaining API hits; 2147483647 is unlimited.' }),
    n_face: z.int().meta({ description: 'Faces that may still be enrolled.' }),
    n_facegallery: z.int().meta({ description: 'Galleries that may still be created.' }),
  }),
});

/** The client itself. */
export const clientEndpoints = {
  register: endpoint({
    tag: 'client',
    path: '/face-api/client/register',
    scope: 'manage',
    repeatable: false,
    pictures: 0,
    summary:
      'Registers the client of the token and creates its first gallery; calling it again changes nothing.',
    hit: 'after',
    request: bareRequest,
    answer: galleryAnswer,
    example: { request: {}, answer: { ...ok, facegallery_id: 'demo@trial' } },
  }),
  deleteClient: endpoint({
    tag: 'client',
    methods: ['DELETE'],
    path: '/face-api/client/delete',
    scope: 'manage',
    repeatable: false,
    pictures: 0,
    summary:
      'Erases the galleries and faces of the client and the records of its calls. A client that registers again has the remaining calls that it had before.',
    hit: 'while left',
    request: bareRequest,
    answer: galleriesAnswer.extend({ receipt }),
    example: { request: {}, answer: { ...ok, facegallery_id: [], receipt: exampleReceipt } },
  }),
  getCounters: endpoint({
    tag: 'client',
    methods: ['GET', 'POST'],
    path: '/face-api/client/get-counters',
    scope: 'read',
    repeatable: true,
    pictures: 0,
    summary: 'Returns the remaining quotas; the call itself is not counted.',
    hit: 'never',
    request: bareRequest,
    answer: countersAnswer,
    example: {
      request: { trx_id: 'a-1' },
      answer: { ...ok, remaining_limit: { n_api_hits: 999_958, n_face: 99_997, n_facegallery: 98 } },
    },
  }),
};
