import { type Endpoint, endpointList, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { bracketed, encodeForm, formOf } from '../support/form.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';
import { readyFields } from './fixture.ts';

const env = { WAJAH_MAX_IMAGE_BYTES: '1MiB' };
const [server, pictures] = await Promise.all([startTestApp(env), drawPictures()]);
const client = await server.client({ hits: 100_000 });
const ani = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery, image: pictures.ani };
expect((await send(endpoints.enrolFace, await formOf(ani))).json().status).toBe('200');

function send({ path }: Endpoint, { payload, type }: { payload: Buffer; type: string }) {
  const headers = { accesstoken: client.token, 'content-type': type };
  return server.app.inject({ method: 'POST', url: path, headers, payload });
}

const withPictures = endpointList.filter(({ pictures }) => pictures > 0);

it.each(withPictures.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s takes a form',
  async (id, endpoint) => {
    const fields = await readyFields(endpoint, client, pictures);
    const answer = await send(endpoint, await formOf(fields, bracketed));
    expect(answer.json()).toMatchObject({ status: '200' });
    expect(endpoint.answer.parse(answer.json())).toEqual(answer.json());
    expect(answer.headers['x-trx-id']).toBe(`good-${id}`);
  },
);

describe('a form', () => {
  const detect = (fields: object) => formOf(fields).then((form) => send(endpoints.detectFaces, form));

  it('has the fields, the rules and the errors of JSON', async () => {
    const fields = [
      { image: pictures.ani, attributes: 'pose,quality', thorough: false, max_faces: '3' },
      { image: Buffer.from('%PDF-1.7').toString('base64') },
      { trx_id: 'of-a-form' },
      { image: '' },
      { image: Buffer.alloc(2 ** 20 + 1).toString('base64') },
    ];
    for (const one of fields) {
      const { body } = await client.call(endpoints.detectFaces, { trx_id: 't', ...one });
      expect((await detect({ trx_id: 't', ...one })).json()).toEqual(body);
    }
  });

  it('is refused beyond the bytes that any body may have', async () => {
    const image = Buffer.alloc(4 * 2 ** 20).toString('base64');
    const { statusCode, body } = await detect({ image });
    expect([statusCode, JSON.parse(body).status]).toEqual([422, '493']);
  });

  it('counts as one hit', async () => {
    const hits = async () => (await client.call(endpoints.getCounters)).body.remaining_limit.n_api_hits;
    const before = await hits();
    await detect({ image: pictures.ani });
    expect(before - (await hits())).toBe(1);
  });

  it('is refused in another multipart type', async () => {
    const { payload } = await formOf({ facegallery_id: 'office' });
    const mixed = await send(endpoints.detectFaces, { payload, type: 'multipart/mixed; boundary=b' });
    expect(mixed.json().detail).toMatch(/^Content-Type: found a form \(multipart\/mixed\)/);
  });

  it('that declares more pixels than are allowed is refused before it is decoded', async () => {
    const bomb = Buffer.from(pictures.ani, 'base64');
    // Start of frame (ITU-T T.81, B.2.2): height and width follow marker, length and precision.
    const frame = bomb.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(bomb[at + 1] ?? 0));
    bomb.writeUInt32BE(0xffffffff, frame + 5);
    const form = new FormData();
    form.append('image', new Blob([bomb]), 'bomb.jpg');
    const answer = await send(endpoints.detectFaces, await encodeForm(form));
    expect(answer.json()).toMatchObject({ status: '493', detail: expect.stringMatching(/^image: /) });
  });
});
