import { type Endpoint, endpoints } from '@wajah/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filmOf } from '../../support/film.ts';
import { newClient } from '../../support/liveness-sessions.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const {
  createLivenessSession,
  beginLivenessSession,
  getLivenessSession,
  hintLivenessFrame,
  sendLivenessFrame,
  submitLivenessSession,
} = endpoints;

const ani = await filmOf('ani');
const server = await startTestApp({
  WAJAH_SPOOF_THRESHOLD: '1',
  WAJAH_UNCLEAR_SPOOF: 'accept',
  WAJAH_PUBLIC_URL: 'https://wajah.example/',
});

interface Hosted {
  readonly session_id: string;
  readonly nonce: string;
  readonly url: string;
  readonly qr: string;
  readonly steps: readonly string[];
  readonly expires_in: number;
}

/** Creates a hosted session. @returns it, its secret, and the calls of its page */
async function host(client: TestClient, fields: object = {}) {
  const { body } = await client.call(createLivenessSession, { hosted: true, ...fields });
  expect(body.status).toBe('200');
  const session = body as Hosted;
  const secret = new URL(session.url).hash.split('.')[1]!;
  const call = async (endpoint: Endpoint, more: object = {}) =>
    (await server.call(secret, endpoint, { session_id: session.session_id, ...more })).body;
  return { session, secret, page: call };
}

/** Does the steps on the page. */
async function perform({ page }: Awaited<ReturnType<typeof host>>, film = ani) {
  const { steps } = await page(beginLivenessSession);
  return page(submitLivenessSession, { frames: await film.frames(steps) });
}

const state = async (client: TestClient, session_id: string) =>
  (await client.call(getLivenessSession, { session_id })).body;

describe('a hosted session', () => {
  it('has an address with a secret in its fragment, and a picture of it', async () => {
    const { session } = await host(await newClient(server), { lang: 'id', valid_minutes: 30 });
    expect(session).toMatchObject({ steps: [], expires_in: 1800 });
    expect(session.url).toMatch(
      new RegExp(`^https://wajah\\.example/liveness\\?lang=id#${session.session_id}\\.wls_[\\w-]{43}$`),
    );
    expect(session.qr).toMatch(/^<svg [\s\S]*<\/svg>$/);
  });

  it('is begun and judged by its page, which gets no token; the program reads the result', async () => {
    const client = await newClient(server);
    const hosted = await host(client, { redirect_url: 'https://shop.example/done?order=7' });
    const { session_id, nonce } = hosted.session;
    expect(await state(client, session_id)).toMatchObject({ state: 'waiting', nonce });
    const before = Date.now();
    const begun = await hosted.page(beginLivenessSession);
    expect(begun.steps).toHaveLength(5);
    expect(Date.parse(begun.expires_at)).toBeGreaterThanOrEqual(before + 299_000);
    expect((await hosted.page(beginLivenessSession)).steps).toEqual(begun.steps);
    expect(await state(client, session_id)).toMatchObject({ state: 'open' });
    const judged = await hosted.page(submitLivenessSession, { frames: await ani.frames(begun.steps) });
    const redirect_url = `https://shop.example/done?order=7&session_id=${session_id}&nonce=${nonce}`;
    expect(judged).toMatchObject({ status: '200', liveness: 'passed', redirect_url });
    expect(judged).not.toHaveProperty('liveness_token');
    expect(await hosted.page(getLivenessSession)).toEqual({
      status: '200',
      status_message: 'Success',
      session_id,
      state: 'passed',
      expires_at: begun.expires_at,
      tries_left: 0,
      redirect_url,
    });
    const { liveness_token, ...read } = await state(client, session_id);
    expect(read).toMatchObject({ state: 'passed', nonce, expires_in: expect.any(Number) });
    const image = await ani.frame('face front', 5);
    const enrolled = await client.enrol('ani', image, { liveness_token });
    expect(enrolled.body.status).toBe('200');
    expect(await state(client, session_id)).not.toHaveProperty('liveness_token');
  });

  it('has a secret that is good for the calls of its page alone, and is stored as a hash', async () => {
    const client = await newClient(server);
    const [one, other] = [await host(client), await host(client)];
    const session_id = other.session.session_id;
    for (const endpoint of [beginLivenessSession, getLivenessSession, submitLivenessSession]) {
      const frames = [{ step: 'face front', image: 'AAAA' }];
      expect((await one.page(endpoint, { session_id, frames })).status, endpoint.id).toBe('418');
    }
    for (const endpoint of [createLivenessSession, endpoints.detectFaces, endpoints.listFaces]) {
      expect(await one.page(endpoint), endpoint.id).toMatchObject({ status: '403', error: 'sessionSecret' });
    }
    const guessed = `wls_${'A'.repeat(43)}`;
    const { body } = await server.call(guessed, beginLivenessSession, { session_id });
    expect(body.status).toBe('401');
    expect(server.log()).not.toContain(one.secret);
    const { secret } = (await server.context.store.sessions.get(client.id, one.session.session_id))!;
    expect(Buffer.from(secret!).toString('latin1')).not.toContain(one.secret);
    expect(secret).toHaveLength(32);
  });

  it('is refused before it begins, when it is judged, and after its link has expired', async () => {
    const client = await newClient(server);
    const hosted = await host(client);
    const frames = [{ step: 'face front', image: 'AAAA' }];
    const image = await ani.frame('face front', 0);
    expect(await hosted.page(submitLivenessSession, { frames })).toMatchObject({ error: 'sessionWaits' });
    expect(await hosted.page(sendLivenessFrame, { image })).toMatchObject({ error: 'sessionWaits' });
    await hosted.page(beginLivenessSession);
    await hosted.page(submitLivenessSession, { frames });
    expect((await hosted.page(submitLivenessSession, { frames })).status).toBe('419');
    const late = await host(client);
    const { id, ...record } = (await server.context.store.sessions.get(client.id, late.session.session_id))!;
    const former = { ...record, id: 'late', secret: null, expiresAt: new Date(Date.now() - 1) };
    await server.context.store.sessions.create(former);
    const { body } = await client.call(beginLivenessSession, { session_id: 'late' });
    expect(body.status).toBe('420');
    expect(await state(client, 'late')).toMatchObject({ state: 'expired' });
  });

  it.each([
    ['http://shop.example/', 'http://shop.example'],
    ['javascript:alert(1)', 'javascript://'],
    ['https://user:password@shop.example/', 'https://shop.example'],
    ['shop', 'no URL'],
  ])('is not led on to %s', async (redirect_url, found) => {
    const client = await newClient(server);
    const { body } = await client.call(createLivenessSession, { hosted: true, redirect_url });
    expect(body).toMatchObject({ status: '400', error: 'redirectUrl', params: { found } });
    const allowed = { hosted: true, redirect_url: 'http://localhost:3000/done' };
    expect((await client.call(createLivenessSession, allowed)).body.status).toBe('200');
  });
});

it('a page of a session is made for calls to an address alone', async () => {
  const { app, ...open } = await startTestApp({ WAJAH_TRUST_PROXY: '127.0.0.1' });
  const { token } = await open.client();
  const create = async (headers: object) => {
    const method = createLivenessSession.methods[0] as 'POST';
    const call = { method, url: createLivenessSession.path, payload: { hosted: true } };
    return (await app.inject({ ...call, headers: { accesstoken: token, ...headers } })).json();
  };
  expect(await create({ host: 'wajah.example:8443' })).toMatchObject({
    url: expect.stringMatching(/^http:\/\/wajah\.example:8443\/liveness#/),
  });
  const others = [{ host: ':80' }, { host: 'a.example:99999' }, { 'x-forwarded-proto': 'javascript' }];
  for (const headers of others)
    expect(await create(headers)).toMatchObject({ status: '400', error: 'hostInvalid' });
});

describe('hints of a session', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('measure a face, take no hit, are no refusals, and come one at a time, by what they cost', async () => {
    const client = await server.client({ hits: 1000 });
    const { page } = await host(client);
    const { body: first } = await client.call(endpoints.getCounters);
    const image = await ani.frame('face left', 0);
    const both = await Promise.all([page(hintLivenessFrame, { image }), page(hintLivenessFrame, { image })]);
    const hint = both.find(({ status }) => status === '200');
    expect(both.find((answer) => answer !== hint)).toMatchObject({ status: '429', error: 'hintsTooOften' });
    expect(hint).toMatchObject({ faces: [{ left_eye: 'open', mouth: 'closed' }] });
    expect(hint.faces[0].yaw).toBeGreaterThan(15);
    // Whole degrees say where to turn to, and not how near to a limit a picture is.
    const { yaw, pitch } = hint.faces[0];
    expect([yaw, pitch]).toEqual([Math.trunc(yaw), Math.trunc(pitch)]);
    // As if the clock had stood still: at least 0.2 s, and no more than a share of a worker.
    expect(hint.next_in).toBeGreaterThanOrEqual(0.2);
    vi.advanceTimersByTime(hint.next_in * 1000 * 0.8);
    const sooner = await page(hintLivenessFrame, { image });
    expect(sooner).toMatchObject({ status: '429', error: 'hintsTooOften' });
    vi.advanceTimersByTime(hint.next_in * 1000 * 0.2);
    const nobody = await page(hintLivenessFrame, { image: await empty() });
    expect(nobody).toMatchObject({ status: '200', faces: [], next_in: expect.any(Number) });
    expect((await client.call(endpoints.getCounters)).body.remaining_limit).toEqual(first.remaining_limit);
  });
});

it('tells a hint of a mask also where the mouth is not asked for', async () => {
  const { drawnFace } = await import('../../../../engine/test/drawn/drawn-face.ts');
  const image = (await drawnFace({ mask: true })).toString('base64');
  for (const attributes of [['pose', 'eyes'], ['mouth']]) {
    const { page } = await host(await newClient(server));
    const hint = await page(hintLivenessFrame, { image, attributes });
    expect(hint).toMatchObject({ status: '200', faces: [{ mouth: 'masked' }] });
  }
});

const empty = async () => {
  const { drawnPicture } = await import('../../../../engine/test/drawn/drawn-face.ts');
  return (await drawnPicture({ width: 300, height: 300, faces: [] })).toString('base64');
};

describe('the frame of a passed session', () => {
  it('is enrolled with its token where it was kept, once, and is erased then', async () => {
    const client = await newClient(server);
    const hosted = await host(client, { keep_frame: true });
    expect(await perform(hosted)).toMatchObject({ liveness: 'passed' });
    const { session_id } = hosted.session;
    const { sessions } = server.context.store;
    expect((await sessions.passedParts(client.id, session_id, new Date()))?.frame).toBeInstanceOf(Uint8Array);
    const { liveness_token } = await state(client, session_id);
    const person = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery };
    const enrol = async (fields: object) =>
      (await client.call(endpoints.enrolFace, { ...person, ...fields })).body;
    const use = { use_session_frame: true };
    expect(await enrol(use)).toMatchObject({ error: 'sessionFrameNeeds' });
    const image = await ani.frame('face front', 5);
    expect(await enrol({ ...use, liveness_token, image })).toMatchObject({ error: 'sessionFrameNeeds' });
    expect((await enrol({})).status).toBe('451');
    expect((await enrol({ ...use, liveness_token })).status).toBe('200');
    expect(await sessions.passedParts(client.id, session_id, new Date())).toBeNull();
    const verified = await client.call(endpoints.verifyFace, { ...person, image });
    expect(verified.body).toMatchObject({ verified: true });
    expect(await enrol({ ...use, liveness_token, replace: true })).toMatchObject({ error: 'noSessionFrame' });
  });

  it('is needed as a picture, and none is kept of a session that did not ask for it', async () => {
    const client = await newClient(server);
    const kept = await host(client, { keep_frame: true });
    const { steps } = await kept.page(beginLivenessSession);
    const [frame] = await ani.frames(steps);
    const { digest } = await kept.page(sendLivenessFrame, { image: frame!.image });
    const frames = [{ step: 'face front', digest }];
    expect(await kept.page(submitLivenessSession, { frames })).toMatchObject({ error: 'frontalNeedsImage' });
    await server.forgetFrames();
    const other = await host(client);
    await perform(other);
    const { liveness_token } = await state(client, other.session.session_id);
    expect(liveness_token).toBeDefined();
    const person = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery };
    const fields = { ...person, use_session_frame: true, liveness_token };
    expect((await client.call(endpoints.enrolFace, fields)).body).toMatchObject({ error: 'noSessionFrame' });
  });
});
