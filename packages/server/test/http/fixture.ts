import { type Endpoint, endpointList } from '@wajah/contract';
import type { drawPictures } from '../test-app.ts';

export type Pictures = Awaited<ReturnType<typeof drawPictures>>;

/** Endpoints behind a token: those of the specification. */
export const tokenEndpoints = endpointList.filter(({ auth }) => auth === 'token');

/** Fields with which a call succeeds, once `ani` is enrolled in the gallery (and `new-user` is not). */
export function goodFields({ id }: Endpoint, gallery: string, { ani, aniAgain, withCard }: Pictures) {
  const face = { user_id: 'ani', facegallery_id: gallery };
  const fields: Record<string, Record<string, unknown>> = {
    createGallery: { facegallery_id: 'another' },
    deleteGallery: { facegallery_id: gallery },
    enrolFace: { user_id: 'new-user', user_name: 'New', facegallery_id: gallery, image: ani },
    enrolFaceKtp: { user_id: 'new-card', user_name: 'Card', facegallery_id: gallery, image: withCard },
    listFaces: { facegallery_id: gallery },
    verifyFace: { ...face, image: aniAgain },
    identifyFace: { facegallery_id: gallery, image: aniAgain },
    deleteFace: face,
    compareImages: { source_image: ani, target_image: aniAgain },
    verifyLiveness: { ...face, image: ani, face_parameters: { angle: 'face front' } },
    verifyLivenessBatch: { ...face, batch: [{ image: ani, face_parameter: 'face front' }] },
  };
  return { ...fields[id], trx_id: `good-${id}` };
}
