import { type Endpoint, endpoints, refusalAnswer, type StatusName, statuses } from '@wajah/contract';
import { refusalSentence } from '@wajah/contract/refusals';
import { EngineError } from '@wajah/engine';
import { describe, expect, it, vi } from 'vitest';
import { progressiveScans } from '../../../engine/test/support/bombs/jpeg-bytes.ts';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { type Answer, drawPictures, startTestApp } from '../support/test-app.ts';

const seen = new Set<StatusName>();

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);
const client = await server.client({ hits: 100_000 });
await enrol({});

function enrol(fields: object) {
  return client.enrol('ani', pictures.ani, { user_name: 'Ani', ...fields });
}

/** Checks the answer against its row of the table, and records that the row was produced. */
function expectRow(
  { http, body, headers }: Answer,
  name: StatusName,
  detail?: RegExp,
  message: string = statuses[name].message,
): void {
  const row = statuses[name];
  expect([body.status, http]).toEqual([row.status, row.http]);
  if (name !== 'success') {
    expect(body.status_message).toBe(message);
    expect(body.detail).toMatch(detail ?? /./);
    expect(body.detail).not.toMatch(/\/(work|tmp|root|home)\/|node_modules|at .*\.ts/);
    expect(refusalAnswer.parse(body)).toMatchObject({ status: row.status });
    expect(refusalSentence({ ...body, error: body.error_code ?? body.error })).toBe(body.detail);
    expect(headers['x-trx-id']).toBe(encodeURI(body.trx_id));
  }
  seen.add(name);
}

const bytes = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const verify = (fields: object) =>
  client.call(endpoints.verifyFace, {
    user_id: 'ani',
    facegallery_id: client.gallery,
    image: pictures.ani,
    ...fields,
  });
const compare = (fields: object) =>
  client.call(endpoints.compareImages, { source_image: pictures.ani, target_image: pictures.ani, ...fields });

describe('pictures', () => {
  it('one that costs too much is 493 without Retry-After, and is charged', async () => {
    const left = async () => (await client.call(endpoints.getCounters, {})).body.remaining_limit.n_api_hits;
    const before = await left();
    const image = progressiveScans(64, 64, 2647).toString('base64');
    const answer = await verify({ image });
    expectRow(answer, 'imageBroken', /^image: The JPEG has 2647 scans; at most 100 are accepted/);
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(await left()).toBe(before - 1);
  });

  it('451, 490, 491, 493', async () => {
    expectRow(await verify({ image: ' ' }), 'imageNull', /^image: /);
    expectRow(await verify({ image: 'no*base64!' }), 'imageBase64', /^image: /);
    expectRow(await verify({ image: bytes('GIF89a\x01\x00\x01\x00') }), 'imageType', /GIF/);
    expectRow(await verify({ image: bytes('%PDF-1.7 …') }), 'imageType', /PDF/);
    expectRow(await verify({ image: pictures.ani.slice(0, 4000) }), 'imageBroken', /^image: /);
  });

  it('491, 492, 494, 495, 455, 456 when two are compared', async () => {
    expectRow(await compare({ target_image: null }), 'targetImageNull', /^target_image: /);
    expectRow(await compare({ source_image: null }), 'sourceImageNull', /^source_image: /);
    expectRow(await compare({ target_image: '*' }), 'targetImageBase64', /^target_image: /);
    expectRow(await compare({ source_image: '*' }), 'sourceImageBase64', /^source_image: /);
    expectRow(await compare({ target_image: bytes('GIF89a') }), 'imageType', /^target_image: /);
    expectRow(await compare({ source_image: bytes('GIF89a') }), 'sourceImageType', /^source_image: /);
    expectRow(await compare({ source_image: pictures.ani.slice(0, 4000) }), 'imageBroken', /^source_image: /);
    expectRow(await compare({ target_image: pictures.nobody }), 'faceNotDetected', /^target_image: /);
    // The source is judged first.
    const { nobody } = pictures;
    expectRow(
      await compare({ source_image: nobody, target_image: '*' }),
      'faceNotDetected',
      /^source_image: /,
    );
    expectRow(
      await compare({ source_image: '*', target_image: '*' }),
      'sourceImageBase64',
      /^source_image: /,
    );
  });

  it('412 for nobody, 413 for a small face, 414 for a blurred one', async () => {
    expectRow(await verify({ image: pictures.nobody }), 'faceNotDetected', /^image: /);
    expectRow(await enrol({ user_id: 'small', image: pictures.small }), 'faceTooSmall', /\d+ px.*100/);
    const quality = await enrol({ user_id: 'blurred', image: pictures.blurred, check_quality: true });
    expectRow(quality, 'qualityTooLow', /sharpness/);
    expectRow(await enrol({ user_id: 'small', image: pictures.small, force_register: 'true' }), 'success');
  });

  it('are taken as base64url, in lines, and as a data URL', async () => {
    const { ani } = pictures;
    const spellings = [
      `data:image/jpeg;base64,${ani}`,
      ani.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
      ani.replace(/.{76}/g, '$&\r\n'),
    ];
    for (const image of spellings) {
      const answer = await verify({ image });
      expectRow(answer, 'success');
      expect(answer.body).toEqual({
        status: '200',
        status_message: 'Success',
        user_name: 'Ani',
        similarity: 1,
        masker: false,
        verified: true,
        threshold: expect.any(Number),
      });
    }
  });
});

describe('names', () => {
  it('452, 453, 454', async () => {
    expectRow(await enrol({ user_id: '' }), 'userIdNull', /^user_id: /);
    expectRow(await enrol({ user_name: null }), 'userNameNull', /^user_name: /);
    expectRow(await enrol({ facegallery_id: '\n' }), 'galleryIdNull', /^facegallery_id: /);
    const liveness = { image: pictures.ani, face_parameters: { eyes: 'open' } };
    const call = (endpoint: Endpoint, fields: object) => client.call(endpoint, fields);
    expectRow(await call(endpoints.verifyLiveness, { ...liveness, user_id: 'ani' }), 'galleryIdNull');
    expectRow(await call(endpoints.verifyLiveness, { ...liveness, facegallery_id: 'g' }), 'userIdNull');
  });

  it('409 twice the user, 417 twice the gallery, 415 no user, 416 no gallery', async () => {
    expectRow(await enrol({}), 'userExists', /^user_id: .*replace/);
    expectRow(await enrol({ replace: true }), 'success');
    const duplicate = await enrol({ user_id: 'again', check_duplicate: true });
    expectRow(duplicate, 'userExists', /ani/, 'face already enrolled');
    const gallery = { facegallery_id: client.gallery };
    expectRow(await client.call(endpoints.createGallery, gallery), 'galleryExists');
    expectRow(await verify({ user_id: 'nobody' }), 'userNotFound');
    expectRow(await client.call(endpoints.deleteFace, { ...gallery, user_id: 'nobody' }), 'userNotFound');
    expectRow(await verify({ facegallery_id: 'nowhere' }), 'galleryNotFound');
  });

  it('400 names the wrong field', async () => {
    expectRow(await enrol({ user_id: 'a\u202eb' }), 'malformed', /^user_id: found U\+202E at character 2/);
  });
});

describe('411', () => {
  it('of an identification has the normal body', async () => {
    const answer = await client.call(endpoints.identifyFace, {
      facegallery_id: client.gallery,
      image: pictures.budi,
    });
    expectRow(answer, 'notRecognized', /best similarity is 0\.\d{4}, the threshold 0\.\d{4}/);
    expect(answer.body).toMatchObject({ status_description: 'Face Not Registered', return: [] });
    expect(endpoints.identifyFace.miss?.safeParse(answer.body).success).toBe(true);
  });

  it('of a card has similarity and masker, and stores nothing', async () => {
    const user = { user_id: 'card', user_name: 'Card', facegallery_id: client.gallery };
    const answer = await client.call(endpoints.enrolFaceKtp, { ...user, image: pictures.foreignCard });
    expectRow(answer, 'notRecognized');
    expect(answer.body).toMatchObject({ similarity: expect.any(Number), masker: false });
    expectRow(await verify({ user_id: 'card' }), 'userNotFound');
  });
});

describe('liveness sessions', () => {
  const { createLivenessSession, submitLivenessSession } = endpoints;
  const frames = () => [{ step: 'face front', image: pictures.ani }];

  it('418 for an unknown one, 419 for one that was judged', async () => {
    const { body } = await client.call(createLivenessSession);
    const submit = (session_id: string) =>
      client.call(submitLivenessSession, { session_id, frames: frames() });
    expectRow(await submit('none'), 'sessionNotFound', /^session_id: /);
    expectRow(await submit(body.session_id), 'success');
    expectRow(await submit(body.session_id), 'sessionJudged', /^session_id: /);
  });

  it('422 for an unknown token_id', async () => {
    const answer = await client.call(endpoints.revokeApiToken, { token_id: 'none' });
    expectRow(answer, 'tokenNotFound', /^token_id: /);
  });

  it('425 for an unknown webhook_id', async () => {
    const answer = await client.call(endpoints.deleteWebhook, { webhook_id: 'none' });
    expectRow(answer, 'webhookNotFound', /^webhook_id: /);
  });

  it('426 for an unknown client_id, 427 for one that exists', async () => {
    const operator = await server.client({}, true);
    const unknown = await operator.call(endpoints.setClientQuota, { client_id: 'none', n_face: 1 });
    expectRow(unknown, 'clientNotFound', /^client_id: /);
    const taken = await operator.call(endpoints.createClient, { client_id: client.id });
    expectRow(taken, 'clientExists', /^client_id: /);
  });

  it('420 for one that has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { body } = await client.call(createLivenessSession);
      vi.setSystemTime(Date.now() + 301_000);
      const late = { session_id: body.session_id, frames: frames() };
      expectRow(await client.call(submitLivenessSession, late), 'sessionExpired', /^session_id: /);
    } finally {
      vi.useRealTimers();
    }
  });

  it('421 without a token where one is required, and for an invalid one', async () => {
    const strict = { facegallery_id: 'strict', require_liveness: 'true' };
    expectRow(await client.call(endpoints.createGallery, strict), 'success');
    expectRow(await enrol({ facegallery_id: 'strict' }), 'livenessNotProven', /^liveness_token: .*requires/);
    expectRow(await verify({ liveness_token: 'nonsense' }), 'livenessNotProven', /^liveness_token: /);
  });

  it('423 without a consent where one is required, 424 for a user who is suspended', async () => {
    const named = { facegallery_id: 'named', require_consent: 'true' };
    expectRow(await client.call(endpoints.createGallery, named), 'success');
    expectRow(await enrol({ facegallery_id: 'named' }), 'consentMissing', /^consent_reference: .*requires/);
    expectRow(await client.call(endpoints.suspendPerson, { user_id: 'ani' }), 'success');
    expectRow(await verify({}), 'userSuspended', /^user_id: .*suspended/);
    expectRow(await client.call(endpoints.resumePerson, { user_id: 'ani' }), 'success');
    expectRow(await verify({}), 'success');
  });
});

describe('access', () => {
  it('401, 403, 404, 405', async () => {
    expectRow(await server.call('nonsense', endpoints.listGalleries), 'unauthorized');
    const leaving = await server.client();
    expectRow(await leaving.call(endpoints.deleteClient), 'success');
    expectRow(await leaving.call(endpoints.listGalleries), 'denied', /register/);
    expectRow(await leaving.call(endpoints.getCounters), 'denied', /register/);
    expectRow(await leaving.call(endpoints.register), 'success');
    expectRow(await leaving.call(endpoints.listGalleries), 'success');
    expectRow(await client.call({ ...endpoints.listGalleries, path: '/face-api/nowhere' }), 'routeNotFound');
    expectRow(await client.call(endpoints.listGalleries, {}, 'PATCH'), 'methodNotAllowed', /GET/);
  });

  it('403 for each quota that is used up', async () => {
    const poor = await server.client({ faces: 0, galleries: 1 });
    expectRow(await poor.enrol('u', pictures.ani), 'denied', /n_face\b/);
    const gallery = { facegallery_id: 'second' };
    expectRow(await poor.call(endpoints.createGallery, gallery), 'denied', /n_facegallery/);
  });
});

describe('the server', () => {
  it('429 above the rate', async () => {
    const slow = await startTestApp({ WAJAH_CALLS_PER_MINUTE: '1' });
    const hurried = await slow.client();
    expectRow(await hurried.call(endpoints.listGalleries), 'success');
    const answer = await hurried.call(endpoints.listGalleries);
    expectRow(answer, 'tooManyRequests');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('503 when the engine is busy, and the call is not counted', async () => {
    const engine = {
      ...(await sharedEngine()),
      analyze: () => Promise.reject(new EngineError('busy', 'The queue is full.')),
    };
    const busy = await startTestApp({}, { engine, quota: { hits: 1_000_000 } });
    const waiting = await busy.client();
    const answer = await waiting.call(endpoints.compareImages, {
      source_image: pictures.ani,
      target_image: pictures.ani,
    });
    expectRow(answer, 'busy');
    expect(answer.headers['retry-after']).toBe('1');
    const counters = await waiting.call(endpoints.getCounters);
    expect(counters.body.remaining_limit.n_api_hits).toBe(1_000_000);
  });

  it('500 when the store is gone, and it is not ready', async () => {
    const broken = await startTestApp();
    const unlucky = await broken.client();
    expectRow(await broken.call(undefined, endpoints.ready), 'success');
    await broken.context.store.close();
    const answer = await unlucky.call(endpoints.listGalleries);
    expectRow(answer, 'serverError', /^an error of the server; its log has more under this trx_id$/);
    // The store is asked once a second.
    await expect.poll(async () => (await broken.call(undefined, endpoints.ready)).http).toBe(503);
    expectRow(await broken.call(undefined, endpoints.ready), 'busy', /not ready: store/);
    expectRow(await broken.call(undefined, endpoints.health), 'success');
  });
});

it('every status of the table was answered', () => {
  expect([...seen].sort()).toEqual(Object.keys(statuses).sort());
});
