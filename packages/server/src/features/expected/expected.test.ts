import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it, vi } from 'vitest';
import { type Film, filmOf } from '../../../test/support/film.ts';
import { newClient } from '../../../test/support/liveness-sessions.ts';
import { startOnStore } from '../../../test/support/on-store.ts';
import { storeKinds } from '../../../test/support/postgres.ts';
import { face } from '../../../test/support/store.ts';
import { drawPictures, type TestClient } from '../../../test/support/test-app.ts';
import { createExpectedService } from './expected.ts';
import { startLinkEnrolment } from './link-enrolment.ts';
import { createExpectedStore } from './store.ts';

const pictures = await drawPictures();
const ani = await filmOf('ani');

const { setExpected, listExpected, linkExpected, forgetExpected } = endpoints;
const of = (client: TestClient, fields: object = {}) => ({ facegallery_id: client.gallery, ...fields });
const person = (user_id: string, user_name = `name of ${user_id}`) => ({ user_id, user_name });
const set = async (client: TestClient, ids: readonly string[], fields: object = {}) =>
  (await client.call(setExpected, of(client, { people: ids.map((id) => person(id)), ...fields }))).body;
const list = async (client: TestClient, fields: object = {}) =>
  (await client.call(listExpected, of(client, fields))).body;
const link = async (client: TestClient, user_ids: readonly string[], fields: object = {}) =>
  (await client.call(linkExpected, of(client, { user_ids, ...fields }))).body;
const stateOf = async (client: TestClient, { session_id }: { session_id: string }) =>
  (await client.call(endpoints.getLivenessSession, { session_id })).body.state;
const idsOf = ({ people }: { people: readonly { user_id: string }[] }) =>
  people.map(({ user_id }) => user_id);

describe.each(storeKinds)('expected people on %s', async (kind) => {
  const { server } = await startOnStore(kind, {
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
    WAJAH_PUBLIC_URL: 'https://wajah.example/',
  });
  const store = server.context.store.part('test', createExpectedStore);
  const { rows } = server.context.store.part('test rows', (db) => ({
    rows: (table: string) => db.all<object>(`SELECT * FROM ${table}`),
  }));

  /** Does the steps of a link on its page. */
  async function pass({ url, session_id }: { url: string; session_id: string }, film: Film) {
    const secret = new URL(url).hash.split('.')[1]!;
    const page = async (endpoint: Endpoint, more: object = {}) =>
      (await server.call(secret, endpoint, { session_id, ...more })).body;
    const { steps } = await page(endpoints.beginLivenessSession);
    return page(endpoints.submitLivenessSession, { frames: await film.frames(steps) });
  }

  /** The person of a list once something has become of the link. */
  async function settled(client: TestClient, user_id: string) {
    return vi.waitFor(async () => {
      const found = (await list(client)).people.find((one: { user_id: string }) => one.user_id === user_id);
      expect(found.enrolled || found.link.failed !== null).toBe(true);
      return found;
    }, 60_000);
  }

  it('are listed by pages with who has a face, and those who have none alone', async () => {
    const client = await server.client();
    await client.enrol('b', pictures.ani);
    expect(await list(client)).toMatchObject({ n_expected: 0, n_missing: 0, people: [] });
    expect(await set(client, ['c', 'a', 'b'])).toMatchObject({ n_expected: 3, n_missing: 2 });
    const page = await list(client, { limit: 2 });
    expect(page).toMatchObject({ n_expected: 3, n_missing: 2 });
    expect(page.people).toEqual([
      { ...person('a'), enrolled: false, link: null },
      { ...person('b'), enrolled: true, link: null },
    ]);
    const next = await list(client, { limit: 2, cursor: page.next_cursor });
    expect([idsOf(next), next.next_cursor]).toEqual([['c'], undefined]);
    expect(idsOf(await list(client, { missing: true }))).toEqual(['a', 'c']);
    expect(await list(client, { cursor: 'x' })).toMatchObject({ status: '400' });
  });

  it('are replaced by a list, and more by another call', async () => {
    const client = await server.client();
    await set(client, ['a', 'b']);
    expect(await set(client, ['b', 'c'], { add: true })).toMatchObject({ n_expected: 3 });
    const people = [person('b', 'another name')];
    await client.call(setExpected, of(client, { people, add: true }));
    expect((await list(client)).people[1]).toMatchObject(person('b', 'another name'));
    expect(await set(client, ['d'])).toMatchObject({ n_expected: 1, n_missing: 1 });
    const { id } = (await server.context.store.galleries.get(client.id, client.gallery))!;
    expect(await store.set(id, [{ userId: 'e', userName: 'e' }], true, 1)).toBe(2);
    expect(idsOf(await list(client))).toEqual(['d']);
  });

  it('are 500 in a call, each once, with an ID and a name', async () => {
    const client = await server.client();
    const many = Array.from({ length: 501 }, (_, at) => `user ${at}`);
    expect(await set(client, many.slice(1))).toMatchObject({ status: '200', n_expected: 500 });
    expect(await set(client, many)).toMatchObject({ status: '400' });
    expect(await set(client, ['a', 'b', 'a'])).toMatchObject({ status: '400', error: 'expectedTwice' });
    const nameless = await client.call(setExpected, of(client, { people: [{ user_id: 'a' }] }));
    expect([nameless.body.status, nameless.body.detail]).toEqual(['400', expect.stringMatching(/user_name/)]);
    expect(await list(client)).toMatchObject({ n_expected: 500 });
  });

  it('enrol themselves by a link, with the frame of the session that they pass', async () => {
    const client = await newClient(server);
    await client.call(endpoints.updateGallery, of(client, { require_liveness: true }));
    await set(client, ['ani', 'budi']);
    const { links } = await link(client, ['ani', 'budi']);
    expect(links).toMatchObject([{ user_id: 'ani' }, { user_id: 'budi' }]);
    expect(links[0].url).toMatch(/^https:\/\/wajah\.example\/liveness#/);
    expect(links[0].qr).toMatch(/^<svg /);
    expect(Date.parse(links[0].expires_at) - Date.now()).toBeGreaterThan(86_300_000);
    expect((await list(client)).people[0].link).toEqual({
      expires_at: links[0].expires_at,
      failed: null,
      failed_tries: 0,
    });
    expect(await pass(links[0], ani)).toMatchObject({ liveness: 'passed' });
    expect(await settled(client, 'ani')).toMatchObject({ ...person('ani'), enrolled: true });
    await vi.waitFor(async () => expect((await list(client)).people[0].link).toBeNull());
    expect(await list(client)).toMatchObject({ n_expected: 2, n_missing: 1 });
    await client.call(endpoints.updateGallery, of(client, { require_liveness: false }));
    const probe = of(client, { user_id: 'ani', image: pictures.aniAgain });
    expect((await client.call(endpoints.verifyFace, probe)).body).toMatchObject({ verified: true });
    // Whoever has a face gets no link.
    expect((await link(client, ['ani', 'budi'])).links).toHaveLength(1);
  });

  it('are not enrolled with the face of somebody else of the gallery, nor by a former link', async () => {
    const client = await newClient(server);
    await client.enrol('ani', pictures.ani);
    await set(client, ['citra', 'dewi']);
    const [first, other] = (await link(client, ['citra', 'dewi'])).links;
    const { links } = await link(client, ['citra']);
    expect(await stateOf(client, first)).toBe('ended');
    await pass(links[0], ani);
    expect(await settled(client, 'citra')).toMatchObject({
      enrolled: false,
      link: { failed: 'faceEnrolled' },
    });
    // Another list ends the links of whoever is not on it.
    await set(client, ['citra']);
    expect(await stateOf(client, other)).toBe('ended');
    await set(client, ['dewi'], { add: true });
    expect((await list(client)).people[1]).toEqual({ ...person('dewi'), enrolled: false, link: null });
    const records = await server.context.store.audit.list({ clientId: client.id, limit: 50 });
    const told = records.map(({ event }) => event);
    expect(told).toEqual(expect.arrayContaining(['expected_set', 'expected_linked', 'expected_refused']));
    expect(JSON.stringify(records)).not.toContain('citra');
  });

  it('have sessions that no program finds or ends by naming the person', async () => {
    const client = await newClient(server);
    await set(client, ['ani']);
    const { links } = await link(client, ['ani']);
    const secret = new URL(links[0].url).hash.split('.')[1]!;
    const { session_id } = links[0];
    await server.call(secret, endpoints.beginLivenessSession, { session_id });
    for (const fields of [{}, { hosted: true }, { wait: true }]) {
      const named = { subject: 'ani', ...fields };
      const { body } = await client.call(endpoints.createLivenessSession, named);
      expect([body.status, body.session_id === session_id]).toEqual(['200', false]);
      expect(await stateOf(client, links[0])).toBe('open');
    }
    const erased = await client.call(endpoints.erasePerson, { user_id: 'ani' });
    expect(erased.body.status).toBe('200');
    expect(await stateOf(client, links[0])).toBeUndefined();
  });

  it('are told to have failed after the last try, and get another link', async () => {
    const client = await newClient(server);
    await set(client, ['ani']);
    const { links } = await link(client, ['ani']);
    const still = (steps: readonly string[]) => steps.map((step) => ({ step, image: pictures.ani }));
    const wrong = { frames: async (steps: readonly string[]) => still(steps) } as Film;
    for (const tries of [1, 2, 3]) {
      const before = { failed: null, failed_tries: tries - 1 };
      expect((await list(client)).people[0].link, `before try ${tries}`).toMatchObject(before);
      await server.forgetFrames();
      expect(await pass(links[0], wrong)).toMatchObject({ liveness: 'failed' });
    }
    expect(await settled(client, 'ani')).toMatchObject({
      link: { failed: 'liveness', failed_tries: 3 },
    });
    await link(client, ['ani']);
    const renewed = { failed: null, failed_tries: 0 };
    expect((await list(client)).people[0].link).toMatchObject(renewed);
  });

  it('are not told to have failed a try that has begun', async () => {
    const client = await newClient(server);
    await set(client, ['ani']);
    const [{ url, session_id }] = (await link(client, ['ani'])).links;
    const secret = new URL(url).hash.split('.')[1]!;
    await server.call(secret, endpoints.beginLivenessSession, { session_id });
    expect((await list(client)).people[0].link).toMatchObject({ failed: null, failed_tries: 0 });
  });

  /** What the page of a link is answered when it asks, and when it begins. */
  async function opened({ url, session_id }: { url: string; session_id: string }) {
    const secret = new URL(url).hash.split('.')[1]!;
    const asked = await server.call(secret, endpoints.getLivenessSession, { session_id });
    const begun = await server.call(secret, endpoints.beginLivenessSession, { session_id });
    return [asked.body.state, begun.body.status, begun.body.error];
  }
  const isOver = ['ended', '420', 'sessionEnded'];

  it('have links that end with the gallery, also where another one has its name', async () => {
    const client = await newClient(server);
    await set(client, ['ani', 'budi']);
    const [waiting, begun] = (await link(client, ['ani', 'budi'])).links;
    expect((await opened(begun)).slice(0, 2)).toEqual(['waiting', '200']);
    const other = await server.client();
    await set(other, ['ani']);
    const [ofOther] = (await link(other, ['ani'])).links;
    await client.call(endpoints.deleteGallery, of(client));
    expect(await opened(waiting)).toEqual(isOver);
    await client.call(endpoints.createGallery, of(client));
    expect([await opened(waiting), await opened(begun)]).toEqual([isOver, isOver]);
    expect((await opened(ofOther))[0]).toBe('waiting');
  });

  it('have a link that ends once they are enrolled without it', async () => {
    const client = await newClient(server);
    await client.call(endpoints.createGallery, { facegallery_id: 'another' });
    const another = { ...client, gallery: 'another' };
    await set(client, ['ani', 'budi', 'citra']);
    await set(another, ['ani']);
    const [waiting, begun, ofCitra] = (await link(client, ['ani', 'budi', 'citra'])).links;
    expect((await opened(begun)).slice(0, 2)).toEqual(['waiting', '200']);
    await client.enrol('ani', pictures.ani);
    await client.enrol('budi', pictures.budi);
    expect([await opened(waiting), await opened(begun)]).toEqual([isOver, isOver]);
    expect((await opened(ofCitra))[0]).toBe('waiting');
    expect(await list(client)).toMatchObject({ n_missing: 1 });
    // In another gallery the person has no face yet.
    const [ofAnother] = (await link(another, ['ani'])).links;
    await client.call(endpoints.deleteFace, of(client, { user_id: 'ani' }));
    await client.enrol('ani', pictures.ani);
    expect((await opened(ofAnother)).slice(0, 2)).toEqual(['waiting', '200']);
  });

  it('are not told to have passed a link that ended while it was judged', async () => {
    const client = await newClient(server);
    await set(client, ['ani']);
    const [made] = (await link(client, ['ani'])).links;
    const { sessions } = server.context.store;
    const claiming = vi.spyOn(sessions, 'claim').mockImplementationOnce(async (...session) => {
      claiming.mockRestore();
      const claimed = await sessions.claim(...session);
      await client.enrol('ani', pictures.ani);
      return claimed;
    });
    expect(await pass(made, ani)).toMatchObject({ status: '420', error: 'sessionEnded' });
    expect(await opened(made)).toEqual(isOver);
    const records = await server.context.store.audit.list({ clientId: client.id, limit: 50 });
    expect(records.map(({ event }) => event)).not.toContain('liveness_judged');
  });

  it('have no link that waits when they are enrolled while it is made', async () => {
    const client = await newClient(server);
    const ids = Array.from({ length: 20 }, (_, at) => `user ${at}`);
    await set(client, ids);
    const { id } = (await server.context.store.galleries.get(client.id, client.gallery))!;
    const { links } = await link(client, ids);
    const states = links.map(async ({ session_id }: { session_id: string }) => {
      const made = (await store.linkOf(session_id))!;
      await store.settle(made, null);
      await Promise.all([
        server.context.store.faces.put(id, face(made.userId), false),
        store.putLink(id, made),
      ]);
      return stateOf(client, { session_id });
    });
    expect(await Promise.all(states)).toEqual(ids.map(() => 'ended'));
  });

  it('get no link without a consent that the gallery requires, and are enrolled with it', async () => {
    const client = await newClient(server);
    await client.call(endpoints.updateGallery, of(client, { require_consent: true }));
    await set(client, ['ani']);
    expect(await link(client, ['ani'])).toMatchObject({ status: '423' });
    expect(await link(client, ['ani'], { consent_purpose: 'entry' })).toMatchObject({ status: '400' });
    const given = { consent_reference: 'form 7', consent_purpose: 'entry' };
    await pass((await link(client, ['ani'], given)).links[0], ani);
    expect(await settled(client, 'ani')).toMatchObject({ enrolled: true });
    const { body } = await client.call(endpoints.describeFace, of(client, { user_id: 'ani' }));
    expect(body.consent).toMatchObject({ reference: 'form 7', purpose: 'entry', until: null });
  });

  it('get no link who are on no list, of no other client', async () => {
    const [client, other] = [await server.client(), await server.client()];
    await set(client, ['ani']);
    expect(await link(client, ['ani', 'budi'])).toMatchObject({ status: '415', error: 'expectedNotFound' });
    expect(await link(other, ['ani'])).toMatchObject({ status: '415' });
    expect((await list(client)).people[0].link).toBeNull();
    const foreign = await other.call(listExpected, of(client));
    expect(foreign.body.error).toBe('galleryNotFound');
  });

  /** Makes links by the service, with some of its parts. @returns whose */
  async function linked(
    client: TestClient,
    userIds: readonly string[],
    others: Partial<Parameters<typeof createExpectedService>[0]>,
  ) {
    const service = createExpectedService({ ...server.context.parts, expected: store, ...others });
    const caller = { clientId: client.id, trxId: 't', signal: new AbortController().signal };
    const links = await service.link(caller, { facegalleryId: client.gallery, userIds: [...userIds] });
    return links.map(({ userId }) => userId);
  }

  /** Sessions that do something else as soon as one is open. @param next is given how many are */
  function interrupted(next: (count: number) => Promise<unknown>) {
    const { livenessSessions } = server.context.parts;
    const opened: string[] = [];
    const open: typeof livenessSessions.open = async (...session) => {
      const made = await livenessSessions.open(...session);
      await next(opened.push(made.sessionId));
      return made;
    };
    return { opened, livenessSessions: { ...livenessSessions, open } };
  }

  it('get links each alone: who is enrolled meanwhile, or leaves the list, gets none', async () => {
    const client = await newClient(server);
    const ids = ['a', 'b', 'c'];
    await set(client, ids);
    const find: typeof store.find = async (...of) => {
      const people = await store.find(...of);
      await client.enrol('b', pictures.ani);
      return people;
    };
    expect(await linked(client, ids, { expected: { ...store, find } })).toEqual(['a', 'c']);
    await client.call(endpoints.deleteFace, of(client, { user_id: 'b' }));
    await set(client, ids);
    const { opened, livenessSessions } = interrupted(async (count) => {
      if (count === 1) await client.enrol('a', pictures.ani);
      if (count === 2) await set(client, ['a', 'c']);
    });
    expect(await linked(client, ids, { livenessSessions })).toEqual(['c']);
    const states = opened.map((session_id) => stateOf(client, { session_id }));
    expect(await Promise.all(states)).toEqual(['ended', 'ended', 'waiting']);
  });

  it('have one link each, that of the newest session, however calls are interleaved', async () => {
    const client = await newClient(server);
    const ids = ['a', 'b', 'c'];
    await set(client, ids);
    const requireNewest = async (sessions: readonly string[], userId: string) => {
      const states = await Promise.all(sessions.map((session_id) => stateOf(client, { session_id })));
      expect(states.filter((state) => state !== 'ended')).toEqual(['waiting']);
      const found = await store.linkOf(sessions[states.indexOf('waiting')]!);
      expect(found).toMatchObject({ userId });
    };
    const calls = await Promise.all(Array.from({ length: 6 }, () => link(client, ids)));
    expect(calls.map(({ status, links }) => [status, links.length])).toEqual(calls.map(() => ['200', 3]));
    for (const [at, userId] of ids.entries())
      await requireNewest(
        calls.map(({ links }) => links[at].session_id),
        userId,
      );
    let other: string | undefined;
    const { opened, livenessSessions } = interrupted(async () => {
      other = (await link(client, ['a'])).links[0].session_id;
    });
    expect(await linked(client, ['a'], { livenessSessions })).toEqual(['a']);
    await requireNewest([...opened, other!], 'a');
  });

  it('are enrolled also when the server ended before they were', async () => {
    const client = await newClient(server);
    await set(client, ['ani']);
    const { links } = await link(client, ['ani']);
    const { id } = (await server.context.store.galleries.get(client.id, client.gallery))!;
    const made = (await store.linkOf(links[0].session_id))!;
    // As if the program had ended: the session is of no link while it passes.
    await store.settle(made, null);
    await pass(links[0], ani);
    await store.putLink(id, made);
    const log = { warn: () => undefined };
    const resumed = startLinkEnrolment({ ...server.context.parts, expected: store, log });
    expect(await settled(client, 'ani')).toMatchObject({ enrolled: true });
    await resumed.stop();
  });

  it('are forgotten by a call, with their gallery, and when all have a face', async () => {
    const client = await server.client();
    await set(client, ['ani', 'budi']);
    const [made] = (await link(client, ['ani'])).links;
    const forgotten = await client.call(forgetExpected, of(client));
    expect(forgotten.body.status).toBe('200');
    expect(await stateOf(client, made)).toBe('ended');
    expect(await list(client)).toMatchObject({ n_expected: 0, people: [] });
    await set(client, ['ani']);
    await store.prune();
    expect(await list(client)).toMatchObject({ n_expected: 1 });
    await client.enrol('ani', pictures.ani);
    await store.prune();
    expect(await list(client)).toMatchObject({ n_expected: 0 });
    await set(client, ['last one']);
    await client.call(endpoints.deleteGallery, of(client));
    for (const table of ['expected_people', 'expected_links'])
      await vi.waitFor(async () => expect(JSON.stringify(await rows(table))).not.toContain('last one'));
  });

  it('are exported and erased with the person, with a face or without', async () => {
    const client = await server.client();
    await set(client, ['ani', 'budi']);
    await link(client, ['budi']);
    const exported = (await client.call(endpoints.exportPerson, { user_id: 'budi' })).body;
    expect(exported.expected).toEqual([
      { facegallery_id: client.gallery, user_name: 'name of budi', link_expires_at: expect.any(String) },
    ]);
    const erased = (await client.call(endpoints.erasePerson, { user_id: 'budi' })).body;
    expect(erased).toMatchObject({ status: '200', expected: 1 });
    await client.enrol('ani', pictures.ani);
    await client.call(endpoints.deleteFace, of(client, { user_id: 'ani' }));
    expect(await list(client)).toMatchObject({ n_expected: 0, people: [] });
    const { categories } = (await client.call(endpoints.getProcessingRecords, {})).body;
    const kept = categories.filter(({ data }: { data: string }) => data.includes('expected people'));
    expect(kept).toMatchObject([{ kept: true }]);
  });
});
