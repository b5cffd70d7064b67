import { endpoints } from '@wajah/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../support/requests.ts';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);

describe('a picture that is appended to a person', () => {
  let client: TestClient;
  const ofAni = () => ({ user_id: 'ani', facegallery_id: client.gallery });
  const append = async (image: string, fields: object = {}) =>
    (await client.enrol('ani', image, { append: true, ...fields })).body;
  const describeAni = async () => {
    const { refusals } = (await client.call(endpoints.listRefusals, ofAni())).body;
    return { ...(await client.call(endpoints.describeFace, ofAni())).body, refusals };
  };
  const lastEnrolment = async () => {
    await server.context.events.settled();
    const filter = { clientId: client.id, event: 'face_enrolled', limit: 1 };
    return (await server.context.store.audit.list(filter))[0]?.facts;
  };

  beforeAll(async () => {
    client = await server.client();
  });

  it('is the first one: there is nothing to compare it with', async () => {
    const first = await append(pictures.ani);
    expect(first).toEqual({ status: '200', status_message: 'Success' });
    expect(await lastEnrolment()).toMatchObject({ appended: false });
  });

  it('is answered with its similarity to the most similar picture, and the threshold', async () => {
    const again = await append(pictures.aniAgain);
    const verified = await client.call(endpoints.compareImages, {
      source_image: pictures.ani,
      target_image: pictures.aniAgain,
    });
    expect(again).toMatchObject({ status: '200', threshold: verified.body.threshold });
    expect(again.similarity).toBeGreaterThanOrEqual(again.threshold);
    expect(again).not.toHaveProperty('same_picture');
    expect(await lastEnrolment()).toMatchObject({ appended: true, differs: false });
    expect(await describeAni()).toMatchObject({ n_picture: 2, refusals: [] });
  });

  it('that the person has already is named, and counts once; its consent holds', async () => {
    const again = { append: true, consent_reference: 'form 7' };
    expect(await append(pictures.aniAgain, again)).toMatchObject({ same_picture: true, similarity: 1 });
    expect(await append(pictures.aniAgain, { force_register: true })).toMatchObject({ same_picture: true });
    expect(await describeAni()).toMatchObject({ n_picture: 2, consent: { reference: 'form 7' } });
  });

  it('leaves the person the name', async () => {
    const { user_name } = await describeAni();
    await append(pictures.aniAgain, { user_name: 'Budi' });
    const third = await base64(drawnFace({ person: 'ani', tilt: -5 }));
    expect(await append(third, { user_name: 'Budi' })).not.toHaveProperty('same_picture');
    expect(await describeAni()).toMatchObject({ user_name, n_picture: 3 });
  });

  it('of somebody else is refused with both figures; nothing is stored, and nothing stands in the history', async () => {
    const refused = await append(pictures.budi);
    expect(refused).toMatchObject({
      status: '411',
      error: 'appendedDiffers',
      detail: expect.stringMatching(
        /^append: .* similarity of 0\.\d{4} at best, the threshold is 0\.6250; nothing was stored; .*force_register: true/,
      ),
      threshold: 0.625,
    });
    expect(refused.similarity).toBeLessThan(refused.threshold);
    expect(refused.params).toMatchObject({ similarity: refused.similarity, threshold: refused.threshold });
    expect(await describeAni()).toMatchObject({ n_picture: 3, refusals: [] });
    // The client sees its refused call, without the user.
    const { body } = await client.call(endpoints.listRefusals);
    expect(body.refusals[0]).toMatchObject({ error: 'appendedDiffers' });
    expect(body.refusals[0]).not.toHaveProperty('user_id');
    const exported = await client.call(endpoints.exportPerson, { user_id: 'ani' });
    expect(JSON.stringify(exported.body)).not.toContain('appendedDiffers');
  });

  it('is compared at the threshold of the gallery', async () => {
    const { similarity } = await append(pictures.budi);
    await client.call(endpoints.updateGallery, { facegallery_id: client.gallery, threshold: 0.99 });
    expect(await append(pictures.aniAgain, { image: pictures.ani })).toMatchObject({ similarity: 1 });
    expect(await append(pictures.budi)).toMatchObject({ status: '411', threshold: 0.99, similarity });
    await client.call(endpoints.updateGallery, { facegallery_id: client.gallery, threshold: null });
  });

  it('is added all the same with force_register, which the audit trail tells', async () => {
    const forced = await append(pictures.budi, { force_register: true });
    expect(forced).toMatchObject({ status: '200', threshold: 0.625 });
    expect(forced.similarity).toBeLessThan(0.625);
    expect(await lastEnrolment()).toMatchObject({ appended: true, forced: true, differs: true });
    expect(await describeAni()).toMatchObject({ n_picture: 4 });
  });

  it('is compared in turn: of two first pictures sent at once, one is added or refused', async () => {
    const twice = [pictures.ani, pictures.budi].map((image) => client.enrol('both', image, { append: true }));
    const statuses = (await Promise.all(twice)).map(({ body }) => body.status);
    expect(statuses.sort()).toEqual(['200', '411']);
  });
});

it('an appended picture is answered on the scale of the public cloud, without the threshold, to its programs', async () => {
  const cloud = await startTestApp({ WAJAH_COMPAT: 'risetai' });
  const client = await cloud.client();
  const append = async (image: string) => (await client.enrol('ani', image, { append: true })).body.risetai;
  expect(await append(pictures.ani)).toEqual({ status: '200', status_message: 'Success' });
  expect(await append(pictures.ani)).toEqual({ status: '200', status_message: 'Success', similarity: 1 });
  const refused = await append(pictures.budi);
  expect(Object.keys(refused).sort()).toEqual(['similarity', 'status', 'status_message']);
  expect(refused).toMatchObject({ status: '411', similarity: expect.any(Number) });
  expect(refused.similarity).toBeLessThan(0.75);
});
