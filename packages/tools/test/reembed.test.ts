import { maxTemplates } from '@wajah/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../engine/test/support/shared-engine.ts';
import { textOf } from '../../server/src/config/finding.ts';
import { Refusal } from '../../server/src/errors.ts';
import type { Caller } from '../../server/src/services/caller.ts';
import { embeddingSpecText, findOtherPacks } from '../../server/src/services/galleries/embedding-spec.ts';
import type { GalleryRecord } from '../../server/src/store/ports/galleries.ts';
import { openStand } from '../../server/test/support/stand.ts';
import { drawVectors } from '../../server/test/support/vectors.ts';
import { type Migration, migrate } from '../src/reembed.ts';

const former = {
  pack: 'old',
  version: '1',
  embedder: 'e',
  alignment: 'a',
  dimensions: 32,
  normalisation: 'n',
};
const before = embeddingSpecText(former);
const templates = drawVectors('spread', 3, former.dimensions, 2);

const stand = await openStand({ WAJAH_KEEP_FACE_CROPS: 'true' });
const { store, vault, engine } = stand.deps;
const own = embeddingSpecText(engine.embeddingSpec);
const jpegs = {
  ani: await drawnFace({ person: 'ani' }),
  budi: await drawnFace({ person: 'budi' }),
  nobody: await drawnPicture({ width: 300, height: 300, faces: [] }),
};

let caller: Caller;
let gallery: GalleryRecord;
let clients = 0;

beforeEach(async () => {
  caller = await stand.registered(`migrated-${++clients}`);
  gallery = await now();
});

const now = async () => (await store.galleries.get(caller.clientId, `${caller.clientId}@trial`))!;

/** Enrols a user with the former pack. @param picture whose crop is stored */
async function enrolled(userId: string, picture?: keyof typeof jpegs | Uint8Array, appended = false) {
  const opened = vault.gallery(gallery);
  const jpeg = typeof picture === 'string' ? jpegs[picture] : picture;
  const box = (jpeg && (await boxOf(jpeg))) ?? { x: 0, y: 0, width: 240, height: 240 };
  const crop = jpeg && opened.sealCrop(userId, { jpeg, box });
  const face = {
    userId,
    userName: userId,
    template: opened.sealAll(userId, templates),
    embeddingSpec: before,
  };
  await store.faces.put(gallery.id, { ...face, crop, appended }, true);
}

async function boxOf(jpeg: Uint8Array) {
  const request = { attributes: [], maxFaces: 1, search: 'fast' } as const;
  const analysis = await (await sharedEngine()).analyze(jpeg, request).catch(() => undefined);
  return analysis?.faces[0]?.box;
}

/** A run over the gallery. @returns what became of it; null: nothing is left to be done */
async function run(others: Partial<Migration> = {}) {
  const { chain } = stand.deps;
  const migration = { store, vault, chain, embedder: engine, leaveOut: false, concurrency: 1, ...others };
  const [result] = await migrate(migration, [await now()], { note: () => undefined });
  return result ?? null;
}

/** Is killed when it has made the templates of so many faces. */
const killedAfter = (faces: number): Partial<Migration> => ({
  embedder: {
    ...engine,
    analyze: (...call) => (faces-- > 0 ? engine.analyze(...call) : Promise.reject(new Error('killed'))),
  },
});

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error) => (error instanceof Refusal ? error.code : String(error)),
  );
const identify = async () => {
  const request = { facegalleryId: gallery.galleryId, image: jpegs.ani.toString('base64'), topK: 1 };
  return (await stand.services.recognition.identify(caller, request)).people;
};
const warnings = async (upgrades = engine.upgrades) =>
  (await findOtherPacks(store, { ...engine, upgrades })).map(textOf).join('\n');
const templatesOf = async (userId: string) =>
  vault.gallery(await now()).openAll(userId, (await store.faces.get(gallery.id, userId))!.template);

describe('a gallery of another pack', () => {
  it('is refused, and named with what migrates it', async () => {
    await enrolled('ani', 'ani');
    expect(await refusal(identify())).toBe('galleryNotComparable');
    expect(await warnings()).toMatch(/where face crops are kept, stop the server and migrate/);
    expect(await warnings([{ from: former, keep: 24 }])).toMatch(
      /refused until they are migrated; stop the server and run `wajah reembed --to builtin`, which converts/,
    );
  });

  it('has templates of the kept crops afterwards, and the audit trail says so', async () => {
    for (const person of ['ani', 'budi'] as const) await enrolled(person, person);
    expect(await run()).toMatchObject({ made: 2, failed: [], state: 'done' });
    expect(await now()).toMatchObject({ embeddingSpec: own, formerSpec: null, faces: 2 });
    expect(await identify()).toMatchObject([{ userId: 'ani' }]);
    const [record] = await store.audit.list({ clientId: caller.clientId, event: 'administered', limit: 1 });
    expect(record?.facts).toEqual({
      operation: 'reembed',
      facegallery_id: gallery.galleryId,
      pack: expect.stringMatching(/^builtin /),
      people: 2,
    });
    expect(await run()).toBeNull();
  });

  it('is closed after a run that was killed, and the next one makes what is missing', async () => {
    for (const person of ['a', 'b', 'c', 'd']) await enrolled(person, 'ani');
    await expect(run(killedAfter(2))).rejects.toThrow('killed');
    expect(await now()).toMatchObject({ embeddingSpec: own, formerSpec: before });
    expect(await refusal(identify())).toBe('galleryPartlyMigrated');
    const image = jpegs.budi.toString('base64');
    expect(await refusal(stand.enrol(caller, 'budi', 'Budi', image))).toBe('galleryPartlyMigrated');
    expect(await warnings()).toMatch(
      /1 gallery with 4 faces .*in part.* run `wajah reembed --to builtin`, which/,
    );
    expect(await run()).toMatchObject({ made: 2, state: 'done' });
    expect(await identify()).toHaveLength(1);
  });

  it('is as it was where one has no crop, until that one is left out', async () => {
    await enrolled('ani', 'ani');
    await enrolled('late');
    const unchanged = await now();
    const failed = [{ userId: 'late', why: 'no face crop is kept' }];
    expect(await run()).toMatchObject({ made: 0, failed, state: 'former' });
    expect(await now()).toEqual(unchanged);
    expect(await run({ leaveOut: true })).toMatchObject({ made: 1, failed, state: 'done' });
    expect((await store.faces.list(gallery.id)).map(({ userId }) => userId)).toEqual(['ani']);
  });

  it('records people who are erased as they go, also of a run that was killed afterwards', async () => {
    for (const userId of ['late', 'later']) await enrolled(userId);
    await enrolled('ani', 'ani');
    await expect(run({ leaveOut: true, ...killedAfter(0) })).rejects.toThrow('killed');
    const records = await store.audit.list({ clientId: caller.clientId, event: 'administered', limit: 9 });
    expect(records.map(({ facts }) => facts['left_out'])).toEqual([1, 1]);
  });

  it('stays closed while crops show no face, and says whose', async () => {
    await enrolled('ani', 'ani');
    await enrolled('blank', 'nobody');
    await enrolled('broken', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 1]));
    const why = { blank: 'the pack finds no face in the crop', broken: 'the crop is damaged' };
    const failed = Object.entries(why).map(([userId, text]) => ({ userId, why: text }));
    expect(await run()).toMatchObject({ made: 1, failed, state: 'partial' });
    expect(await refusal(identify())).toBe('galleryPartlyMigrated');
    expect(await run({ leaveOut: true })).toMatchObject({ made: 0, failed, state: 'done' });
    expect(await identify()).toMatchObject([{ userId: 'ani' }]);
  });

  it('has as many templates of a person as crops show a face, the newest where they are too many', async () => {
    await enrolled('ani', 'nobody');
    await enrolled('ani', 'ani', true);
    await enrolled('budi', 'budi');
    for (let i = 0; i < maxTemplates; i++) await enrolled('budi', 'budi', true);
    expect(await run()).toMatchObject({ made: 2, state: 'done' });
    expect(await templatesOf('ani')).toHaveLength(1);
    expect(await templatesOf('budi')).toHaveLength(maxTemplates);
    // Another picture than the crop's: the same one would not be added.
    const image = (await drawnFace({ person: 'ani', tilt: 8 })).toString('base64');
    await stand.enrol(caller, 'ani', 'Ani', image, { append: true, forceRegister: true });
    expect(await templatesOf('ani')).toHaveLength(2);
  });

  it('is converted without crops where the pack can, with damaged templates as they are', async () => {
    const keep = 24;
    const shorter = { ...former, pack: 'shorter', dimensions: keep };
    const unused = () => Promise.reject(new Error('no picture is needed'));
    const embedder = { analyze: unused, embeddingSpec: shorter, upgrades: [{ from: former, keep }] };
    for (let i = 0; i < 3; i++) await enrolled(`u${i}`);
    const damaged = { userId: 'u1', userName: 'u1', template: Buffer.alloc(300), embeddingSpec: before };
    await store.faces.put(gallery.id, damaged, true);
    expect(await run({ embedder })).toMatchObject({ made: 3, state: 'done' });
    expect((await now()).embeddingSpec).toBe(embeddingSpecText(shorter));
    const found = await templatesOf('u2');
    expect(found).toHaveLength(templates.length);
    const norm = Math.hypot(...templates[1]!.subarray(0, keep));
    expect(found[1]).toHaveLength(keep);
    for (let i = 0; i < keep; i++) expect(found[1]![i]).toBeCloseTo(templates[1]![i]! / norm, 5);
    expect((await store.faces.get(gallery.id, 'u1'))?.template).toHaveLength(300);
  });
});
