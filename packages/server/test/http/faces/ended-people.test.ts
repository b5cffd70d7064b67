import { endpoints } from '@wajah/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOnStore } from '../../support/on-store.ts';
import { storeKinds } from '../../support/postgres.ts';
import { drawPictures, type TestApp, type TestClient } from '../../support/test-app.ts';

const pictures = await drawPictures();
const dayMs = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('a person whose consent or retention has ended, with %s', (kind) => {
  let server: TestApp;
  let client: TestClient;
  let gallery: number;

  beforeAll(async () => {
    ({ server } = await startOnStore(kind));
  });
  beforeEach(async () => {
    client = await server.client();
    await client.enrol('ani', pictures.ani, { consent_reference: 'form 12' });
    await client.enrol('budi', pictures.budi);
    gallery = (await server.context.store.galleries.get(client.id, client.gallery))!.id;
    // In memory, as of a gallery that is searched all the time.
    expect((await identify()).return).toMatchObject([{ user_id: 'ani' }]);
  });

  const past = () => new Date(Date.now() - 1);
  const known = () => ({ user_id: 'ani', facegallery_id: client.gallery });
  const ofGallery = () => ({ facegallery_id: client.gallery });
  const call = async (endpoint: Parameters<TestClient['call']>[0], fields: object) =>
    (await client.call(endpoint, fields)).body;
  const identify = (more: object = {}) =>
    call(endpoints.identifyFace, { ...ofGallery(), image: pictures.aniAgain, ...more });

  /** What the passing of time does: nothing is written but the time, and no cache hears of it. */
  const ways = {
    consent: async () => {
      const consent = { reference: 'form 12', purpose: null, givenAt: past(), until: past() };
      await server.context.store.people.update(gallery, 'ani', { consent });
    },
    'own retention': async () => {
      await server.context.store.people.update(gallery, 'ani', { expiresAt: past() });
    },
  };

  it.each(Object.entries(ways))('is recognised by nothing: %s', async (_, end) => {
    await end();
    expect(await identify()).toMatchObject({ status: '411', return: [] });
    expect(JSON.stringify(await identify({ top_k: 5, below_threshold: true }))).not.toContain('"ani"');
    const image = pictures.ani;
    const unknown = { status: '415' };
    expect(await call(endpoints.verifyFace, { ...known(), image })).toMatchObject(unknown);
    const face_parameters = { eyes: 'open', spoof_detection: false };
    const single = { ...known(), image, face_parameters };
    expect(await call(endpoints.verifyLiveness, single)).toMatchObject(unknown);
    const batch = [{ image, face_parameter: 'front', spoof_detection: false }];
    expect(await call(endpoints.verifyLivenessBatch, { ...known(), batch })).toMatchObject(unknown);
    expect(await call(endpoints.createLivenessSession, known())).toMatchObject(unknown);
    expect(await call(endpoints.describeFace, known())).toMatchObject(unknown);
    const terms = { ...known(), retention_days: 5 };
    expect(await call(endpoints.updatePerson, terms)).toMatchObject(unknown);
    const listed = await call(endpoints.listFaces, ofGallery());
    expect(listed.faces.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['budi']);
    // Others are.
    expect(await identify({ image: pictures.budi })).toMatchObject({ return: [{ user_id: 'budi' }] });
    // Until it is erased, what is stored can be asked for.
    expect(await call(endpoints.exportPerson, { user_id: 'ani' })).toMatchObject({ status: '200' });
  });

  it('of a session that was opened before does not pass it', async () => {
    const { session_id, steps } = await call(endpoints.createLivenessSession, known());
    await ways.consent();
    const frames = steps.map((step: string) => ({ step, image: pictures.ani }));
    expect(await call(endpoints.submitLivenessSession, { session_id, frames })).toMatchObject({
      status: '415',
    });
  });

  it('is a duplicate of nobody', async () => {
    await client.enrol('twin', pictures.aniAgain);
    const pairs = async () => (await call(endpoints.findDuplicates, ofGallery())).pairs;
    expect(await pairs()).toHaveLength(1);
    await ways.consent();
    expect(await pairs()).toEqual([]);
    await call(endpoints.deleteFace, { ...known(), user_id: 'twin' });
    const unique = await client.enrol('new', pictures.aniAgain, { check_duplicate: true });
    expect(unique.body).toMatchObject({ status: '200' });
  });

  it('is not appended to: the picture is that of a new enrolment, and the former one is erased', async () => {
    for (const mode of [{ append: true }, { replace: true }, {}]) {
      await ways.consent();
      const { body } = await client.enrol('ani', pictures.aniAgain, mode);
      expect(body).toMatchObject({ status: '200' });
      const { n_picture: count, consent } = await call(endpoints.describeFace, known());
      expect([count, consent]).toEqual([1, null]);
      expect((await identify()).return).toMatchObject([{ user_id: 'ani' }]);
    }
    const records = server.log().match(/"event":"person_expired"/g);
    expect(records?.length).toBeGreaterThanOrEqual(3);
  });

  it('hides nobody who is less similar', async () => {
    await client.enrol('twin', pictures.ani);
    await client.enrol('other', pictures.aniAgain);
    await ways.consent();
    const { return: people } = await identify({ image: pictures.ani, top_k: 2 });
    expect(people.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['twin', 'other']);
  });

  it('by the retention of the gallery, except who has a later end', async () => {
    const { store } = server.context;
    const later = new Date(Date.now() + dayMs);
    await store.people.update(gallery, 'budi', { expiresAt: later });
    const at = new Date(Date.now() + 2 * dayMs);
    await store.galleries.updateSettings(client.id, client.gallery, { retentionDays: 1 });
    expect([...(await store.people.ended(gallery, ['ani', 'budi', 'nobody'], at))].sort()).toEqual([
      'ani',
      'budi',
    ]);
    const soon = new Date(Date.now() + dayMs / 2);
    const names = async (when: Date) =>
      (await store.faces.list(gallery, { at: when })).map(({ userId }) => userId);
    expect(await names(new Date())).toEqual(['ani', 'budi']);
    expect(await names(soon)).toEqual(['ani', 'budi']);
    expect(await names(new Date(later.getTime() + 1))).toEqual([]);
  });
});
