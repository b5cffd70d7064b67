import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { formOf } from '../support/form.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';

const [server, pictures] = await Promise.all([startTestApp({ WAJAH_COMPAT: 'risetai' }), drawPictures()]);
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
): Promise<{ http: number; body: any }> {
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
        resolve({ http: answer.statusCode ?? 0, body: JSON.parse(text) });
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
    expect([nobody.http, nobody.body.risetai.status, nobody.body.risetai.return]).toEqual([200, '411', []]);
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
    expect(body.risetai).toMatchObject({ status: '200', liveness: 'true' });
    expect(body.risetai).not.toHaveProperty('reasons');
    const none = [
      { ...one, face_parameter: 'front' },
      { image: pictures.nobody, face_parameter: 'front' },
    ];
    const failed = await retrofit('POST', endpoints.verifyLivenessBatch, { batch: none, trx_id: trx });
    expect(failed.body.risetai).toMatchObject({ liveness: 'false', results: { image2: { match: false } } });
    expect(failed.body.risetai.results.image2).not.toHaveProperty('error');
  });

  it('Python deletes with a JSON body; what is refused is wrapped, too', async () => {
    const user = { user_id: '7', facegallery_id: 'riset.ai@production', trx_id: trx };
    expect((await python('DELETE', endpoints.deleteFace, user)).body.risetai.status).toBe('200');
    const again = await python('DELETE', endpoints.deleteFace, user);
    expect(again).toEqual({
      http: 404,
      body: { risetai: { status: '415', status_message: 'user_id not found' } },
    });
    const gallery = { facegallery_id: 'riset.ai@production', trx_id: trx };
    const gone = await python('DELETE', endpoints.deleteGallery, gallery);
    expect(gone.body.risetai).not.toHaveProperty('receipt');
    expect(gone.body.risetai.facegallery_id).toBe('riset.ai@production');
    const unauthenticated = await send('GET', below(endpoints.getCounters), {
      headers: { Accesstoken: 'none' },
    });
    expect([unauthenticated.http, unauthenticated.body.risetai.status]).toEqual([401, '401']);
    const wrong = await send('PATCH', below(endpoints.getCounters));
    expect([wrong.http, wrong.body.risetai.status]).toEqual([405, '405']);
    expect((await send('GET', '/risetai/face-api/none')).body.risetai.status).toBe('404');
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
  });

  it('are not wrapped if it is switched off', async () => {
    const plain = await startTestApp();
    const one = await plain.client();
    expect((await one.call(endpoints.getCounters)).body).toMatchObject({ status: '200' });
    const { http, body } = await one.call({ ...endpoints.getCounters, path: below(endpoints.getCounters) });
    expect([http, body.status]).toEqual([404, '404']);
    expect(body.detail).toContain('WAJAH_COMPAT=risetai');
  });

  it('answer refusals with HTTP 200 if that is set', async () => {
    const lenient = await startTestApp({ WAJAH_COMPAT: 'risetai', WAJAH_COMPAT_HTTP_200: 'true' });
    const one = await lenient.client();
    const missing = { user_id: 'x', facegallery_id: one.gallery };
    const { http, body } = await one.call(endpoints.deleteFace, missing);
    expect([http, body]).toEqual([200, { risetai: { status: '415', status_message: 'user_id not found' } }]);
    const unauthorized = await lenient.call('none', endpoints.getCounters);
    expect([unauthorized.http, unauthorized.body.risetai.status]).toEqual([200, '401']);
  });
});
