import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { type Film, filmOf } from '../../packages/server/test/support/film.ts';
import { base64 } from '../../packages/server/test/support/requests.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { startTestApp, type TestApp, type TestClient } from '../../packages/server/test/support/test-app.ts';
import { Run } from '../support/program.ts';
import { root } from '../support/sources.ts';

// It is there to be copied, so its visitors are played by somebody who does not use its page.
describe('the backend of packages/capture/example', () => {
  let server: TestApp;
  let client: TestClient;
  let url: string;
  let film: Film;

  beforeAll(async () => {
    // Drawn heads are no photographs.
    server = await startTestApp({ WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' });
    client = await server.client();
    film = await filmOf('ani');
    const password = join(temporaryDirectory(), 'password.txt');
    writeFileSync(password, client.password);
    const wajah = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const options = {
      wajah,
      client: client.id,
      'password-file': password,
      gallery: client.gallery,
      port: '0',
    };
    const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const backend = new Run({}, given, [process.execPath, join(root, 'packages/capture/example/server.mjs')]);
    url = await backend.waitForOutput(/(http:\S+)/);
  });

  /** Somebody with a cookie. `seen` is all that the backend answered. */
  function visitor() {
    let cookie = '';
    const seen: string[] = [];
    const post = async (path: string, body: unknown = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await fetch(url + path, { method: 'POST', headers: { cookie }, body: text });
      const [given] = answer.headers.getSetCookie();
      if (given !== undefined) {
        expect(given).toMatch(/^visitor=[\w-]+; HttpOnly; SameSite=Strict; Path=\/$/);
        cookie = given.split(';')[0]!;
      }
      seen.push(await answer.text());
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return { http: answer.status, body: JSON.parse(seen.at(-1)!) as any };
    };
    return { post, seen };
  }

  /** Does a session. @param wishes fields that the page has no right to choose */
  async function pass({ post }: ReturnType<typeof visitor>, wishes: object = {}, from = 0): Promise<string> {
    const { session_id } = (await post('/liveness/create', wishes)).body;
    const { steps } = (await post('/liveness/begin', { session_id })).body;
    expect(steps).toHaveLength(4);
    const frames = await film.frames(steps, from);
    const { body } = await post('/liveness/submit', { session_id, frames });
    expect(body).toMatchObject({ status: '200', liveness: 'passed' });
    return session_id;
  }

  const enrolled = async () =>
    (await client.call(endpoints.listFaces, { facegallery_id: client.gallery })).body.faces;

  it('enrols who passed under an id of its own, once, whatever the page sends', async () => {
    const portrait = await base64(drawnFace({ person: 'budi' }));
    const director = { user_id: 'ceo', user_name: 'Director' };
    expect((await client.enrol('ceo', portrait, director)).body.status).toBe('200');
    const eve = visitor();
    const forged = {
      user_id: 'ceo',
      facegallery_id: client.gallery,
      subject: 'ceo',
      steps: 5,
      replace: true,
    };
    const session_id = await pass(eve, forged);
    const person = { ...forged, session_id, user_name: 'Eve' };
    const both = await Promise.all([eve.post('/enrol', person), eve.post('/enrol', person)]);
    expect(both.map(({ http }) => http).sort()).toEqual([200, 403]);
    const people = await enrolled();
    expect(people).toContainEqual(director);
    const { user_id } = people.find(({ user_name }: { user_name: string }) => user_name === 'Eve');
    expect(user_id).toMatch(/^[\da-f-]{36}$/);
    const verified = await client.call(endpoints.verifyFace, {
      ...director,
      facegallery_id: client.gallery,
      image: portrait,
    });
    expect(verified.body).toMatchObject({ verified: true });

    await server.forgetFrames();
    await pass(eve, {}, 2);
    expect((await eve.post('/enrol', { user_name: 'Director' })).body).toMatchObject({ status: '409' });
    expect(await enrolled()).toEqual(people);
    expect(eve.seen.join()).not.toMatch(/liveness_token|nonce|eyJ/);
  });

  it('takes a session, and the proof that it passed, from the visitor whose it is', async () => {
    await server.forgetFrames();
    const [owner, thief] = [visitor(), visitor()];
    const { session_id } = (await owner.post('/liveness/create')).body;
    const image = await film.frame('face front', 0);
    for (const [path, fields] of [
      ['begin', {}],
      ['detect', { image }],
      ['frame', { image }],
      ['submit', { frames: [{ step: 'face front', image }] }],
    ] as const)
      expect((await thief.post(`/liveness/${path}`, { session_id, ...fields })).body).toMatchObject({
        detail: 'this visitor has no such session',
      });
    expect(await pass(owner, {}, 4)).toBe(session_id);
    const frames = [{ step: 'face front', image }];
    expect((await owner.post('/liveness/submit', { session_id, frames })).body).toMatchObject({
      status: '419',
    });
    expect((await owner.post('/liveness/create')).body.session_id).not.toBe(session_id);
    const people = await enrolled();
    const tries = [
      thief.post('/enrol', { session_id, user_name: 'Thief' }),
      visitor().post('/enrol', { session_id, user_name: 'Nobody' }),
    ];
    expect((await Promise.all(tries)).map(({ http }) => http)).toEqual([403, 403]);
    expect(await enrolled()).toEqual(people);
  });

  it('has one session of a visitor, however often it is opened and begun', async () => {
    const one = visitor();
    await one.post('/enrol');
    const opened = await Promise.all(Array.from({ length: 10 }, () => one.post('/liveness/create')));
    const ids = new Set(opened.map(({ body }) => body.session_id));
    expect([...ids]).toEqual([expect.any(String)]);
    const [session_id] = ids;
    const begun = await Promise.all(opened.map(() => one.post('/liveness/begin', { session_id })));
    expect(new Set(begun.map(({ body }) => body.steps.join())).size).toBe(1);
    const again = (await one.post('/liveness/create')).body;
    expect([again.session_id, again.steps]).toEqual([session_id, begun[0]!.body.steps]);
    expect(again.expires_in).toBeLessThanOrEqual(begun[0]!.body.expires_in);
    const states = await Promise.all(
      opened.map(({ body }) => client.call(endpoints.getLivenessSession, { session_id: body.session_id })),
    );
    expect(new Set(states.map(({ body }) => body.state))).toEqual(new Set(['open']));
  });

  it.each(['{', 'null', '[]', '"text"'])('answers 400 to the body %s', async (text) => {
    expect((await visitor().post('/liveness/create', text)).http).toBe(400);
  });
});
