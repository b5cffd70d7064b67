import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it, vi } from 'vitest';
import { drawnFace } from '../../../engine/test/drawn/drawn-face.ts';
import { formOf } from '../support/form.ts';
import { base64 } from '../support/requests.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';

const [server, pictures] = await Promise.all([
  startTestApp({ WAJAH_COMPAT: 'risetai', WAJAH_LOG_LEVEL: 'info' }),
  drawPictures(),
]);
const client = await server.client();
await server.app.listen({ port: 0, host: '127.0.0.1' });
const port = (server.app.server.address() as AddressInfo).port;

/** As programs were seen to set it: the same for each call. */
const trx = 'alphanumericalstring1234';

/** Sends a request, also one that fetch does not send: GET and DELETE with a body. */
function send(
  method: string,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
): Promise<{ http: number; headers: IncomingHttpHeaders; body: any }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const call = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: { Accesstoken: client.token, ...headers, ...length },
      },
      async (answer) => {
        let text = '';
        for await (const part of answer) text += part;
        resolve({ http: answer.statusCode ?? 0, headers: answer.headers, body: JSON.parse(text) });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

const below = (endpoint: Endpoint) => `/risetai${endpoint.path}`;

/** PHP: Laravel's Http::withHeaders([…])->post(url, […]), which escapes slashes and what is not ASCII. */
function laravel(method: string, endpoint: Endpoint, fields: object) {
  const body = JSON.stringify(fields)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'GuzzleHttp/7' };
  return send(method, below(endpoint), { body, headers });
}

/** PHP: Guzzle's new Request('GET', url, ['Accesstoken' => …], $body): no Content-Type. */
const guzzle = (method: string, endpoint: Endpoint, body: string) => send(method, below(endpoint), { body });

/** Python: requests.delete(url, json={…}), with spaces after commas and colons. */
function python(method: string, endpoint: Endpoint, fields: Record<string, unknown>) {
  const inner = Object.entries(fields).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const headers = { 'Content-Type': 'application/json', Accept: '*/*', 'Accept-Encoding': 'gzip, deflate' };
  return send(method, below(endpoint), { body: `{${inner.join(', ')}}`, headers });
}

/** Android: Retrofit with Gson, which leaves out nulls; @HTTP(method = "DELETE", hasBody = true). */
function retrofit(method: string, endpoint: Endpoint, fields: object) {
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'User-Agent': 'okhttp/4.9.0' };
  return send(method, below(endpoint), { body: JSON.stringify(fields), headers });
}

const dataUri = () => `data:image/png;base64,${pictures.ani}`;

describe('programs written for the cloud', () => {
  it('PHP creates a gallery, enrols a data URI, identifies, and reads the status with ==', async () => {
    const gallery = { facegallery_id: 'riset.ai@production', trx_id: trx };
    expect((await laravel('POST', endpoints.createGallery, gallery)).body).toEqual({
      risetai: { status: '200', status_message: 'Success', facegallery_id: 'riset.ai@production' },
    });
    const person = { user_id: '7', user_name: 'Zoë Ayu', ...gallery, image: dataUri() };
    const enrolled = await laravel('POST', endpoints.enrolFace, person);
    expect(enrolled.body.risetai).toEqual({ status: '200', status_message: 'Success' });
    const found = await laravel('POST', endpoints.identifyFace, { ...gallery, image: pictures.aniAgain });
    const [best] = found.body.risetai.return;
    expect(best).toMatchObject({ user_id: '7', user_name: 'Zoë Ayu', mask: 'false' });
    expect(typeof best.confidence_level).toBe('string');
    expect(Number(best.confidence_level)).toBeGreaterThan(0.5);
    const nobody = await laravel('POST', endpoints.identifyFace, { ...gallery, image: pictures.budi });
    expect(nobody.body.risetai).toEqual({
      status: '411',
      status_message: 'Face not verified or unregistered',
      status_description: 'Face Not Registered',
      return: [{ confidence_level: '0.0', mask: 'false', user_id: 'unregistered', user_name: '' }],
    });
  });

  it('PHP sends no fields as an empty list', async () => {
    for (const endpoint of [endpoints.register, endpoints.getCounters, endpoints.listGalleries]) {
      const [method = ''] = endpoint.methods;
      expect((await guzzle(method, endpoint, '[]')).body.risetai.status).toBe('200');
    }
  });

  it('the line of a refusal in the log names the field, which the answer does not', async () => {
    const fields = { facegallery_id: 'g', user_id: { private: 1 }, trx_id: 'a-wrong-field' };
    const { body } = await laravel('POST', endpoints.deleteFace, fields);
    expect(body.risetai).toEqual({ status: '400', status_message: 'Request malformed' });
    const isLine = (one: string) => one.includes('a-wrong-field') && one.includes('"msg":"request"');
    const line = await vi.waitFor(() => {
      const found = server.log().split('\n').find(isLine);
      if (found === undefined) throw new Error('not logged yet');
      return found;
    });
    expect(JSON.parse(line)).toMatchObject({
      status: '400',
      error: 'fieldsMalformed',
      field: 'user_id',
    });
    expect(line).not.toContain('private');
  });

  it('PHP attaches a picture to a form', async () => {
    const { payload, type } = await formOf({ facegallery_id: 'riset.ai@production', image: pictures.ani });
    const headers = { accesstoken: client.token, 'content-type': type };
    const url = below(endpoints.identifyFace);
    const answer = await server.app.inject({ method: 'POST', url, headers, payload });
    expect(answer.json().risetai.return[0]).toMatchObject({ user_id: '7', mask: 'false' });
  });

  it('PHP sends a GET with a body, with none, and with query parameters instead', async () => {
    const fields = JSON.stringify({ trx_id: trx }, null, 4);
    const counters = await guzzle('GET', endpoints.getCounters, fields);
    expect(counters.body.risetai).toMatchObject({
      status: '200',
      remaining_limit: { n_face: expect.any(Number) },
    });
    const galleries = await send('GET', below(endpoints.listGalleries));
    expect(galleries.body.risetai.facegallery_id).toContain('riset.ai@production');
    expect(galleries.body.risetai.facegalleries).toEqual(galleries.body.risetai.facegallery_id);
    const query = `?facegallery_id=riset.ai%40production&trx_id=${trx}`;
    const listed = await send('GET', `${below(endpoints.listFaces)}${query}`);
    expect(listed.body.risetai.faces).toEqual([{ user_id: '7', user_name: 'Zoë Ayu' }]);
    const asBody = await guzzle('GET', endpoints.listFaces, '{"facegallery_id":"riset.ai@production"}');
    expect(asBody.body).toEqual(listed.body);
  });

  it('Python verifies, and a face below the threshold is 411 with its normal fields', async () => {
    const fields = { user_id: '7', facegallery_id: 'riset.ai@production', trx_id: trx };
    const same = await python('POST', endpoints.verifyFace, { ...fields, image: pictures.aniAgain });
    expect(same.body.risetai).toMatchObject({ status: '200', verified: true, user_name: 'Zoë Ayu' });
    expect(same.body.risetai).not.toHaveProperty('threshold');
    const other = await python('POST', endpoints.verifyFace, { ...fields, image: pictures.budi });
    expect([other.http, other.body.risetai]).toMatchObject([
      200,
      {
        status: '411',
        status_message: 'Face not verified or unregistered',
        user_name: 'Zoë Ayu',
        verified: false,
        similarity: expect.any(Number),
        masker: false,
      },
    ]);
  });

  it('Retrofit sends liveness parameters as texts, and gets texts', async () => {
    const fields = { trx_id: trx, image: pictures.ani };
    const spoof_detection = 'false';
    const front = { ...fields, face_parameters: [{ angle: 'face front' }, { spoof_detection }] };
    const passed = await retrofit('POST', endpoints.verifyLiveness, front);
    expect(passed.body.risetai).toMatchObject({ status: '200', liveness: 'true' });
    expect(passed.body.risetai.results).toMatchObject({ spoof_score: 0, similarity: 0 });
    const left = { ...fields, face_parameters: { angle: 'face left', spoof_detection } };
    expect((await retrofit('POST', endpoints.verifyLiveness, left)).body.risetai.liveness).toBe('false');
  });

  it('Retrofit sends one picture for all parameters', async () => {
    const one = { image: pictures.ani, spoof_detection: 'false' };
    const batch = [
      { ...one, face_parameter: 'front' },
      { ...one, face_parameter: 'eyes open' },
    ];
    const { body } = await retrofit('POST', endpoints.verifyLivenessBatch, { batch, trx_id: trx });
    expect(body.risetai).toMatchObject({ status: '200', liveness: 'passed' });
    expect(body.risetai).not.toHaveProperty('reasons');
    const none = [
      { ...one, face_parameter: 'front' },
      { image: pictures.nobody, face_parameter: 'front' },
    ];
    const failed = await retrofit('POST', endpoints.verifyLivenessBatch, { batch: none, trx_id: trx });
    expect(failed.body.risetai).toMatchObject({ liveness: 'failed', results: { image2: { match: false } } });
    expect(failed.body.risetai.results.image2).not.toHaveProperty('error');
  });

  it('an entry of a batch has the fields that were asked for and no others', async () => {
    const image = pictures.ani;
    const batch = [
      { image, face_parameter: 'left' },
      { image, face_parameter: 'eyes open', spoof_detection: false },
      { image, face_parameter: 'mouth closed', spoof_detection: false, face_verification: false },
    ];
    const user = { user_id: '7', facegallery_id: 'riset.ai@production' };
    const { body } = await retrofit('POST', endpoints.verifyLivenessBatch, { ...user, batch });
    const { image1, image2, image3 } = body.risetai.results;
    const verification = ['similarity', 'verified'];
    const angles = ['pitch', 'roll', 'yaw'];
    const eyes = ['left_eye', 'left_eye_score', 'right_eye', 'right_eye_score'];
    const fieldsOf = (entry: object) => Object.keys(entry).sort();
    const spoof = ['is_spoof', 'spoof_score'];
    expect(fieldsOf(image1)).toEqual(['masker', 'match', ...angles, ...verification, ...spoof].sort());
    expect(fieldsOf(image2)).toEqual(['masker', 'match', ...eyes, ...verification].sort());
    expect(fieldsOf(image3)).toEqual(['masker', 'match', 'mouth', 'mouth_score']);
  });

  it('force_register replaces an enrolled face, and only that', async () => {
    const person = { user_id: '8', user_name: 'Budi', facegallery_id: 'riset.ai@production', trx_id: trx };
    const enrol = async (fields: object) =>
      (await laravel('POST', endpoints.enrolFace, { ...person, ...fields })).body.risetai;
    const verify = async (image: string) =>
      (await laravel('POST', endpoints.verifyFace, { ...person, image })).body.risetai;
    expect(await enrol({ image: pictures.ani, force_register: true })).toMatchObject({ status: '200' });
    expect(await enrol({ image: pictures.budi })).toEqual({
      status: '400',
      status_message: 'user_id already enrolled',
    });
    expect(await verify(pictures.aniAgain)).toMatchObject({ verified: true });
    const again = { image: pictures.budi, user_name: 'Budi S.', force_register: true };
    expect(await enrol(again)).toEqual({ status: '200', status_message: 'Success' });
    expect(await verify(pictures.aniAgain)).toMatchObject({ status: '411', user_name: 'Budi S.' });
    expect(await verify(pictures.budi)).toMatchObject({ status: '200', verified: true });
    const added = { image: pictures.ani, force_register: 'true', append: true };
    expect(await enrol(added)).toMatchObject({ status: '200' });
    const described = await laravel('POST', endpoints.describeFace, person);
    expect(described.body.risetai.n_picture).toBe(2);
    await server.context.events.settled();
    const filter = { clientId: client.id, event: 'face_enrolled', limit: 3 };
    const records = await server.context.store.audit.list(filter);
    expect(records.map(({ facts }) => facts)).toMatchObject([
      { replaced: false, appended: true, forced: true },
      { replaced: true, appended: false, forced: true },
      { replaced: false, appended: false, forced: true },
    ]);
  });

  it('a masked stranger is a stranger with a mask', async () => {
    const image = await base64(drawnFace({ person: 'budi', mask: true }));
    const { body } = await python('POST', endpoints.identifyFace, { facegallery_id: client.gallery, image });
    expect(body.risetai.return).toEqual([
      { confidence_level: '0.0', mask: 'true', user_id: 'unregistered', user_name: '' },
    ]);
  });

  it('Python deletes with a JSON body; what is refused is wrapped, too, with HTTP 200', async () => {
    const user = { user_id: '7', facegallery_id: 'riset.ai@production', trx_id: trx };
    expect((await python('DELETE', endpoints.deleteFace, user)).body.risetai.status).toBe('200');
    const again = await python('DELETE', endpoints.deleteFace, user);
    expect([again.http, again.body]).toEqual([
      200,
      { risetai: { status: '415', status_message: 'user_id not found' } },
    ]);
    const gallery = { facegallery_id: 'riset.ai@production', trx_id: trx };
    const gone = await python('DELETE', endpoints.deleteGallery, gallery);
    expect(gone.body.risetai).not.toHaveProperty('receipt');
    expect(gone.body.risetai.facegallery_id).toBe('riset.ai@production');
    const unauthenticated = await send('GET', below(endpoints.getCounters), {
      headers: { Accesstoken: 'none' },
    });
    expect([unauthenticated.http, unauthenticated.body.risetai.status]).toEqual([200, '401']);
    const wrong = await send('PATCH', below(endpoints.getCounters));
    expect([wrong.http, wrong.body.risetai.status]).toEqual([200, '405']);
    const none = await send('GET', '/risetai/face-api/none');
    expect([none.http, none.body.risetai.status]).toEqual([200, '404']);
  });

  it('older programs delete by POST, and list by POST', async () => {
    const older = await server.client();
    const call = (path: string, fields: object) =>
      older.call({ ...endpoints.deleteFace, path: `/risetai${path}` }, fields, 'POST');
    const inGallery = { facegallery_id: older.gallery, trx_id: trx };
    await older.enrol('9', pictures.ani);
    const user = { ...inGallery, user_id: '9' };
    expect((await call(endpoints.deleteFace.path, user)).body.risetai.status).toBe('200');
    expect((await call(endpoints.listFaces.path, inGallery)).body.risetai.faces).toEqual([]);
    expect((await call(endpoints.deleteGallery.path, inGallery)).body.risetai.status).toBe('200');
    expect((await call(endpoints.deleteClient.path, {})).body.risetai.facegallery_id).toEqual([]);
    const wrong = await send('PATCH', below(endpoints.deleteFace));
    expect(wrong.headers['allow']).toBe('DELETE, POST, OPTIONS');
  });
});

describe('other calls', () => {
  it('bodies are wrapped without the prefix, too, but not tokens, probes and documents', async () => {
    expect((await send('GET', endpoints.getCounters.path)).body).toHaveProperty('risetai');
    for (const path of ['/health', '/risetai/health', '/openapi.json', '/.well-known/jwks.json']) {
      expect((await send('GET', path)).body).not.toHaveProperty('risetai');
    }
    const body = `client_id=${client.id}&password=${encodeURIComponent(client.password)}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const prefix of ['', '/risetai']) {
      const token = await send('POST', `${prefix}/oauth/client/token`, { body, headers });
      expect(token.body).toMatchObject({ token_type: 'Bearer' });
    }
  });

  it("pages of the server's own origin get plain answers", async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const own = await send('GET', endpoints.getCounters.path, { headers });
    expect(own.body).toMatchObject({ status: '200' });
    const foreign = await send('GET', endpoints.getCounters.path, {
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(foreign.body).toHaveProperty('risetai');
    await client.enrol('10', pictures.ani);
    const person = { user_id: '10', user_name: 'Budi', facegallery_id: client.gallery, image: pictures.budi };
    const body = JSON.stringify({ ...person, force_register: true });
    const enrolled = await send('POST', endpoints.enrolFace.path, { headers, body });
    expect([enrolled.http, enrolled.body.status]).toEqual([409, '409']);
  });

  it('are not wrapped if it is switched off', async () => {
    const plain = await startTestApp();
    const one = await plain.client();
    expect((await one.call(endpoints.getCounters)).body).toMatchObject({ status: '200' });
    const { http, body } = await one.call({ ...endpoints.getCounters, path: below(endpoints.getCounters) });
    expect([http, body.status]).toEqual([404, '404']);
    expect(body.detail).toContain('WAJAH_COMPAT=risetai');
  });

  it('keep the HTTP codes that a proxy would answer, and those outside of the interface', async () => {
    const small = await startTestApp({
      WAJAH_COMPAT: 'risetai',
      WAJAH_CALLS_PER_MINUTE: '3',
      WAJAH_MAX_IMAGE_BYTES: '1MiB',
    });
    const one = await small.client();
    const image = 'A'.repeat(2 ** 21);
    const large = await one.call(endpoints.verifyLiveness, { image, face_parameters: { eyes: 'open' } });
    expect([large.http, large.body.risetai.status]).toEqual([413, '493']);
    for (let count = 0; count < 3; count += 1) await one.call(endpoints.getCounters);
    const limited = await one.call(endpoints.getCounters);
    expect([limited.http, limited.body.risetai.status]).toEqual([429, '429']);
    await small.close();
    const outside = await send('GET', '/healthz');
    expect([outside.http, outside.body.risetai.status]).toEqual([404, '404']);
    const body = `client_id=${client.id}&password=wrong`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await send('POST', '/risetai/oauth/client/token', { body, headers })).http).toBe(401);
  });

  it('have the HTTP codes of refusals if WAJAH_COMPAT_HTTP_200 is false', async () => {
    const strict = await startTestApp({ WAJAH_COMPAT: 'risetai', WAJAH_COMPAT_HTTP_200: 'false' });
    const one = await strict.client();
    const missing = { user_id: 'x', facegallery_id: one.gallery };
    const { http, body } = await one.call(endpoints.deleteFace, missing);
    expect([http, body]).toEqual([404, { risetai: { status: '415', status_message: 'user_id not found' } }]);
    const unauthorized = await strict.call('none', endpoints.getCounters);
    expect([unauthorized.http, unauthorized.body.risetai.status]).toEqual([401, '401']);
  });
});
