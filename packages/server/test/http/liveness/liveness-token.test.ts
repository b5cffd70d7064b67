import { endpoints } from '@wajah/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { type Film, filmOf } from '../../support/film.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const { createLivenessSession, submitLivenessSession, enrolFace, verifyFace, compareImages } = endpoints;
const env = { WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' };

const engine = await sharedEngine();
const [ani, budi] = [await filmOf('ani'), await filmOf('budi')];
const server = await startTestApp(env, { engine });
beforeEach(() => server.forgetFrames());
afterEach(() => {
  vi.useRealTimers();
});

/** @param take the first take that is used: one frame counts in one session */
async function tokenOf(client: TestClient, take = 0): Promise<string> {
  const { body } = await client.call(createLivenessSession);
  const frames = await ani.frames(body.steps, take);
  const verdict = await client.call(submitLivenessSession, { session_id: body.session_id, frames });
  expect(verdict.body).toMatchObject({ liveness: 'passed' });
  return verdict.body.liveness_token;
}

const portrait = (film: Film) => film.frame('face front', 3);

/** A client with a gallery that requires liveness. */
async function strictClient() {
  const client = await server.client();
  const facegallery_id = 'strict';
  await client.call(endpoints.createGallery, { facegallery_id, require_liveness: true });
  return { client, user: { user_id: 'ani', facegallery_id } };
}

const enrol = async (client: TestClient, user: object, fields: object = {}) =>
  (await client.call(enrolFace, { ...user, user_name: 'Ani', image: await portrait(ani), ...fields })).body;

describe('a gallery that requires liveness', () => {
  it('enrols and verifies faces with a token only; other galleries are unchanged', async () => {
    const { client, user } = await strictClient();
    expect(await enrol(client, user)).toMatchObject({ status: '421', status_message: 'Liveness not proven' });
    expect((await enrol(client, user, { liveness_token: await tokenOf(client) })).status).toBe('200');

    const image = await portrait(ani);
    expect((await client.call(verifyFace, { ...user, image })).body.status).toBe('421');
    const proven = { ...user, image, liveness_token: await tokenOf(client, 3) };
    expect((await client.call(verifyFace, proven)).body).toMatchObject({ status: '200', verified: true });
    const card = { ...user, user_id: 'card', user_name: 'Card', image, ktp_image: image };
    expect((await client.call(endpoints.enrolFaceKtp, card)).body.status).toBe('421');

    const plain = { ...user, facegallery_id: client.gallery };
    expect((await enrol(client, plain)).status).toBe('200');
    expect((await client.call(verifyFace, { ...plain, image })).body.verified).toBe(true);
  });

  it('takes the token of a session with two frames of each step, whose template is that of one frame', async () => {
    const { client, user } = await strictClient();
    const { body } = await client.call(createLivenessSession);
    const twice = [await ani.frames(body.steps, 0), await ani.frames(body.steps, 6)];
    const frames = body.steps.flatMap((_: string, i: number) => twice.map((take) => take[i]!));
    const verdict = await client.call(submitLivenessSession, { session_id: body.session_id, frames });
    expect(verdict.body).toMatchObject({ liveness: 'passed', liveness_token: expect.any(String) });
    for (const [i, { frame }] of verdict.body.results.entries()) expect([2 * i, 2 * i + 1]).toContain(frame);
    const { liveness_token } = verdict.body;
    expect((await enrol(client, user, { liveness_token })).status).toBe('200');
  });

  it('refuses another face than the one that passed', async () => {
    const { client, user } = await strictClient();
    const other = { user_id: 'budi', image: await portrait(budi) };
    const refused = {
      status: '421',
      detail: expect.stringMatching(/^liveness_token: the face of image does not match/),
    };
    expect(await enrol(client, user, { ...other, liveness_token: await tokenOf(client) })).toMatchObject(
      refused,
    );
    expect((await enrol(client, user, { liveness_token: await tokenOf(client, 3) })).status).toBe('200');
    const fields = { ...user, image: other.image, liveness_token: await tokenOf(client, 6) };
    expect((await client.call(verifyFace, fields)).body).toMatchObject(refused);
    expect(
      (await client.call(endpoints.listFaces, { facegallery_id: user.facegallery_id })).body.faces,
    ).toHaveLength(1);
  });
});

describe('a token', () => {
  const compare = async (client: TestClient, liveness_token: string, film = ani) => {
    const [source_image, target_image] = [await portrait(film), await film.frame('face front', 4)];
    return (await client.call(compareImages, { source_image, target_image, liveness_token })).body;
  };

  it('is spent once, also by concurrent calls', async () => {
    const client = await server.client();
    const token = await tokenOf(client);
    const answers = await Promise.all(Array.from({ length: 6 }, () => compare(client, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual(['200', '421', '421', '421', '421', '421']);
    expect((await compare(client, token)).detail).toMatch(/^liveness_token: it was spent already/);
  });

  it('is valid for one face and one client, and its signature is checked', async () => {
    const [client, other] = [await server.client(), await server.client()];
    const token = await tokenOf(client);
    expect((await compare(other, token)).status).toBe('421');
    expect((await compare(client, `${token.slice(0, -4)}AAAA`)).status).toBe('421');
    expect((await compare(client, client.token)).status).toBe('421');
    expect((await server.call(token, endpoints.listGalleries)).body.status).toBe('401');
    const otherFace = await compare(client, token, budi);
    expect(otherFace).toMatchObject({
      status: '421',
      detail: expect.stringMatching(/source_image .* spent now/),
    });
    expect((await compare(client, token)).status).toBe('421');
  });

  it('is not spent by a picture that cannot be decoded', async () => {
    const client = await server.client();
    const token = await tokenOf(client);
    const image = await portrait(ani);
    const broken = { source_image: '*', target_image: image, liveness_token: token };
    expect((await client.call(compareImages, broken)).body.status).toBe('494');
    expect((await compare(client, token)).status).toBe('200');
  });

  it('expires after five minutes', async () => {
    const client = await server.client();
    const token = await tokenOf(client);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 306_000);
    expect((await compare(client, token)).status).toBe('421');
  });
});

describe('a restart', () => {
  it('keeps sessions and tokens, and erases expired ones', async () => {
    const directory = temporaryDirectory();
    const start = () => startTestApp(env, { engine, directory });
    const first = await start();
    const client = await first.client();
    const [opened, late] = [
      await client.call(createLivenessSession),
      await client.call(createLivenessSession),
    ];
    const token = await tokenOf(client);
    await first.close();

    const second = await start();
    const { session_id, steps } = opened.body;
    const frames = await ani.frames(steps, 2);
    const verdict = await second.call(client.token, submitLivenessSession, { session_id, frames });
    expect(verdict.body).toMatchObject({ liveness: 'passed' });
    const [source_image, target_image] = [await portrait(ani), await ani.frame('face front', 4)];
    const compared = { source_image, target_image, liveness_token: token };
    expect((await second.call(client.token, compareImages, compared)).body.status).toBe('200');
    await second.close();

    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 2 * 3600_000);
    const third = await start();
    const submission = { session_id: late.body.session_id, frames };
    const answered = async () =>
      (await third.call(client.token, submitLivenessSession, submission)).body.status;
    await expect.poll(answered).toBe('418');
  });
});
