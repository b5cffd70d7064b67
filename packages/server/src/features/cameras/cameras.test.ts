import { readFileSync } from 'node:fs';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { hostileNames, hostileNumbers } from '../../../test/support/hostile/values.ts';
import { drawPictures, startTestApp } from '../../../test/support/test-app.ts';

const network = '10.1.2.0/24';
const server = await startTestApp({
  WAJAH_CAMERAS_GALLERY: 'client-1@trial',
  WAJAH_CAMERAS_NETWORKS: network,
  WAJAH_CAMERAS_CLIENT: 'client-1',
  WAJAH_TRUST_PROXY: '127.0.0.9',
  WAJAH_CALLS_PER_MINUTE: '2000',
});
const client = await server.client();
const pictures = await drawPictures();
const [ani, aniAgain, budi, nobody] = [pictures.ani, pictures.aniAgain, pictures.budi, pictures.nobody].map(
  (given) => Buffer.from(given, 'base64'),
) as [Buffer, Buffer, Buffer, Buffer];
const both = await drawnPicture({
  width: 900,
  height: 500,
  faces: [
    { person: 'ani', x: 250, y: 250, size: 300 },
    { person: 'budi', x: 650, y: 250, size: 220 },
  ],
});

type Fields = Readonly<Record<string, string | Buffer>>;

const keyOf = async (scopes: readonly string[]) =>
  (await server.operate(endpoints.createApiToken, { name: scopes.join(' '), scopes }, client.id))
    .token as string;
const key = await keyOf(['recognise', 'enrol', 'read']);

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
  readonly method?: 'GET';
}

/** Calls with a form as `fetch` sends it. */
async function call(path: string, fields: Fields = {}, { headers, ...sent }: Sent = {}) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(field, value);
    else form.append(field, new Blob([new Uint8Array(value)]), 'frame.jpg');
  }
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const answer = await server.app.inject({
    method: 'POST',
    url: `/v1/vision/face${path}`,
    payload: Buffer.from(await request.arrayBuffer()),
    remoteAddress: '192.0.2.1',
    ...sent,
    headers: { 'content-type': request.headers.get('content-type') ?? '', ...headers },
  });
  return { http: answer.statusCode, body: answer.json() };
}

const box = {
  x_min: expect.any(Number),
  y_min: expect.any(Number),
  x_max: expect.any(Number),
  y_max: expect.any(Number),
};
const refusal = (http: number, error: RegExp) => ({
  http,
  body: { success: false, error: expect.stringMatching(error), code: http },
});

it('people are registered, recognised, listed, compared and deleted', async () => {
  const keyed = (fields: Fields) => ({ ...fields, api_key: key });
  const unknown = { userid: 'unknown', confidence: 0, ...box };
  expect(await call('/recognize', keyed({ image: ani }))).toEqual({
    http: 200,
    body: { success: true, predictions: [unknown] },
  });
  const registered = { http: 200, body: { success: true, message: 'face added' } };
  expect(await call('/register', keyed({ userid: 'Ani', image1: ani, image2: aniAgain }))).toEqual(
    registered,
  );
  expect(await call('/list', keyed({}))).toEqual({
    http: 200,
    body: { success: true, faces: ['Ani'] },
  });

  const { body } = await call('/recognize', keyed({ image: both, min_confidence: '0.4' }));
  expect(body).toEqual({
    success: true,
    predictions: [{ userid: 'Ani', confidence: expect.any(Number), ...box }, unknown],
  });
  const [{ confidence, x_min, x_max, y_min, y_max }] = body.predictions;
  expect(confidence).toBeGreaterThan(0.6);
  expect(x_min).toBeGreaterThan(80);
  expect(x_max).toBeLessThan(420);
  expect([x_min, x_max, y_min, y_max].every(Number.isInteger)).toBe(true);
  expect(confidence).toBeLessThan(1);
  const sure = await call('/recognize', keyed({ image: both, min_confidence: '1' }));
  expect(sure.body.predictions).toEqual([unknown, unknown]);

  const seen = await call('', keyed({ image: both }));
  expect(seen.body.predictions).toEqual([
    { confidence: expect.any(Number), ...box },
    { confidence: expect.any(Number), ...box },
  ]);
  expect((await call('', keyed({ image: both, min_confidence: '1' }))).body.predictions).toEqual([]);
  const same = await call('/match', keyed({ image1: ani, image2: aniAgain }));
  const others = await call('/match', keyed({ image1: ani, image2: budi }));
  expect(same.body.similarity).toBeGreaterThan(others.body.similarity);

  expect(await call('/register', keyed({ userid: 'Budi', image: budi }))).toEqual(registered);
  expect(await call('/delete', keyed({ userid: 'Ani' }))).toEqual({ http: 200, body: { success: true } });
  expect(await call('/delete', keyed({ userid: 'Ani' }))).toEqual(
    refusal(404, /^userid: nobody of this userid /),
  );
  expect((await call('/list', keyed({}))).body.faces).toEqual(['Budi']);
});

it('nobody, and who is too small or unclear, is no fault of a frame; a registration says what is wrong', async () => {
  const none = { http: 200, body: { success: true, predictions: [] } };
  const small = Buffer.from(pictures.small, 'base64');
  const tiny = await drawnPicture({
    width: 400,
    height: 400,
    faces: [{ person: 'ani', x: 200, y: 200, size: 36 }],
  });
  const hidden = await drawnFace({ person: 'budi', sunglasses: true });
  const { body } = await call('/recognize', { api_key: key, image: hidden });
  expect([body.success, JSON.stringify(body).includes('Budi')]).toEqual([true, false]);
  for (const image of [nobody, tiny]) expect(await call('/recognize', { api_key: key, image })).toEqual(none);
  expect(await call('', { api_key: key, image: nobody })).toEqual(none);
  const register = (fields: Fields) => call('/register', { api_key: key, userid: 'Dewi', ...fields });
  expect(await register({ image: nobody })).toEqual(refusal(422, /^image: /));
  const several = await register({ image1: ani, image2: small });
  expect(several.body).toEqual({ success: true, message: 'face added, without image2' });
  expect(await register({ image1: small, image2: nobody })).toEqual(refusal(422, /^image1: .*100/));
  expect(await register({ image: budi })).toEqual(refusal(400, /similarity/));
  expect(await register({})).toEqual(refusal(400, /image/));
  expect(await register({ userid: 'Unknown', image: ani })).toEqual(refusal(400, /userid.*unknown/));
  expect((await call('/delete', { api_key: key, userid: 'Dewi' })).http).toBe(200);
  expect(await register({ image1: ani, image2: budi })).toEqual(
    refusal(400, /^image1, image2: pictures 0 and 1 /),
  );
  expect(await register({ image: both })).toEqual(refusal(422, /^image: 2 faces/));
  expect(await register({ image1: both, image2: both })).toEqual(refusal(422, /^image1: 2 faces/));
  const compared = await call('/match', { api_key: key, image1: ani, image2: nobody });
  expect(compared).toEqual(refusal(compared.http, /^image2/));
  expect(compared.http).toBeLessThan(500);
});

describe('who may call', () => {
  it.each<[string, Fields, Sent, number]>([
    ['nobody without a key', {}, {}, 401],
    ['nobody with a wrong key', { api_key: 'wrong' }, {}, 401],
    ['an address that is trusted', {}, { remoteAddress: '10.1.2.3' }, 200],
    ['its form of IPv6', {}, { remoteAddress: '::ffff:10.1.2.3' }, 200],
    ['not the address beside it', {}, { remoteAddress: '10.1.3.3' }, 401],
    [
      'not a page in a browser there',
      {},
      { remoteAddress: '10.1.2.3', headers: { origin: 'http://evil.example' } },
      401,
    ],
    [
      'not a proxy there',
      {},
      { remoteAddress: '10.1.2.3', headers: { 'x-forwarded-for': '192.0.2.7' } },
      401,
    ],
    ['not who names such an address', {}, { headers: { 'x-forwarded-for': '10.1.2.3' } }, 401],
    [
      'who a trusted proxy names',
      {},
      { remoteAddress: '127.0.0.9', headers: { 'x-forwarded-for': '10.1.2.3' } },
      200,
    ],
    [
      'not whom it names otherwise',
      {},
      { remoteAddress: '127.0.0.9', headers: { 'x-forwarded-for': '10.1.2.3, 192.0.2.7' } },
      401,
    ],
  ])('%s', async (_, fields, sent, http) => {
    const { http: answered, body } = await call('/list', fields, sent);
    expect([answered, body.success]).toEqual([http, http === 200]);
    if (http === 401) expect(body.error).toMatch(/^api_key: /);
  });

  it('a key has its scopes, and one of another interface or client is none', async () => {
    const recogniser = await keyOf(['recognise']);
    expect((await call('/recognize', { api_key: recogniser, image: nobody })).http).toBe(200);
    expect(await call('/register', { api_key: recogniser, userid: 'Eka', image: ani })).toEqual(
      refusal(403, /^api_key: .*enrol/),
    );
    const { token: bound } = await server.operate(
      endpoints.createApiToken,
      { name: 'bound', compreface: 'recognition', facegallery_id: client.gallery },
      client.id,
    );
    expect(await call('/list', { api_key: bound })).toEqual(refusal(403, /^api_key: .*CompreFace/));
    const other = await server.client();
    expect(await call('/list', { api_key: other.token })).toEqual(refusal(404, /gallery/));
  });

  it('quota and rate limit are those of the client', async () => {
    const other = await server.client({ hits: 1 });
    expect((await call('/list', { api_key: other.token })).http).toBe(404);
    expect(await call('/list', { api_key: other.token })).toEqual(refusal(403, /n_api_hits/));
    const key = `calls client ${other.id}`;
    for (let i = 0; i < 2001; i++) await server.context.limits.increment(key, 2000, 60_000);
    expect(await call('/list', { api_key: other.token })).toEqual(refusal(429, /2000/));
  });
});

it('is off without a gallery, and refuses a trust in addresses that callers choose', async () => {
  const plain = await startTestApp();
  const answer = await plain.app.inject({ method: 'POST', url: '/v1/vision/face/list' });
  expect([answer.statusCode, answer.json().status]).toEqual([404, '404']);
  const env = { WAJAH_CAMERAS_GALLERY: 'g', WAJAH_CAMERAS_NETWORKS: network };
  await expect(startTestApp(env)).rejects.toThrow('WAJAH_CAMERAS_CLIENT');
  const chosen = { ...env, WAJAH_CAMERAS_CLIENT: 'client-1', WAJAH_TRUST_PROXY: 'true' };
  await expect(startTestApp(chosen)).rejects.toThrow('WAJAH_TRUST_PROXY');
});

it('bodies of keys leave no room taken', async () => {
  const small = { total: 40_000, share: 30_000 };
  const few = await startTestApp(
    { WAJAH_CAMERAS_GALLERY: 'client-1@trial' },
    { transport: { bodies: small } },
  );
  const { token } = await few.client();
  const payload = `api_key=${token}&more=${'x'.repeat(2000)}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (let i = 0; i < 40; i++) {
    const answer = await few.app.inject({ method: 'POST', url: '/v1/vision/face/list', payload, headers });
    expect(answer.statusCode).toBe(200);
  }
});

describe('hostile forms are refused in the form of the wire', () => {
  const sent = { remoteAddress: '10.1.2.3' };
  const answered = ({ http, body }: Awaited<ReturnType<typeof call>>) => {
    expect(http).toBeLessThan(500);
    expect(body.success).toBe(http === 200);
    if (http !== 200) expect(body).toEqual({ success: false, error: expect.any(String), code: http });
  };

  it.each([...hostileNumbers, '1.1', '-0.1', 'NaN', '40%'])('min_confidence %s', async (min_confidence) => {
    answered(await call('/recognize', { image: nobody, min_confidence }, sent));
  });

  it.each(hostileNames.map((name) => [JSON.stringify(name).slice(0, 40), name]))(
    'userid %s',
    async (_, userid) => {
      answered(await call('/register', { image: nobody, userid }, sent));
      answered(await call('/delete', { userid }, sent));
    },
  );

  it.each<[string, string, string]>([
    ['no body', 'multipart/form-data; boundary=x', ''],
    ['no boundary', 'multipart/form-data', '--x'],
    [
      'half a form',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="image"\r\n\r\nabc',
    ],
    ['a picture alone', 'image/jpeg', '\xff\xd8\xff'],
    ['JSON that is none', 'application/json', '{"image":'],
    ['a list', 'application/json', '[1]'],
    ['numbers for texts', 'application/json', '{"image":1,"userid":{},"api_key":[]}'],
    ['a field twice', 'application/x-www-form-urlencoded', 'userid=a&userid=b'],
    ['bytes that are no text', 'application/x-www-form-urlencoded', 'userid=%ff%00&image=%'],
  ])('%s', async (_, type, payload) => {
    for (const path of ['', '/recognize', '/register', '/delete', '/match', '/list']) {
      const url = `/v1/vision/face${path}`;
      const request = { method: 'POST', url, payload, headers: { 'content-type': type }, ...sent } as const;
      const answer = await server.app.inject(request);
      answered({ http: answer.statusCode, body: answer.json() });
      if (path !== '/list') expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    }
  });

  it('a picture or a text that is too large, two of one field, a file of another name, another path or method', async () => {
    const large = Buffer.alloc(11 * 2 ** 20);
    expect((await call('/recognize', { image: large }, sent)).http).toBeGreaterThanOrEqual(400);
    answered(await call('/recognize', { image: large }, sent));
    answered(await call('/delete', { userid: 'x'.repeat(2 ** 21) }, sent));
    expect(await call('/recognize', { file: nobody }, sent)).toEqual(refusal(400, /file/));
    expect(await call('/../detection', { image: nobody }, sent)).toEqual(refusal(404, /path/));
  });
});

it('programs see that the server is there, and Activity sees their calls', async () => {
  const ping = await server.app.inject({ url: '/v1/status/ping' });
  expect([ping.statusCode, ping.json()]).toEqual([200, { success: true }]);
  const activity = await client.call(endpoints.getActivity, {});
  const text = JSON.stringify(activity.body);
  expect(text).toContain('/v1/vision/face/recognize');
  expect(text).not.toContain(key);
  expect(server.log()).not.toContain(key);
});

/**
 * The forms that the detector `deepstack` of double-take makes, whose functions recognize, train and remove were run with
 * axios 0.21.4 and form-data 4.0.6 against a socket; the chunks of their bodies are joined here.
 */
const captured = readFileSync(new URL('double-take.http', import.meta.url), 'latin1')
  .replaceAll('\n', '\r\n')
  .split('=====\r\n');

async function replay(text: string | undefined, picture: Buffer) {
  const [head = '', ...parts] = (text ?? '').replace('{key}', key).split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const body = parts.join('\r\n\r\n').replace('{picture}', () => picture.toString('latin1'));
  const answer = await server.app.inject({
    method: 'POST',
    url: line.split(' ')[1] ?? '',
    headers: Object.fromEntries(lines.map((one) => one.split(': ') as [string, string])),
    payload: Buffer.from(body, 'latin1'),
    remoteAddress: '192.0.2.1',
  });
  return { http: answer.statusCode, body: answer.json() };
}

it('double-take recognises, trains and removes', async () => {
  const [recognize, train, remove] = captured;
  // Its normalize() reads userid, confidence and the corners of each.
  expect((await replay(recognize, ani)).body.predictions).toMatchObject([{ userid: 'unknown', ...box }]);
  expect(await replay(train, ani)).toEqual({ http: 200, body: { success: true, message: 'face added' } });
  const known = await replay(recognize, aniAgain);
  expect(known.body).toMatchObject({ success: true, predictions: [{ userid: 'Ani Lestari', ...box }] });
  // It takes 60 % for a match where nothing else is configured.
  expect(known.body.predictions[0].confidence).toBeGreaterThan(0.6);
  expect(await replay(remove, ani)).toEqual({ http: 200, body: { success: true } });
});
