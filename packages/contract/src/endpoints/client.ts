import { countersAnswer, galleriesAnswer, galleryAnswer } from '../schemas/answers.ts';
import { bareRequest, createGalleryRequest, galleryRequest } from '../schemas/requests.ts';
import { endpoint } from './endpoint.ts';

const ok = { status: '200', status_message: 'Success' };

/** Clients and galleries. */
export const clientEndpoints = {
  register: endpoint({
    id: 'register',
    tag: 'client',
    methods: ['POST'],
    path: '/face-api/client/register',
    summary:
      'Registers the client of the token and makes its first gallery; calling it again changes nothing.',
    auth: 'token',
    hit: 'after',
    request: bareRequest,
    answer: galleryAnswer,
    refusals: [],
    example: { request: {}, answer: { ...ok, facegallery_id: 'demo@trial' } },
  }),
  deleteClient: endpoint({
    id: 'deleteClient',
    tag: 'client',
    methods: ['DELETE'],
    path: '/face-api/client/delete',
    summary:
      'Erases the galleries and faces of the client and the records of its calls. Who registers again has the calls left that were left before.',
    auth: 'token',
    hit: 'while left',
    request: bareRequest,
    answer: galleriesAnswer,
    refusals: [],
    example: { request: {}, answer: { ...ok, facegallery_id: [] } },
  }),
  getCounters: endpoint({
    id: 'getCounters',
    tag: 'client',
    methods: ['GET', 'POST'],
    path: '/face-api/client/get-counters',
    summary: 'Says what is left of the quotas; the call itself is not counted.',
    auth: 'token',
    hit: 'never',
    request: bareRequest,
    answer: countersAnswer,
    refusals: [],
    example: {
      request: { trx_id: 'a-1' },
      answer: { ...ok, remaining_limit: { n_api_hits: 999_958, n_face: 99_997, n_facegallery: 98 } },
    },
  }),
  listGalleries: endpoint({
    id: 'listGalleries',
    tag: 'facegallery',
    methods: ['GET'],
    path: '/face-api/facegallery/my-facegalleries',
    summary: "Lists the client's galleries.",
    auth: 'token',
    hit: 'before',
    request: bareRequest,
    answer: galleriesAnswer,
    message: 'Success - FaceGalleries Listed',
    refusals: [],
    example: {
      request: {},
      answer: {
        status: '200',
        status_message: 'Success - FaceGalleries Listed',
        facegallery_id: ['demo@trial'],
      },
    },
  }),
  createGallery: endpoint({
    id: 'createGallery',
    tag: 'facegallery',
    methods: ['POST'],
    path: '/face-api/facegallery/create-facegallery',
    summary: 'Creates a gallery.',
    auth: 'token',
    hit: 'before',
    request: createGalleryRequest,
    answer: galleryAnswer,
    refusals: ['galleryIdNull', 'galleryExists'],
    example: { request: { facegallery_id: 'office' }, answer: { ...ok, facegallery_id: 'office' } },
  }),
  deleteGallery: endpoint({
    id: 'deleteGallery',
    tag: 'facegallery',
    methods: ['DELETE'],
    path: '/face-api/facegallery/delete-facegallery',
    summary: 'Deletes a gallery with all its faces.',
    auth: 'token',
    hit: 'while left',
    request: galleryRequest,
    answer: galleryAnswer,
    refusals: ['galleryIdNull', 'galleryNotFound'],
    example: { request: { facegallery_id: 'office' }, answer: { ...ok, facegallery_id: 'office' } },
  }),
};
