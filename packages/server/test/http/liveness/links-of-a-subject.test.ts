import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { filmOf } from '../../support/film.ts';
import { newClient } from '../../support/liveness-sessions.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const { createLivenessSession, beginLivenessSession, getLivenessSession, submitLivenessSession } = endpoints;

const film = await filmOf('ani');
const server = await startTestApp(
  { WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' },
  { limits: { opening: { failures: 3 } } },
);
const ended = { status: '420', error: 'sessionEnded', detail: expect.stringContaining('newer') };

const create = async (client: TestClient, fields: object) =>
  (await client.call(createLivenessSession, { steps: 2, ...fields })).body;

/** A link, and the calls of its page. */
async function link(client: TestClient, fields: object = {}) {
  const { session_id, url } = await create(client, { hosted: true, subject: 'person 1', ...fields });
  const secret = new URL(url).hash.split('.')[1]!;
  const call = async (endpoint: Endpoint, more: object = {}) =>
    (await server.call(secret, endpoint, { session_id, ...more })).body;
  return {
    session_id,
    begin: () => call(beginLivenessSession),
    state: async () => (await call(getLivenessSession)).state,
    /** Frames that do not pass. */
    fail: () => call(submitLivenessSession, { frames: [{ step: 'face up', image: 'AAAA' }] }),
    perform: async (steps: readonly string[]) =>
      call(submitLivenessSession, { frames: await film.frames(steps) }),
  };
}

describe('links of one subject', () => {
  it('that begin one after another, before one is submitted, are as many tries: each has its own time, and they pause', async () => {
    const client = await newClient(server);
    const links = [];
    const begun = [];
    for (let i = 0; i < 12; i++) {
      const made = await link(client);
      links.push(made);
      begun.push(await made.begin());
    }
    expect(begun.slice(0, 3).map(({ steps }) => steps.length)).toEqual([4, 5, 6]);
    for (const { expires_in } of begun.slice(0, 3)) expect(expires_in).toBeGreaterThan(298);
    for (const answer of begun.slice(3)) expect(answer).toMatchObject({ error: 'sessionsFailed' });
    const judged = await Promise.all(links.map(({ fail }) => fail()));
    for (const answer of judged.slice(0, -1)) expect(answer).toMatchObject(ended);
    expect(await links[0]!.state()).toBe('ended');
  });

  it('that wait are ended by a newer one, also by concurrent calls, and only that one begins', async () => {
    const client = await newClient(server);
    const links = await Promise.all(Array.from({ length: 12 }, () => link(client)));
    const begun = await Promise.all(links.map(({ begin }) => begin()));
    expect(begun.filter(({ status }) => status === '200')).toHaveLength(1);
    for (const answer of begun) if (answer.status !== '200') expect(answer).toMatchObject(ended);
  });

  it('count as sessions without a page do: failures make the challenge longer, and pause', async () => {
    const client = await newClient(server);
    const lengths: number[] = [];
    for (let i = 0; i < 3; i++) {
      const made = await link(client);
      lengths.push((await made.begin()).steps.length);
      expect(await made.fail()).toMatchObject({ liveness: 'failed' });
    }
    expect(lengths).toEqual([4, 5, 6]);
    expect(await (await link(client)).begin()).toMatchObject({ status: '429', error: 'sessionsFailed' });
    expect(await create(client, { subject: 'person 1' })).toMatchObject({ error: 'sessionsFailed' });
    expect((await (await link(client, { subject: 'person 2' })).begin()).steps).toHaveLength(4);
  });

  it('count once they begin: a person whose link was lost in the middle has the whole time again', async () => {
    const client = await newClient(server);
    await (await link(client)).begin();
    for (let i = 0; i < 9; i++) await link(client);
    const last = await link(client);
    const { steps, expires_at, expires_in } = await last.begin();
    expect(steps).toHaveLength(5);
    expect(expires_in).toBeGreaterThan(298);
    expect(await last.begin()).toMatchObject({ steps, expires_at });
    expect(await last.perform(steps)).toMatchObject({ liveness: 'passed' });
  });

  it('begin once, also by concurrent calls', async () => {
    const client = await newClient(server);
    const made = await link(client);
    const begun = await Promise.all(Array.from({ length: 6 }, () => made.begin()));
    expect(new Set(begun.map(({ steps }) => steps.join())).size).toBe(1);
    expect(new Set(begun.map(({ expires_at }) => expires_at)).size).toBe(1);
  });

  it('end also sessions without a page, which go on while no link is made', async () => {
    const client = await newClient(server);
    const own = await create(client, { subject: 'person 1' });
    const frames = [{ step: 'face up', image: 'AAAA' }];
    const submit = async ({ session_id }: { session_id: string }) =>
      (await client.call(submitLivenessSession, { session_id, frames })).body;
    const made = await link(client);
    expect(await submit(own)).toMatchObject(ended);
    expect((await made.begin()).steps).toHaveLength(own.steps.length + 1);
    // The backend that asks for a session of the subject gets that of the link: one try.
    expect(await create(client, { subject: 'person 1' })).toMatchObject({ session_id: made.session_id });

    const waiting = await create(client, { subject: 'person 2', wait: true });
    const newer = await create(client, { subject: 'person 2', wait: true });
    const begin = async ({ session_id }: { session_id: string }) =>
      (await client.call(beginLivenessSession, { session_id })).body;
    expect(await begin(waiting)).toMatchObject(ended);
    expect((await begin(newer)).steps).toHaveLength(4);
  });

  it('of other galleries, subjects and clients go on', async () => {
    const client = await newClient(server);
    await client.enrol('ani', await film.frame('face front', 0));
    await client.call(endpoints.createGallery, { facegallery_id: 'other' });
    await client.enrol('ani', await film.frame('face front', 0), { facegallery_id: 'other' });
    const of = (facegallery_id: string) =>
      link(client, { subject: undefined, user_id: 'ani', facegallery_id });
    const links = [
      await of(client.gallery),
      await of('other'),
      await link(client),
      await link(await server.client()),
      await link(client, { subject: undefined }),
      await link(client, { subject: undefined }),
    ];
    for (const { begin } of links) expect((await begin()).status).toBe('200');
    // With a subject, the person is the same in both galleries.
    const here = await link(client, { user_id: 'ani', facegallery_id: client.gallery });
    await link(client, { user_id: 'ani', facegallery_id: 'other' });
    expect(await here.begin()).toMatchObject(ended);
  });
});

it('a link of somebody who is suspended is as unknown as one of somebody who is erased, and tells nobody which', async () => {
  const client = await newClient(server);
  const picture = await film.frame('face front', 0);
  const unknown = { status: '401', error: 'tokenUnknown' };
  for (const endpoint of [endpoints.suspendPerson, endpoints.deleteFace]) {
    for (const user_id of ['ani', 'budi']) await client.enrol(user_id, picture, { replace: true });
    const of = (user_id: string) =>
      link(client, { user_id, facegallery_id: client.gallery, subject: undefined });
    const [waiting, begun, other] = [await of('ani'), await of('ani'), await of('budi')];
    await begun.begin();
    const where = { facegallery_id: client.gallery, user_id: 'ani' };
    expect((await client.call(endpoint, where)).http).toBe(200);
    for (const { begin, state, fail, session_id } of [waiting, begun]) {
      expect([await begin(), await fail()]).toMatchObject([unknown, unknown]);
      expect(await state()).toBeUndefined();
      const { body } = await client.call(getLivenessSession, { session_id });
      expect(body.error).toBe('sessionNotFound');
    }
    expect(await other.state()).toBe('waiting');
    if (endpoint === endpoints.suspendPerson) await client.call(endpoints.resumePerson, where);
  }
});
