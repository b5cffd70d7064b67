import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import type { Match, Matcher } from '../../src/matching/ports.ts';
import { evictErasedGalleries } from '../../src/retention/retention.ts';
import { verifyMasterKey } from '../../src/security/keys/master-key.ts';
import { openSharedSigningKeys } from '../../src/security/keys/signing-keys.ts';
import { createTemplateVault } from '../../src/security/vaults/template-vault.ts';
import { createCohorts } from '../../src/services/galleries/cohorts.ts';
import { embeddingSpecText } from '../../src/services/galleries/embedding-spec.ts';
import type { CalibratedEngine } from '../../src/services/galleries/ports.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { newDatabase, noPostgres } from '../support/postgres.ts';
import { rounds } from '../support/rounds.ts';
import { openDatabaseStore, unlimited } from '../support/store.ts';

const times = rounds(200);

const vault = createTemplateVault(randomBytes(32));
const dimensions = 16;

/** What one server has: a store and a matcher of its own. */
interface Server {
  readonly store: Store;
  readonly matcher: Matcher;
}

async function enrol(
  { store, matcher }: Server,
  userId: string,
  template: Float32Array,
  embeddingSpec = 'c',
): Promise<void> {
  const gallery = await galleryOf(store);
  const row = {
    userId,
    userName: userId,
    template: vault.gallery(gallery).seal(userId, template),
    embeddingSpec,
  };
  const seq = await store.faces.put(gallery.id, row, true);
  if (typeof seq !== 'number') throw new Error(seq);
  matcher.faceEnrolled(gallery.id, { userId, userName: userId, template, seq });
}

async function remove({ store, matcher }: Server, userId: string): Promise<void> {
  const gallery = await galleryOf(store);
  const version = await store.faces.remove(gallery.id, userId);
  if (version !== false) matcher.faceRemoved(gallery.id, userId, version);
}

async function find({ store, matcher }: Server, probe: Float32Array): Promise<Match | undefined> {
  return (await matcher.search(await galleryOf(store), probe, 1))[0];
}

async function galleryOf(store: Store) {
  const gallery = await store.galleries.get('a', 'main');
  if (!gallery) throw new Error('no gallery');
  return gallery;
}

function randomUnit(): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

describe.skipIf(noPostgres)('servers that share a database', () => {
  async function servers(count: number): Promise<Server[]> {
    const url = await newDatabase();
    const made: Server[] = [];
    for (let i = 0; i < count; i++) {
      const store = await openDatabaseStore(url, { connections: 3 });
      onTestFinished(() => store.close());
      made.push({ store, matcher: createExactMatcher({ faces: store.faces, vault }) });
    }
    const { clients, galleries } = made[0]!.store;
    await clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
    await clients.register('a', new Date());
    await galleries.create('a', 'main', (id) => vault.wrapNewKey('a', id));
    return made;
  }

  it('normalise scores by the same statistics at the same version of a gallery', async () => {
    const embeddingSpec = {
      pack: 'p',
      version: '1',
      embedder: 'e',
      alignment: 'a',
      dimensions,
      normalisation: 'n',
    };
    const engine: CalibratedEngine = {
      embeddingSpec,
      similarity: () => 0,
      similarityOf: () => 0,
      cohortCurve: {
        mean: 0,
        deviation: 0.2,
        knots: [
          [0, 0],
          [6, -6],
        ],
      },
    };
    const both = await servers(2);
    const cohorts = both.map(({ store }) =>
      createCohorts({ store, vault, engine, log: { warn: (fields) => expect(fields).toBeNull() } }),
    );
    const spec = embeddingSpecText(embeddingSpec);
    for (let i = 0; i < 15; i++) await enrol(both[i % 2]!, `u${i}`, randomUnit(), spec);
    const gallery = await galleryOf(both[0]!.store);
    for (const one of cohorts) one.renewIfStale(gallery);
    await Promise.all(cohorts.map((one) => one.settled()));
    const [one, other] = [await galleryOf(both[0]!.store), await galleryOf(both[1]!.store)];
    expect(one.cohort).toMatchObject({ version: 15, people: 15 });
    expect(other.cohort).toEqual(one.cohort);
    for (const cohort of cohorts) await cohort.close();
  });

  it(`find a face that another server enrolled in the next request, ${times} times`, async () => {
    const all = await servers(3);
    for (let i = 0; i < times; i++) {
      const [writer, reader] = [all[i % 3]!, all[(i + 1 + (i % 2)) % 3]!];
      const template = randomUnit();
      // Some faces are replaced: a server that finds the old one fails too.
      const userId = i % 7 === 6 ? `u${i - 3}` : `u${i}`;
      await enrol(writer, userId, template);
      const match = await find(reader, template);
      expect(match?.userId).toBe(userId);
      expect(match?.score).toBeCloseTo(1, 5);
    }
  });

  it('do not find a face that another server erased', async () => {
    const all = await servers(2);
    for (let i = 0; i < 60; i++) {
      const [one, other] = i % 2 ? all.toReversed() : all;
      const template = randomUnit();
      await enrol(one!, `u${i}`, template);
      await enrol(one!, `stays ${i}`, randomUnit());
      expect((await find(other!, template))?.userId).toBe(`u${i}`);
      await remove(other!, `u${i}`);
      expect((await find(one!, template))?.userId).not.toBe(`u${i}`);
    }
    const [one, other] = [all[0]!, all[1]!];
    await one.store.galleries.remove('a', 'main');
    expect(other.matcher.cachedGalleries()).toHaveLength(1);
    const log = { warn: () => expect.unreachable() };
    await evictErasedGalleries(other.matcher, other.store.galleries, log).stop();
    expect(other.matcher.cachedGalleries()).toEqual([]);
    await expect(galleryOf(all[1]!.store)).rejects.toThrow('no gallery');
  });

  it('find each other’s faces while all write', async () => {
    const all = await servers(3);
    const work = all.map(async (server, s) => {
      for (let i = 0; i < 60; i++) {
        const template = randomUnit();
        await enrol(server, `${s}-${i}`, template);
        const seen = await Promise.all(all.map((other) => find(other, template)));
        expect(seen.map((match) => match?.userId)).toEqual(all.map(() => `${s}-${i}`));
      }
    });
    await Promise.all(work);
    expect((await galleryOf(all[0]!.store)).version).toBe(180);
  });

  it('find nobody whom another server suspends, and find them again', async () => {
    const [one, other] = (await servers(2)) as [Server, Server];
    const people = new Map(Array.from({ length: 5 }, (_, i) => [`u${i}`, randomUnit()]));
    for (const [userId, template] of people) await enrol(one, userId, template);
    const template = people.get('u3')!;
    for (const server of [one, other]) expect((await find(server, template))?.userId).toBe('u3');
    const { id } = await galleryOf(one.store);
    await one.store.people.suspend(id, 'u3', new Date());
    for (const server of [one, other]) expect((await find(server, template))?.userId).not.toBe('u3');
    const fresh = createExactMatcher({ faces: one.store.faces, vault });
    expect(
      (await fresh.search(await galleryOf(one.store), template, 5)).map((match) => match.userId).sort(),
    ).toEqual(['u0', 'u1', 'u2', 'u4']);
    await other.store.people.suspend(id, 'u3', null);
    for (const server of [one, other]) expect((await find(server, template))?.userId).toBe('u3');
  });

  it('share one signing key, sealed under the master key', async () => {
    const all = await servers(3);
    const master = randomBytes(32);
    const keys = await Promise.all(all.map(({ store }) => openSharedSigningKeys([master], store.meta)));
    const current = await Promise.all(keys.map((each) => each.current()));
    expect(new Set(current.map(({ kid }) => kid)).size).toBe(1);
    const { meta } = all[0]!.store;
    expect(await meta.get('signing_key')).not.toContain('"d"');
    await expect(openSharedSigningKeys([randomBytes(32)], meta)).rejects.toThrow();
    await verifyMasterKey([master], meta, 'the key');
    await expect(verifyMasterKey([randomBytes(32)], meta, 'the key')).rejects.toThrow(
      'the key is not the key that',
    );
  });
});
