import { beforeEach, describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';
import type { Caller } from '../caller.ts';

let caller: Caller;
let facegalleryId: string;
let client = 0;
const pictures: Record<'ani' | 'tilted' | 'budi', string> = { ani: '', tilted: '', budi: '' };

const stand = await openStand();
pictures.ani = await base64(drawnFace({ person: 'ani' }));
pictures.tilted = await base64(drawnFace({ person: 'ani', tilt: 12, brightness: 0.7 }));
pictures.budi = await base64(drawnFace({ person: 'budi' }));

beforeEach(async () => {
  caller = stand.caller(`appender-${++client}`);
  facegalleryId = `${caller.clientId}@trial`;
  await stand.services.clients.register(caller);
});

type Modes = {
  replace?: boolean;
  append?: boolean;
  checkDuplicate?: boolean;
  forceRegister?: boolean;
  userId?: string;
};

const enrol = (picture: keyof typeof pictures, { userId = 'u1', ...modes }: Modes = {}) =>
  stand.enrol(caller, userId, userId, pictures[picture], modes);
/** Writes a user with so many templates of one picture, which is analysed once. */
const enrolTimes = async (count: number) => {
  await enrol('ani');
  const { vault, store } = stand.deps;
  const gallery = (await store.galleries.get(caller.clientId, facegalleryId))!;
  const face = (await store.faces.get(gallery.id, 'u1'))!;
  const [template] = vault.gallery(gallery).openAll('u1', face.template);
  const templates = Array.from({ length: count }, () => template!);
  await store.faces.put(
    gallery.id,
    { ...face, template: vault.gallery(gallery).sealAll('u1', templates) },
    true,
  );
};
const similarity = async (picture: keyof typeof pictures, userId = 'u1') =>
  (await stand.services.recognition.verify(caller, { facegalleryId, userId, image: pictures[picture] }))
    .similarity;
const kept = async (userId = 'u1') => {
  const gallery = (await stand.deps.store.galleries.get(caller.clientId, facegalleryId))!;
  const face = (await stand.deps.store.faces.get(gallery.id, userId))!;
  return stand.deps.vault.gallery(gallery).openAll(userId, face.template);
};

describe('a face that is appended', () => {
  it('is stored beside the others, and pictures are compared with the mean of all', async () => {
    await enrol('ani');
    expect(await similarity('ani')).toBe(1);
    await enrol('tilted', { append: true });
    expect(await kept()).toHaveLength(2);
    const [one, two] = await kept();
    const own = one!.reduce((sum, x, i) => sum + x * one![i]!, 0);
    const cross = one!.reduce((sum, x, i) => sum + x * two![i]!, 0);
    expect(await similarity('ani')).toBeCloseTo(stand.deps.engine.similarityOf((own + cross) / 2), 4);
    expect(await similarity('budi')).toBeLessThan(await similarity('ani'));
  });

  it('belongs to one person, who is found once, also after a restart', async () => {
    await enrol('ani');
    await enrol('tilted', { append: true });
    await enrol('budi', { userId: 'u2' });
    const search = async () =>
      (
        await stand.services.recognition.identify(caller, {
          facegalleryId,
          image: pictures.ani,
          topK: 10,
          threshold: 0,
        })
      ).people.map((one) => one.userId);
    expect(await search()).toEqual(['u1', 'u2']);
    const gallery = (await stand.deps.store.galleries.get(caller.clientId, facegalleryId))!;
    expect(gallery.faces).toBe(2);
    stand.deps.matcher.evict(gallery.id);
    expect(await search()).toEqual(['u1', 'u2']);
  });

  it('is the first of a new user; a replacing face replaces all', async () => {
    await enrol('ani', { append: true });
    expect(await kept()).toHaveLength(1);
    await enrol('tilted', { append: true });
    await enrol('ani', { replace: true });
    expect(await kept()).toHaveLength(1);
    expect(await similarity('ani')).toBe(1);
  });

  it('is refused beyond fifty, before the picture is analysed', async () => {
    await enrolTimes(50);
    await expect(stand.enrol(caller, 'u1', 'x', '*', { append: true })).rejects.toMatchObject({
      status: 'userExists',
      detail: expect.stringMatching(/^append: this user_id has 50 faces .* at most 50 .* replace: true/),
    });
    expect(await kept()).toHaveLength(50);
  });

  it('is neither lost nor beyond the maximum with concurrent calls', async () => {
    await enrolTimes(46);
    const seven = await Promise.all(
      Array.from({ length: 7 }, (_, tilt) => base64(drawnFace({ person: 'ani', tilt: tilt + 1 }))),
    );
    const results = await Promise.allSettled(
      seven.map((image) => stand.enrol(caller, 'u1', 'u1', image, { append: true })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await kept()).toHaveLength(50);
  });

  it('is refused together with replace, and compared with other users when it must be unique', async () => {
    await enrol('ani');
    await expect(enrol('ani', { append: true, replace: true })).rejects.toMatchObject({
      status: 'malformed',
      detail: expect.stringMatching(/^if_exists: .*different things/),
    });
    await enrol('budi', { userId: 'u2' });
    const unique = { append: true, checkDuplicate: true };
    await expect(enrol('budi', unique)).rejects.toMatchObject({ code: 'appendedDiffers' });
    await expect(enrol('budi', { ...unique, forceRegister: true })).rejects.toMatchObject({
      status: 'userExists',
      fields: { duplicate_user_id: 'u2' },
    });
    await enrol('tilted', { append: true, checkDuplicate: true });
    expect(await kept()).toHaveLength(2);
  });
});
