import type { RequestOf } from '@wajah/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';
import type { Caller } from '../caller.ts';

let acme: Caller;
let enrol: (input: Partial<RequestOf<'enrolFace'>>) => Promise<unknown>;
let userIds: () => Promise<string[]>;
let client = 0;

const stand = await openStand();
const ani = await base64(drawnFace({ person: 'ani' }));
const budi = await base64(drawnFace({ person: 'budi' }));

/** Each test has a client of its own. */
beforeEach(async () => {
  acme = stand.caller(`client-${++client}`);
  const facegalleryId = `${acme.clientId}@trial`;
  await stand.services.clients.register(acme);
  enrol = (input) => stand.enrol(acme, 'u1', 'Ani', ani, input);
  userIds = async () => {
    const page = { facegalleryId, limit: undefined, cursor: undefined };
    return (await stand.services.faces.list(acme, page)).first.map(({ userId }) => userId);
  };
});

const refused = (status: string, detail: string) =>
  expect.objectContaining({ status, detail: expect.stringContaining(detail) });
const fulfilled = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;

describe('before the picture is analysed', () => {
  const noPicture = { image: '*' };

  it('an unknown gallery is refused', async () => {
    await expect(enrol({ facegalleryId: 'nowhere', ...noPicture })).rejects.toEqual(
      refused('galleryNotFound', 'facegallery_id'),
    );
  });

  it('a user who has a face is refused, unless it is replaced', async () => {
    await enrol({});
    await expect(enrol(noPicture)).rejects.toEqual(refused('userExists', 'replace_same'));
    await expect(enrol({ ...noPicture, replace: true })).rejects.toEqual(refused('imageBase64', 'image'));
  });

  it('a used-up quota is refused with its name', async () => {
    await stand.deps.store.clients.setQuota(acme.clientId, { faces: 0 });
    await expect(enrol(noPicture)).rejects.toEqual(refused('denied', 'n_face'));
  });
});

describe('duplicates', () => {
  it('are refused with the other user, and only when they are checked', async () => {
    await enrol({ userId: 'first' });
    await expect(enrol({ userId: 'second', checkDuplicate: true })).rejects.toMatchObject({
      status: 'userExists',
      detail: expect.stringMatching(
        /looks like that of user_id "first" \(similarity 1\.0000, threshold 0\.\d{4}\)/,
      ),
      fields: { status_message: 'face already enrolled', duplicate_user_id: 'first', similarity: 1 },
    });
    await enrol({ userId: 'second' });
    await enrol({ userId: 'third', image: budi, checkDuplicate: true });
    expect(await userIds()).toEqual(['first', 'second', 'third']);
  });

  it('do not include the face that is replaced', async () => {
    await enrol({ userId: 'first' });
    await enrol({ userId: 'first', replace: true, checkDuplicate: true });
  });

  it('of one face under many users: one of the concurrent calls succeeds', async () => {
    const calls = Array.from({ length: 8 }, (_, i) => enrol({ userId: `u${i}`, checkDuplicate: true }));
    expect(fulfilled(await Promise.allSettled(calls))).toBe(1);
    expect(await userIds()).toHaveLength(1);
  });
});

describe('at once', () => {
  it('after replacements every search finds the last face written', async () => {
    await enrol({});
    const images = [ani, budi, ani, budi, ani, budi];
    await Promise.all(images.map((image) => enrol({ image, replace: true })));
    const facegalleryId = `${acme.clientId}@trial`;
    const { similarity } = await stand.services.recognition.verify(acme, {
      facegalleryId,
      userId: 'u1',
      image: budi,
    });
    const expected = similarity === 1 ? budi : ani;
    const { people } = await stand.services.recognition.identify(acme, {
      facegalleryId,
      image: expected,
      topK: 1,
    });
    expect(people[0]).toMatchObject({ userId: 'u1', confidence: 1 });
  });

  it('an enrolment into a gallery that is removed meanwhile leaves nothing', async () => {
    const facegalleryId = `${acme.clientId}@trial`;
    const enrolling = enrol({});
    const [outcome] = await Promise.allSettled([
      enrolling,
      stand.services.galleries.remove(acme, { facegalleryId }),
    ]);
    if (outcome?.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 'galleryNotFound' });
    await expect(userIds()).rejects.toMatchObject({ status: 'galleryNotFound' });
  });
});
