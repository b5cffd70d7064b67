import { maxTemplates } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { enrolDefaults } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';
import { Refusal } from '../../errors.ts';
import { createServices } from '../../server/context.ts';
import type { GalleryRecord } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import { embeddingSpecText, warningsOfOtherPacks } from './embedding-spec.ts';
import { reembedFaces } from './reembedding.ts';
import { switchGalleries } from './template-migration.ts';

/** The pack that galleries were enrolled with: templates of two values. */
const before = embeddingSpecText({
  pack: 'old',
  version: '1',
  embedder: 'e',
  alignment: 'a',
  dimensions: 2,
  normalisation: 'n',
});
const box = { x: 0, y: 0, width: 240, height: 240 };

let caller: Caller;
let gallery: GalleryRecord;
let clients = 0;
const jpegs: Record<'ani' | 'budi' | 'nobody', Buffer> = {
  ani: Buffer.of(),
  budi: Buffer.of(),
  nobody: Buffer.of(),
};

const stand = await openStand();
const mine = embeddingSpecText(stand.deps.engine.embeddingSpec);
jpegs.ani = await drawnFace({ person: 'ani' });
jpegs.budi = await drawnFace({ person: 'budi' });
jpegs.nobody = await drawnPicture({ width: 300, height: 300, faces: [] });

beforeEach(async () => {
  caller = stand.caller(`migrated-${++clients}`);
  await stand.services.clients.register(caller);
  gallery = await now();
});

const now = async () => (await stand.deps.store.galleries.get(caller.clientId, `${caller.clientId}@trial`))!;

/** Enrols a user with the former pack. @param picture whose crop is stored */
async function enrolled(
  userId: string,
  picture?: keyof typeof jpegs | Uint8Array,
  appended = false,
  embeddingSpec = before,
): Promise<void> {
  const vault = stand.deps.vault.gallery(gallery);
  const template = vault.seal(userId, Float32Array.of(1, 0));
  const jpeg = typeof picture === 'string' ? jpegs[picture] : picture;
  const size = jpeg && (await sizeOf(jpeg));
  const crop = jpeg && vault.sealCrop(userId, { jpeg, box: size ?? box });
  await stand.deps.store.faces.put(
    gallery.id,
    { userId, userName: userId, template, embeddingSpec, crop, appended },
    true,
  );
}

async function sizeOf(jpeg: Uint8Array) {
  const request = { attributes: [], maxFaces: 1, search: 'fast' } as const;
  const analysis = await (await sharedEngine()).analyze(jpeg, request).catch(() => undefined);
  return analysis?.faces[0]?.box;
}

/** Counts the pictures that are analysed. */
function counting() {
  let analyzed = 0;
  const engine: Engine = {
    ...stand.deps.engine,
    analyze: (...call) => {
      analyzed++;
      return stand.deps.engine.analyze(...call);
    },
  };
  return { engine, services: createServices({ ...stand.deps, engine }), analyzed: () => analyzed };
}

type Services = ReturnType<typeof createServices>;

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error) => (error instanceof Refusal ? error.status : String(error)),
  );
const identify = async ({ recognition }: Pick<Services, 'recognition'>) => {
  const image = jpegs.ani.toString('base64');
  const request = { facegalleryId: gallery.galleryId, image, topK: 1 };
  return (await recognition.identify(caller, request)).people;
};

/** What this server does when it starts. @param counted of its engine @returns its warnings */
async function start(engine: Pick<Engine, 'analyze'> = stand.deps.engine): Promise<string[]> {
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: object, line: string) => void warnings.push(line) };
  await switchGalleries({ ...stand.deps, engine: { ...stand.deps.engine, analyze: engine.analyze }, log });
  return warnings.filter((line) => line.includes(caller.clientId));
}

describe('a gallery of another pack', () => {
  it('keeps it where no template migration has begun, and calls are refused', async () => {
    await enrolled('ani', 'ani');
    const { engine, services, analyzed } = counting();
    expect(await start(engine)).toEqual([]);
    expect((await services.parts.comparisons.gallery(caller, gallery.galleryId)).embeddingSpec).toBe(before);
    expect(await refusal(identify(services))).toBe('denied');
    expect(analyzed()).toBe(0);
  });

  it('is named with what migrates it, by whether the pack converts its templates', async () => {
    await enrolled('ani', 'ani');
    const { store, engine } = stand.deps;
    const ofBefore = async (upgrades: Engine['upgrades']) =>
      (await warningsOfOtherPacks(store, { ...engine, upgrades })).find((line) => line.includes('old 1 (e)'));
    expect(await ofBefore([])).toMatch(/where face crops are kept, migrate/);
    expect(await ofBefore([{ from: JSON.parse(before), keep: 2 }])).toMatch(
      /refused until they are migrated; `wajah reembed --to builtin` converts them .*restart the server\.$/,
    );
  });

  it('switches at a start, with those who were enrolled since it was prepared; calls do not switch it', async () => {
    for (const person of ['ani', 'budi'] as const) await enrolled(person, person);
    await stand.deps.store.templateMigration.begin(gallery.id, mine);
    const { engine, services, analyzed } = counting();
    expect(await refusal(identify(services))).toBe('denied');
    expect(await now()).toMatchObject({ embeddingSpec: before });
    // Two servers of one database may start at once.
    expect(await Promise.all([start(engine), start(engine)])).toEqual([[], []]);
    expect(await now()).toMatchObject({ embeddingSpec: mine, faces: 2, migrated: { from: before } });
    expect(analyzed()).toBeGreaterThanOrEqual(2);
    expect(await identify(services)).toMatchObject([{ userId: 'ani' }]);
  });

  it('keeps it, and says so, when more people are missing than a start re-embeds', async () => {
    for (let i = 0; i < 101; i++) await enrolled(`u${i}`, 'ani');
    await stand.deps.store.templateMigration.begin(gallery.id, mine);
    const { engine, services, analyzed } = counting();
    expect(await start(engine)).toEqual([expect.stringMatching(/but 101 of its people.*wajah reembed --to/)]);
    expect(await refusal(identify(services))).toBe('denied');
    expect(analyzed()).toBe(0);
  });

  it('keeps it when one is missing without a crop, and nobody is lost', async () => {
    await enrolled('ani', 'ani');
    await enrolled('late');
    await stand.deps.store.templateMigration.begin(gallery.id, mine);
    expect(await start()).toEqual([expect.stringMatching(/but 1 of its people have no template.*restart/)]);
    expect(await now()).toMatchObject({ embeddingSpec: before, faces: 2 });
    // The face is enrolled again with its crop, by the pack that serves the gallery.
    await enrolled('late', 'budi');
    expect(await start()).toEqual([]);
    expect(await now()).toMatchObject({ embeddingSpec: mine, faces: 2 });
  });

  it('is refused as busy when it is switched during a search', async () => {
    const { store, vault, matcher } = stand.deps;
    const image = jpegs.ani.toString('base64');
    await stand.enrol(caller, 'ani', 'Ani', image, { forceRegister: true });
    const person = { facegalleryId: gallery.galleryId, userId: 'ani', image };
    const migrateMeanwhile = async () => {
      await store.templateMigration.begin(gallery.id, before);
      const [face] = await store.templateMigration.nextPending(gallery.id, before, 0, 1);
      const template = vault.gallery(gallery).seal('ani', Float32Array.of(1, 0));
      await store.templateMigration.storeTemplates(
        gallery.id,
        before,
        [{ ...face!, template }],
        gallery.wrappedKey,
      );
      expect(await store.templateMigration.switchGallery(gallery.id, before, new Date())).toBe('done');
    };
    const late = new Proxy(matcher, {
      get:
        (_, name: keyof typeof matcher) =>
        async (...call: Parameters<typeof matcher.search>) => {
          if (name !== 'search') throw new Error(`${name} is not expected here`);
          await migrateMeanwhile();
          return matcher.search(...call);
        },
    });
    expect(await refusal(identify(createServices({ ...stand.deps, matcher: late })))).toBe('busy');
    // And afterwards: this server runs the pack before, another one may run the new one.
    expect(await refusal(stand.services.recognition.verify(caller, person))).toBe('busy');
  });
});

it('a user who lost a template in a migration can append a picture, and all crops are used by the next migration', async () => {
  const { store, vault, engine } = stand.deps;
  await enrolled('ani', 'nobody');
  await enrolled('ani', 'ani', true);
  await store.templateMigration.begin(gallery.id, mine);
  expect(await start()).toEqual([]);
  expect((await now()).embeddingSpec).toBe(mine);
  const image = jpegs.ani.toString('base64');
  const keeping = { ...stand.deps, config: { ...stand.deps.config, keepFaceCrops: true } };
  await createServices(keeping).enrolment.enrol(caller, {
    ...enrolDefaults,
    facegalleryId: gallery.galleryId,
    userId: 'ani',
    userName: 'Ani',
    image,
    append: true,
    forceRegister: true,
  });
  expect(await store.crops.get(gallery.id, 'ani')).toHaveLength(3);
  const kept = async () =>
    vault.gallery(gallery).openAll('ani', (await store.faces.get(gallery.id, 'ani'))!.template);
  expect(await kept()).toHaveLength(2);
  const more = 4;
  for (let i = 0; i < more; i++) await enrolled('ani', 'ani', true, mine);
  await store.templateMigration.begin(gallery.id, before);
  const steps = {
    next: (after: number, limit: number) =>
      store.templateMigration.nextPending(gallery.id, before, after, limit),
    store: (templates: Parameters<typeof store.templateMigration.storeTemplates>[2]) =>
      store.templateMigration.storeTemplates(gallery.id, before, templates, gallery.wrappedKey),
  };
  const result = await reembedFaces(steps, vault.gallery(gallery), engine, { concurrency: 1 });
  expect(result).toMatchObject({ embedded: 1 });
  expect(await store.templateMigration.switchGallery(gallery.id, before, new Date())).toBe('done');
  expect(await kept()).toHaveLength(Math.min(more + 2, maxTemplates));
});

describe('reembedding', () => {
  it('reports the faces without a template, and continues', async () => {
    await enrolled('ani', 'ani');
    await enrolled('blank', 'nobody');
    await enrolled('broken', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 1]));
    await enrolled('none');
    await enrolled('moved', 'budi');
    const { store, vault, engine } = stand.deps;
    await store.templateMigration.begin(gallery.id, mine);
    const steps = {
      // The crop of one is that of another: it opens for its own user only.
      next: async (after: number, limit: number) => {
        const faces = await store.templateMigration.nextPending(gallery.id, mine, after, limit);
        const crops = await store.crops.get(gallery.id, 'ani');
        return faces.map((face) => (face.userId === 'moved' ? { ...face, crops } : face));
      },
      store: (templates: Parameters<typeof store.templateMigration.storeTemplates>[2]) =>
        store.templateMigration.storeTemplates(gallery.id, mine, templates, gallery.wrappedKey),
    };
    const reported: number[] = [];
    const options = { concurrency: 2, progress: (faces: number) => reported.push(faces) };
    const result = await reembedFaces(steps, vault.gallery(gallery), engine, options);
    expect(result.embedded).toBe(1);
    expect(Object.fromEntries(result.failed.map(({ userId, why }) => [userId, why]))).toEqual({
      blank: 'the pack finds no face in the crop',
      broken: 'the crop is damaged',
      none: 'no face crop is kept',
      moved: 'the crop is damaged',
    });
    expect(reported).toEqual([2, 4, 5]);
    expect(await store.templateMigration.countPending(gallery.id, mine)).toBe(4);
  });
});
