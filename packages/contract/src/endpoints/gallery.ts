import { describeGalleriesAnswer, updateGalleryAnswer, updateGalleryRequest } from '../schemas/gallery.ts';
import { bareRequest } from '../schemas/requests.ts';
import { endpoint } from './endpoint.ts';

const ok = { status: '200', status_message: 'Success' };
const office = {
  facegallery_id: 'office',
  n_face: 120,
  threshold: 0.7,
  verify_threshold: 0.7,
  identify_threshold: 0.7599,
  require_liveness: false,
  pack: 'builtin 3',
  comparable: true,
  created_at: '2026-01-31T12:00:00.000Z',
};
const common = { tag: 'facegallery', auth: 'token', hit: 'never' } as const;

/** How galleries are set. */
export const galleryEndpoints = {
  describeGalleries: endpoint({
    ...common,
    id: 'describeGalleries',
    methods: ['GET', 'POST'],
    path: '/face-api/facegallery/describe-facegalleries',
    summary: "Extension: the client's galleries with their sizes and thresholds.",
    request: bareRequest,
    answer: describeGalleriesAnswer,
    refusals: [],
    example: { request: {}, answer: { ...ok, facegalleries: [office] } },
  }),
  updateGallery: endpoint({
    ...common,
    id: 'updateGallery',
    methods: ['POST'],
    path: '/face-api/facegallery/update-facegallery',
    summary: 'Extension: changes how a gallery decides; what is not named stays.',
    request: updateGalleryRequest,
    answer: updateGalleryAnswer,
    refusals: ['galleryIdNull', 'galleryNotFound'],
    example: {
      request: { facegallery_id: 'office', threshold: 0.7 },
      answer: { ...ok, ...office },
    },
  }),
};
