import type { EnrolRequest } from '@wajah/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64, enrolDefaults } from '../../../test/support/requests.ts';
import { openStand, type Stand } from '../../../test/support/stand.ts';
import type { Caller } from '../caller.ts';

let stand: Stand;
let ani: string;
let budi: string;
let acme: Caller;
let enrol: (input: Partial<EnrolRequest>) => Promise<unknown>;
let userIds: () => Promise<string[]>;
let client = 0;

beforeAll(async () => {
  stand = await openStand();
  ani = await base64(drawnFace({ person: 'ani' }));
  budi = await base64(drawnFace({ person: 'budi' }));
});
afterAll(() => stand.close());

/** Each test has a client of its own. */
beforeEach(async () => {
  acme = stand.caller(`client-${++client}`);
  const facegalleryId = `${acme.clientId}@trial`;
  await stand.services.clients.register(acme);
  enrol = (input) =>
    stand.services.enrolment.enrol(acme, {
      facegalleryId,
      userId: 'u1',
      userName: 'Ani',
      image: ani,
      ...enrolDefaults,
      ...input,
    });
  userIds = async () => {
    const page = { facegalleryId, limit: undefined, cursor: undefined };
    return (await stand.services.enrolment.list(acme, page)).faces.map(({ userId }) => userId);
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

  it('a gallery of another client is refused as unknown', async () => {
    await stand.services.clients.register(stand.caller('other'));
    await expect(enrol({ facegalleryId: 'other@trial', ...noPicture })).rejects.toEqual(
      refused('galleryNotFound', 'facegallery_id'),
    );
  });

  it('a user who has a face is refused, unless it is replaced', async () => {
    await enrol({});
    await expect(enrol(noPicture)).rejects.toEqual(refused('userExists', 'replace: true'));
    await expect(enrol({ ...noPicture, replace: true })).rejects.toEqual(refused('imageBase64', 'image'));
  });

  it('a used-up quota is refused with its name', async () => {
    await stand.deps.store.clients.setQuota(acme.clientId, { faces: 0 });
    await expect(enrol(noPicture)).rejects.toEqual(refused('denied', 'n_face'));
  });
});

describe('the picture', () => {
  it('without a face is refused', async () => {
    const image = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));
    await expect(enrol({ image })).rejects.toEqual(refused('faceNotDetected', 'image: no face'));
    expect(await userIds()).toEqual([]);
  });

  it('with a small face is refused with size and limit, unless it is forced', async () => {
    const image = await base64(drawnFace({ width: 160, height: 200, person: 'ani' }));
    await expect(enrol({ image })).rejects.toMatchObject({
      status: 'faceTooSmall',
      detail: expect.stringMatching(/^image: the face is [4-9]\d px, the minimum is 100 px .*force_register/),
    });
    expect(await userIds()).toEqual([]);
    await enrol({ image, forceRegister: true });
    expect(await userIds()).toEqual(['u1']);
  });

  it('of low quality is refused only when quality is checked; each rule is listed', async () => {
    const image = await base64(drawnFace({ person: 'ani', blur: 6, brightness: 0.25 }));
    await expect(enrol({ image, checkQuality: true })).rejects.toMatchObject({
      status: 'qualityTooLow',
      detail: expect.stringMatching(/brightness [\d.]+ \(limit [\d.]+ /),
    });
    expect(await userIds()).toEqual([]);
    await enrol({ image });
    expect(await userIds()).toEqual(['u1']);
  });

  it('of an unsupported type is refused', async () => {
    const image = Buffer.from('%PDF-1.7 not a picture').toString('base64');
    await expect(enrol({ image })).rejects.toEqual(refused('imageType', 'image: '));
  });
});

describe('replacing', () => {
  it('changes face and name, and does not count against the quota', async () => {
    await stand.deps.store.clients.setQuota(acme.clientId, { faces: 1 });
    await enrol({});
    await enrol({ image: budi, userName: 'Budi', replace: true });
    const facegalleryId = `${acme.clientId}@trial`;
    const answer = await stand.services.recognition.verify(acme, {
      facegalleryId,
      userId: 'u1',
      image: budi,
    });
    expect(answer).toMatchObject({ userName: 'Budi', verified: true, similarity: 1 });
  });
});

describe('duplicates', () => {
  it('are refused with the other user, and only when they are checked', async () => {
    await enrol({ userId: 'first' });
    await expect(enrol({ userId: 'second', checkDuplicate: true })).rejects.toMatchObject({
      status: 'userExists',
      detail: expect.stringContaining('"first"'),
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
  it('of 20 enrolments of one user exactly one succeeds', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => enrol({})));
    expect(fulfilled(results)).toBe(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 'userExists' });
    }
    expect(await stand.services.clients.counters(acme)).toMatchObject({ faces: 99_999 });
  });

  it('enrolments never exceed a quota of 3', async () => {
    await stand.deps.store.clients.setQuota(acme.clientId, { faces: 3 });
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => enrol({ userId: `u${i}` })),
    );
    expect(fulfilled(results)).toBe(3);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toEqual(refused('denied', 'n_face'));
    }
    expect(await userIds()).toHaveLength(3);
    expect(await stand.services.clients.counters(acme)).toMatchObject({ faces: 0 });
  });

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

describe('listing', () => {
  it('returns pages without loss or repetition, ordered by user_id', async () => {
    const ids = ['a', 'b', 'c', 'd', 'ß', '用户'];
    for (const userId of ids.toReversed()) await enrol({ userId });
    const facegalleryId = `${acme.clientId}@trial`;
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stand.services.enrolment.list(acme, { facegalleryId, limit: 2, cursor });
      seen.push(...page.faces.map(({ userId }) => userId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
  });

  it('refuses a cursor that it has not issued', async () => {
    const facegalleryId = `${acme.clientId}@trial`;
    for (const cursor of ['', '*', 'YQ==']) {
      await expect(stand.services.enrolment.list(acme, { facegalleryId, limit: 1, cursor })).rejects.toEqual(
        refused('malformed', 'cursor'),
      );
    }
  });
});

describe('removing', () => {
  it('erases the face, returns the quota, and is refused for an unknown user', async () => {
    const facegalleryId = `${acme.clientId}@trial`;
    await enrol({});
    await stand.services.enrolment.remove(acme, { facegalleryId, userId: 'u1' });
    expect(await userIds()).toEqual([]);
    expect(await stand.services.clients.counters(acme)).toMatchObject({ faces: 100_000 });
    await expect(
      stand.services.enrolment.remove(acme, { facegalleryId, userId: 'u1' }),
    ).rejects.toMatchObject({
      status: 'userNotFound',
    });
  });
});
