import { expect } from 'vitest';
import { drawnFace, type PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { type Settings, wajah } from './program.ts';

export type Json = Record<string, unknown> & { status?: string };

const pictures = new Map<string, string>();

/** base64 of a drawn face. @param again under other light and tilt */
export async function picture(person: PersonName, again = false): Promise<string> {
  const key = `${person} ${again}`;
  const drawn = pictures.get(key);
  if (drawn !== undefined) return drawn;
  const made = await drawnFace(again ? { person, tilt: 6, brightness: 0.9 } : { person });
  pictures.set(key, made.toString('base64'));
  return pictures.get(key)!;
}

/** A call: with a JSON body, or by GET. */
export async function call(
  url: string,
  token: string,
  path: string,
  body?: Json,
  method = 'POST',
): Promise<Json> {
  const response = await fetch(url + path, {
    method: body ? method : 'GET',
    headers: { accesstoken: token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Json;
}

/** A call with a JSON body, below /face-api/. */
export function post(url: string, token: string, path: string, body: Json, method = 'POST'): Promise<Json> {
  return call(url, token, `/face-api/${path}`, body, method);
}

/** A client and what it does in its first gallery. */
export async function newClient(settings: Settings, name: string) {
  const made = await wajah(settings, 'client', 'create', name, '--json');
  const { access_token: token } = JSON.parse(made.out) as { access_token: string };
  const facegallery_id = `${name}@trial`;
  const inGallery = (url: string, path: string, fields: Json) =>
    post(url, token, path, { facegallery_id, ...fields });
  const tryEnrol = async (url: string, user_id: string, person: PersonName, fields: Json = {}) =>
    inGallery(url, 'facegallery/enroll-face', {
      user_id,
      user_name: user_id,
      image: await picture(person),
      ...fields,
    });
  return {
    name,
    token,
    async enrol(url: string, user_id: string, person: PersonName, fields: Json = {}) {
      expect(await tryEnrol(url, user_id, person, fields)).toMatchObject({ status: '200' });
    },
    tryEnrol,
    verify: async (url: string, user_id: string, person: PersonName) =>
      inGallery(url, 'facegallery/verify-face', { user_id, image: await picture(person, true) }),
    verifyWith: (url: string, fields: Json) => inGallery(url, 'facegallery/verify-face', fields),
    identify: async (url: string, person: PersonName) =>
      inGallery(url, 'facegallery/identify-face', { image: await picture(person, true) }),
    remove: (url: string, user_id: string) =>
      post(url, token, 'facegallery/delete-face', { facegallery_id, user_id }, 'DELETE'),
    list: (url: string) => inGallery(url, 'facegallery/list-faces', {}),
    crop: (url: string, user_id: string) => inGallery(url, 'get-face-crop', { user_id }),
  };
}
