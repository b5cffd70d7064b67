import { type Endpoint, endpointList, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';

const engine = await sharedEngine();
const server = await startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_WEBHOOKS: 'true' }, { engine });
const { ani, aniAgain, budi, withCard } = await drawPictures();

/** A client with the galleries, users and tokens that the example of an endpoint needs, and their ids by those of the example. */
async function stage({ id, example, scope }: Endpoint) {
  const client = await server.client({}, true);
  const gallery = { facegallery_id: 'demo@trial' };
  await client.call(endpoints.createGallery, gallery);
  if (id !== 'createGallery') await client.call(endpoints.createGallery, { facegallery_id: 'office' });
  for (const facegallery_id of ['demo@trial', 'office']) {
    const person = { user_id: '3174001', user_name: 'Sri Rahayu', facegallery_id, image: ani };
    if (!id.startsWith('enrol')) await client.call(endpoints.enrolFace, person);
  }
  const renamed = new Map<string, string>();
  const { session_id, token_id, webhook_id, app_id, unknown_id } = example.request;
  const { other_user_id, picture_id, user_id, facegallery_id } = example.request;
  if (other_user_id) {
    const other = { user_id, user_name: 'Sri R.', facegallery_id, image: ani };
    await client.call(endpoints.enrolFace, other);
  }
  if (picture_id) {
    const one = { user_id, facegallery_id };
    const again = { ...one, user_name: 'Sri Rahayu', image: aniAgain, append: true };
    await client.call(endpoints.enrolFace, again);
    const { body } = await client.call(endpoints.getFacePictures, one);
    renamed.set(String(picture_id), body.pictures[0].picture_id);
  }
  const named = scope === 'operate' ? example.request['client_id'] : undefined;
  if (named) {
    const client_id = `of-${client.id}`;
    if (id !== 'createClient') await client.call(endpoints.createClient, { client_id });
    renamed.set(String(named), client_id).set(`${named}@trial`, `${client_id}@trial`);
  }
  if (session_id) {
    const { body } = await client.call(endpoints.createLivenessSession);
    renamed.set(String(session_id), body.session_id);
  }
  if (token_id && 'createApiToken' in endpoints) {
    const { body } = await client.call(endpoints['createApiToken'] as Endpoint, { name: 'to be revoked' });
    renamed.set(String(token_id), body.token_id);
  }
  if (webhook_id) {
    const { body } = await client.call(endpoints.createWebhook, { url: 'https://localhost/' });
    renamed.set(String(webhook_id), body.webhook_id);
  }
  if (unknown_id) {
    await client.call(endpoints.updateGallery, { facegallery_id, keep_unknown_hours: 24 });
    const { body } = await client.call(endpoints.identifyFace, { facegallery_id, image: budi });
    renamed.set(String(unknown_id), body.unknown_id);
  }
  if (id === 'linkExpected') {
    const people = [{ user_id: '3174002', user_name: 'Budi Santoso' }];
    await client.call(endpoints.setExpected, { facegallery_id, people });
  }
  if (app_id) {
    const of = { client_id: client.id, facegallery_id: client.gallery };
    const app = { ...of, redirect_uris: ['https://localhost/'] };
    renamed.set(String(app_id), (await client.call(endpoints.createOpenidApp, app)).body.app_id);
  }
  return { client, renamed };
}

/** The fields of an example, with pictures, ids of the stage and the credentials of its client. */
async function filled(endpoint: Endpoint) {
  const { client, renamed } = await stage(endpoint);
  const login = endpoint.auth === 'credentials' && { client_id: client.id };
  const fields = JSON.stringify(endpoint.example.request, (name, value: unknown) => {
    // The picture of the example of a card shows person and card at once.
    if (name === 'image' || name.endsWith('_image')) return endpoint.id === 'enrolFaceKtp' ? withCard : ani;
    if (/^(password|client_secret)$/.test(name)) return client.password;
    return typeof value === 'string' ? (renamed.get(value) ?? value) : value;
  });
  return { client, fields: { ...JSON.parse(fields), ...login } as Record<string, string> };
}

describe('the example of', () => {
  it.each(endpointList)('$id works', async (endpoint) => {
    const { client, fields } = await filled(endpoint);
    const [method] = endpoint.methods;
    const query = new URLSearchParams(fields);
    const { body } =
      method === 'POST' || Object.keys(fields).length === 0
        ? await client.call(endpoint, fields, method)
        : await client.call({ ...endpoint, path: `${endpoint.path}?${query}` }, undefined, method);
    expect(endpoint.answer.safeParse(body).error, JSON.stringify(body).slice(0, 500)).toBeUndefined();
    if ('status' in body) expect(body.status).toBe('200');
  });
});
