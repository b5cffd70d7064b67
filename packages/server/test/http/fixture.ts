import { type Endpoint, endpointList, endpoints } from '@wajah/contract';
import type { drawPictures, TestClient } from '../support/test-app.ts';

export type Pictures = Awaited<ReturnType<typeof drawPictures>>;

/** Endpoints behind a token. */
export const tokenEndpoints = endpointList.filter(({ auth }) => auth === 'token');

/** The same for a call that needs something which the client makes anew each time. */
export async function readyFields(endpoint: Endpoint, client: TestClient, pictures: Pictures) {
  const fields = goodFields(endpoint, client.gallery, pictures);
  if (endpoint.id === 'revokeApiToken') {
    const { body } = await client.call(endpoints.createApiToken, { name: 'to be revoked' });
    return { ...fields, token_id: body.token_id };
  }
  if ('webhook_id' in fields) {
    // The name is resolved when the test event is sent, and refused.
    const { body } = await client.call(endpoints.createWebhook, { url: 'https://localhost/' });
    return { ...fields, webhook_id: body.webhook_id };
  }
  if (endpoint.id === 'mergeFaces') await client.enrol('ani-2', pictures.aniAgain);
  if ('picture_id' in fields) {
    await client.enrol('ani', pictures.aniAgain, { append: true });
    const of = { facegallery_id: client.gallery, user_id: 'ani' };
    const { body } = await client.call(endpoints.getFacePictures, of);
    return { ...fields, picture_id: body.pictures[0].picture_id };
  }
  if ('unknown_id' in fields) {
    const of = { facegallery_id: client.gallery };
    await client.call(endpoints.updateGallery, { ...of, keep_unknown_hours: 24 });
    const { body } = await client.call(endpoints.identifyFace, { ...of, image: pictures.budi });
    return { ...fields, unknown_id: body.unknown_id };
  }
  if (endpoint.id === 'linkExpected') {
    const people = [{ user_id: 'new-user', user_name: 'New' }];
    await client.call(endpoints.setExpected, { facegallery_id: client.gallery, people });
  }
  if ('app_id' in fields) {
    const of = {
      client_id: client.id,
      facegallery_id: client.gallery,
      redirect_uris: ['https://localhost/'],
    };
    const { body } = await client.call(endpoints.createOpenidApp, of);
    return { ...fields, app_id: body.app_id };
  }
  if (/OpenidApps?$/.test(endpoint.id)) return { ...fields, client_id: client.id };
  if (endpoint.scope === 'operate' && 'client_id' in fields && endpoint.id !== 'createClient') {
    const { body } = await client.call(endpoints.createClient, { client_id: `of-${client.id}` });
    return { ...fields, client_id: body.client_id };
  }
  if (!('session_id' in fields)) return fields;
  const { body } = await client.call(endpoints.createLivenessSession);
  return { ...fields, session_id: body.session_id };
}

/**
 * Fields with which a call succeeds, once `ani` is enrolled in the gallery (and `new-user` is not): those of its example,
 * with that gallery, person and picture, unless they are given here.
 */
export function goodFields(
  { id, example }: Endpoint,
  gallery: string,
  { ani, aniAgain, withCard }: Pick<Pictures, 'ani' | 'aniAgain' | 'withCard'>,
) {
  const face = { user_id: 'ani', facegallery_id: gallery };
  const fields: Record<string, Record<string, unknown>> = {
    createGallery: { facegallery_id: 'another' },
    enrolFace: { user_id: 'new-user', user_name: 'New', facegallery_id: gallery, image: ani },
    enrolFaceKtp: { user_id: 'new-card', user_name: 'Card', facegallery_id: gallery, image: withCard },
    verifyFace: { ...face, image: aniAgain },
    identifyFace: { facegallery_id: gallery, image: aniAgain },
    markDifferent: { ...face, other_user_id: 'budi', different: false },
    updatePerson: { ...face, consent_reference: 'form 12' },
    updateFace: { ...face, user_name: 'Ani Lestari' },
    updateGallery: { facegallery_id: gallery, retention_days: 365 },
    changePassword: { new_password: 'zzqx of a test' },
    createApiToken: { name: 'of a test' },
    assignUnknown: { unknown_id: 'none', user_id: 'new-user', user_name: 'New', facegallery_id: gallery },
    forgetUnknown: { unknown_id: 'none', facegallery_id: gallery },
    setExpected: { facegallery_id: gallery, people: [{ user_id: 'new-user', user_name: 'New' }] },
    linkExpected: { facegallery_id: gallery, user_ids: ['new-user'] },
    createOpenidApp: { client_id: 'none', facegallery_id: gallery, redirect_uris: ['https://localhost/'] },
    listOpenidApps: { client_id: 'none' },
    deleteOpenidApp: { app_id: 'none' },
    revokeApiToken: { token_id: 'none' },
    createWebhook: { url: 'https://localhost/' },
    updateWebhook: { webhook_id: 'none' },
    rotateWebhookSecret: { webhook_id: 'none' },
    testWebhook: { webhook_id: 'none' },
    listWebhookDeliveries: { webhook_id: 'none' },
    deleteWebhook: { webhook_id: 'none' },
    createClient: { client_id: 'made-by-an-operator' },
    setClientQuota: { client_id: 'none', n_face: 5 },
    resetClientPassword: { client_id: 'none' },
    eraseClient: { client_id: 'none' },
    getFaceThumbnails: { facegallery_id: gallery, user_ids: ['ani'] },
    deleteFacePicture: { ...face, picture_id: 'none' },
    mergeFaces: { ...face, other_user_id: 'ani-2' },
    compareImages: { source_image: ani, target_image: aniAgain },
    verifyLiveness: { ...face, image: ani, face_parameters: { angle: 'face front' } },
    verifyLivenessBatch: { ...face, batch: [{ image: ani, face_parameter: 'face front' }] },
    createLivenessSession: face,
    beginLivenessSession: { session_id: 'none' },
    getLivenessSession: { session_id: 'none' },
    hintLivenessFrame: { session_id: 'none', image: ani },
    sendLivenessFrame: { session_id: 'none', image: ani },
    submitLivenessSession: { session_id: 'none', frames: [{ step: 'face front', image: ani }] },
  };
  const present: Record<string, unknown> = { ...face, image: ani };
  const shown = Object.keys(example.request).filter((name) => name in present);
  return {
    ...(fields[id] ?? Object.fromEntries(shown.map((name) => [name, present[name]]))),
    trx_id: `good-${id}`,
  };
}
