import { type Endpoint, endpoints } from '@wajah/contract';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { WaitingSession } from '../../../src/store/ports/sessions.ts';
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

const film = await filmOf('ani');
const env = { WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' };
const server = await startTestApp(env);
/** Of short tries. */
const hasty = await startTestApp(env, { limits: { opening: { seconds: 2 } } });
const overMs = 2100;
const slow = await startTestApp(env, { limits: { opening: { seconds: 10 } } });

/** A link, and the calls of its page. */
async function link(client: TestClient, fields: object = {}, at = server) {
  const { body } = await client.call(createLivenessSession, { hosted: true, steps: 2, ...fields });
  const { session_id, url } = body;
  const secret = new URL(url).hash.split('.')[1]!;
  const call = async (endpoint: Endpoint, more: object = {}) =>
    (await at.call(secret, endpoint, { session_id, ...more })).body;
  return {
    session_id,
    call,
    begin: () => call(beginLivenessSession),
    read: () => call(getLivenessSession),
    submit: (frames: readonly object[]) => call(submitLivenessSession, { frames }),
    /** Frames that do not pass. */
    fail: () => call(submitLivenessSession, { frames: [{ step: 'face up', image: 'AAAA' }] }),
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, overMs));

describe('a link', () => {
  it('has three tries, each with a challenge of its own, and leads on after the last one', async () => {
    const client = await newClient(server);
    const fields = { subject: 'person 1', redirect_url: 'https://shop.example/done' };
    const { session_id, begin, fail, read } = await link(client, fields);
    expect(await read()).toMatchObject({ state: 'waiting', tries_left: 3 });
    const drawn = new Set<string>();
    for (const left of [2, 1]) {
      const { steps } = await begin();
      drawn.add(steps.join());
      expect(await read()).toMatchObject({ state: 'open', tries_left: left });
      const judged = await fail();
      expect(judged).toMatchObject({ liveness: 'failed', tries_left: left });
      expect(judged).not.toHaveProperty('redirect_url');
      expect((await fail()).status).toBe('419');
      const waiting = await read();
      expect(waiting).toMatchObject({ state: 'waiting', tries_left: left, reasons: judged.reasons });
      expect(waiting).not.toHaveProperty('redirect_url');
      const { body } = await client.call(getLivenessSession, { session_id });
      expect(body).toMatchObject({ state: 'waiting', tries_left: left });
    }
    drawn.add((await begin()).steps.join());
    expect(drawn.size).toBe(3);
    const redirect_url = expect.stringContaining('https://shop.example/done?session_id=');
    expect(await fail()).toMatchObject({ liveness: 'failed', tries_left: 0, redirect_url });
    expect(await read()).toMatchObject({ state: 'failed', tries_left: 0, redirect_url });
    expect((await begin()).status).toBe('419');
  });

  it('is done when a try has passed, with the token and the nonce of its session', async () => {
    const client = await newClient(server);
    const { session_id, begin, fail, submit, read } = await link(client);
    await begin();
    await fail();
    const { steps } = await begin();
    expect(await submit(await film.frames(steps))).toMatchObject({ liveness: 'passed', tries_left: 0 });
    const { body } = await client.call(getLivenessSession, { session_id });
    expect(body).toMatchObject({ state: 'passed', tries_left: 0 });
    expect(body).not.toHaveProperty('reasons');
    expect(decodeJwt(body.liveness_token)).toMatchObject({ sid: session_id, nonce: body.nonce });
    expect((await begin()).status).toBe('419');
    expect((await fail()).status).toBe('419');
    expect(await read()).toMatchObject({ state: 'passed' });
  });

  it.each([{ subject: 'person 1' }, {}])(
    'loses no try that ended before it was judged, also the last; each has the whole time, until the pause: %o',
    async (fields) => {
      const client = await hasty.client();
      const { begin, read, fail } = await link(client, fields, hasty);
      for (const lost of [0, 1, 2]) {
        const { steps, expires_in } = await begin();
        expect([expires_in, steps.length]).toEqual([2, 4 + lost]);
        expect(await read()).toMatchObject({ state: 'open', tries_left: 2 });
        await pause();
        expect((await fail()).status).toBe('420');
        expect(await read()).toMatchObject({ state: 'waiting', tries_left: 3 });
      }
      for (const left of [2, 1]) {
        await begin();
        expect(await fail()).toMatchObject({ tries_left: left });
      }
      // Five that were not passed: judged or not.
      expect(await begin()).toMatchObject({ status: '429', error: 'sessionsFailed' });
      expect(await read()).toMatchObject({ state: 'waiting', tries_left: 1 });
    },
  );

  it('has the whole time in a try that begins just before it ends', async () => {
    const client = await slow.client();
    const { session_id, begin, read } = await link(client, {}, slow);
    await begin();
    const soon = Date.now() + 3000;
    const row = await slow.context.store.sessions.get(client.id, session_id);
    const waits = { ...row!.waits, until: soon } as WaitingSession;
    const history = { clientId: client.id, subject: row!.subject, since: new Date(0), limit: 0 };
    const ending = { ...row!, expiresAt: new Date(Date.now() + 1000), waits };
    await slow.context.store.sessions.open({ ...history, begins: session_id }, () => ({ begin: ending }));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await read()).toMatchObject({ state: 'waiting', tries_left: 3 });
    expect(await begin()).toMatchObject({ expires_in: 10 });
  });

  it('gives its last try back as well', async () => {
    const client = await hasty.client();
    const { begin, read, fail } = await link(client, {}, hasty);
    for (const left of [2, 1]) {
      await begin();
      expect(await fail()).toMatchObject({ tries_left: left });
    }
    await begin();
    expect(await read()).toMatchObject({ state: 'open', tries_left: 0 });
    await pause();
    expect(await read()).toMatchObject({ state: 'waiting', tries_left: 1 });
    await begin();
    expect(await fail()).toMatchObject({ liveness: 'failed', tries_left: 0 });
    expect(await read()).toMatchObject({ state: 'failed', tries_left: 0 });
    expect((await begin()).status).toBe('419');
  });

  it('continues a try in the first half of its time, and begins another with the whole time in the second', async () => {
    const client = await slow.client();
    const { begin, read } = await link(client, {}, slow);
    const first = await begin();
    const again = await begin();
    expect([again.steps, again.expires_at]).toEqual([first.steps, first.expires_at]);
    await new Promise((resolve) => setTimeout(resolve, 5500));
    const other = await begin();
    expect([other.expires_in, other.steps.length]).toEqual([10, first.steps.length + 1]);
    expect(await read()).toMatchObject({ state: 'open', tries_left: 2 });
    // Nobody finds the former one again.
    expect((await begin()).expires_at).toBe(other.expires_at);
  });

  it('has its next try also where the server was killed while it judged one', async () => {
    const client = await hasty.client();
    const { session_id, begin, read } = await link(client, {}, hasty);
    await begin();
    await hasty.context.store.sessions.claim(client.id, session_id, new Date(Date.now() - 360_000));
    expect(await read()).toMatchObject({ state: 'open' });
    await pause();
    expect(await read()).toMatchObject({ state: 'waiting', tries_left: 3 });
    expect((await begin()).expires_in).toBe(2);
  });

  it('has no more tries by reloads and in parallel tabs', async () => {
    const client = await newClient(server);
    const { begin, fail, read } = await link(client, { subject: 'person 1' });
    for (const left of [2, 1, 0]) {
      const begun = await Promise.all(Array.from({ length: 6 }, begin));
      expect(new Set(begun.map(({ steps, expires_at }) => [...steps, expires_at].join())).size).toBe(1);
      expect(await begin()).toMatchObject({ steps: begun[0].steps });
      expect(await read()).toMatchObject({ tries_left: left });
      const judged = await Promise.all([fail(), fail(), fail()]);
      expect(judged.filter(({ liveness }) => liveness === 'failed')).toHaveLength(1);
    }
  });

  it('adds no tries to those of its subject', async () => {
    const client = await newClient(server);
    const lengths = [];
    for (const tries of [3, 2]) {
      const { begin, fail } = await link(client, { subject: 'person 1' });
      for (let i = 0; i < tries; i++) {
        lengths.push((await begin()).steps.length);
        await fail();
      }
    }
    expect(lengths).toEqual([4, 5, 6, 7, 7]);
    const next = await link(client, { subject: 'person 1' });
    expect(await next.begin()).toMatchObject({ status: '429', error: 'sessionsFailed' });
    expect(await next.read()).toMatchObject({ state: 'waiting', tries_left: 3 });
  });

  it('waits for no next try once a newer one is made', async () => {
    const client = await newClient(server);
    const former = await link(client, { subject: 'person 1' });
    await former.begin();
    await former.fail();
    await link(client, { subject: 'person 1' });
    expect(await former.begin()).toMatchObject({ status: '419' });
    expect(await former.read()).toMatchObject({ state: 'failed', tries_left: 0 });
  });

  it('of somebody who is suspended between two tries is as unknown as one of somebody who never was', async () => {
    const client = await newClient(server);
    const user = { user_id: 'ani', facegallery_id: client.gallery };
    await client.enrol('ani', await film.frame('face front', 0));
    const { begin, fail, read } = await link(client, user);
    await begin();
    await fail();
    await client.call(endpoints.suspendPerson, user);
    for (const call of [read, begin]) expect(await call()).toMatchObject({ error: 'tokenUnknown' });
  });
});

describe('frames of a try', () => {
  it('are found in the next one, and in that after it; others pass', async () => {
    const client = await newClient(server);
    const { begin, submit } = await link(client);
    const first = await begin();
    const frames = await film.frames(first.steps);
    // Somebody who does one step wrong.
    const front = await film.frame('face front', 2);
    const wrong = frames.map((frame, at) => (at === 1 ? { ...frame, image: front } : frame));
    const { liveness, reasons } = await submit(wrong);
    expect([liveness, reasons.map((text: string) => text.split(':')[0])]).toEqual(['failed', ['step']]);
    const { steps } = await begin();
    const again = await submit(await film.frames(steps));
    expect(again).toMatchObject({ liveness: 'failed', reasons: [expect.stringContaining('replay')] });
    const last = await begin();
    // That a replay was found does not make the frames forgotten.
    const both = await submit(await film.frames(last.steps));
    expect(both).toMatchObject({ liveness: 'failed', reasons: [expect.stringContaining('replay')] });
    const other = await link(client);
    const challenge = await other.begin();
    expect(await other.submit(await film.frames(challenge.steps, 4))).toMatchObject({ liveness: 'passed' });
  });

  it('that were sent early are not held for the next one', async () => {
    const client = await newClient(server);
    const { begin, call, fail, submit } = await link(client);
    const { steps } = await begin();
    const image = await film.frame(steps[0], 0);
    const { digest } = await call(sendLivenessFrame, { image });
    await fail();
    // The page shows where the face is before the next one begins.
    expect(await call(hintLivenessFrame, { image })).toMatchObject({ faces: [expect.anything()] });
    await begin();
    expect(await submit([{ step: 'face front', digest }])).toMatchObject({ error: 'frameNotHeld' });
  });
});
