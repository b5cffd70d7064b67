import { beforeEach, describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/rounds.ts';
import { openStand } from '../../../test/support/stand.ts';
import { randomNumbers, unitVector } from '../../../test/support/vectors.ts';
import { createExactMatcher } from '../../matching/exact-matcher.ts';
import type { Matcher } from '../../matching/ports.ts';
import type { Caller } from '../../services/caller.ts';
import { embeddingSpecText } from '../../services/galleries/embedding-spec.ts';
import { createDuplicateService, type DuplicateService } from './duplicates.ts';

let caller: Caller;
let facegalleryId: string;
let clients = 0;

const stand = await openStand();
beforeEach(async () => {
  caller = stand.caller(`duplicates-${++clients}`);
  facegalleryId = `${caller.clientId}@trial`;
  await stand.services.clients.register(caller);
});

const gallery = async () => (await stand.deps.store.galleries.get(caller.clientId, facegalleryId))!;

/** Enrols people with given templates; this server's matcher is not told, as if another server had done it. */
async function enrol(templates: ReadonlyMap<string, Float32Array>): Promise<void> {
  const { store, vault, engine } = stand.deps;
  const record = await gallery();
  const embeddingSpec = embeddingSpecText(engine.embeddingSpec);
  const sealed = vault.gallery(record);
  await Promise.all(
    [...templates].map(([userId, template]) => {
      const face = { userId, userName: userId, embeddingSpec, template: sealed.seal(userId, template) };
      return store.faces.put(record.id, face, true);
    }),
  );
}

/** Different people, and for each name of `again` a second template of that person. */
function crowd(count: number, again: readonly number[] = []): Map<string, Float32Array> {
  const random = randomNumbers(count);
  const { dimensions } = stand.deps.engine.embeddingSpec;
  const people = Array.from({ length: count }, () => unitVector(random, dimensions));
  const noisy = (template: Float32Array) => {
    const noise = unitVector(random, dimensions);
    return template.map((value, i) => 0.95 * value + Math.sqrt(1 - 0.95 ** 2) * noise[i]!);
  };
  return new Map([
    ...people.map((template, i) => [`p${i}`, template] as const),
    ...again.map((i) => [`again${i}`, noisy(people[i]!)] as const),
  ]);
}

type DuplicatePage = Awaited<ReturnType<DuplicateService['find']>>;

const namesOf = ({ pairs }: DuplicatePage) =>
  pairs.map(({ users }) =>
    users
      .map(({ userId }) => userId)
      .sort()
      .join(' '),
  );

const serverWith = (matcher: Matcher) => createDuplicateService({ ...stand.services.parts, matcher });

/** Two servers of one store. */
function servers() {
  const { store, vault } = stand.deps;
  const other = createExactMatcher({ faces: store.faces, vault });
  return [serverWith(stand.deps.matcher), serverWith(other)] as const;
}

describe('the duplicates of a gallery', () => {
  it('are found once each over pages of several servers, while people come and go', async () => {
    const same = new Map(Array.from({ length: 40 }, (_, i) => [`p${i}`, crowd(1).get('p0')!]));
    await enrol(same);
    const [one, other] = servers();
    const first = await one.find(caller, { facegalleryId, trxId: undefined });
    expect(first).toMatchObject({ complete: false, people: 40 });
    expect(first.pairs).toHaveLength(500);
    expect(first.progress).toBeGreaterThan(0.5);
    const { id } = await gallery();
    await stand.deps.store.faces.remove(id, 'p39');
    await enrol(new Map([['late', same.get('p0')!]]));
    const found = namesOf(first);
    for (let page = first; !page.complete; ) {
      page = await other.find(caller, { facegalleryId, cursor: page.cursor, trxId: undefined });
      found.push(...namesOf(page));
    }
    const left = [...same.keys()].filter((name) => name !== 'p39').concat('late');
    const expected = left.flatMap((a) => left.filter((b) => a < b).map((b) => `${a} ${b}`));
    expect(found.filter((names) => !names.split(' ').includes('p39')).sort()).toEqual(expected.sort());
  });

  it('are also people who are suspended, and two of whom one is matched', async () => {
    await enrol(new Map(['first', 'held', 'alsoheld', 'last'].map((id) => [id, crowd(1).get('p0')!])));
    const { id } = await gallery();
    const { people } = stand.deps.store;
    for (const held of ['held', 'alsoheld']) await people.suspend(id, held, new Date());
    const [one] = servers();
    const found = await one.find(caller, { facegalleryId, trxId: undefined });
    expect(found).toMatchObject({ complete: true, people: 4, compared: 4 });
    const expected = ['alsoheld first', 'alsoheld last', 'first held', 'first last', 'held last'];
    expect(namesOf(found).sort()).toEqual(expected);
    const users = found.pairs.flatMap((pair) => pair.users);
    expect(users.every(({ userId, suspendedAt }) => userId.endsWith('held') === (suspendedAt !== null))).toBe(
      true,
    );
    await enrol(new Map([['late', crowd(1).get('p0')!]]));
    const later = await one.find(caller, { facegalleryId, cursor: found.cursor, trxId: undefined });
    expect(namesOf(later).sort()).toEqual(['alsoheld late', 'first late', 'held late', 'last late']);
    await people.update(id, 'held', { expiresAt: new Date(Date.now() - 1) });
    const after = await one.find(caller, { facegalleryId, trxId: undefined });
    expect(namesOf(after).some((names) => names.split(' ').includes('held'))).toBe(false);
  });

  it('are scored by the statistics of the gallery, and named with them', async () => {
    await enrol(crowd(40, [7, 11]));
    stand.deps.cohorts.renewIfStale(await gallery());
    await stand.deps.cohorts.settled();
    const page = await servers()[0].find(caller, { facegalleryId, trxId: undefined });
    expect(namesOf(page).sort()).toEqual(['again11 p11', 'again7 p7']);
    expect(page.facts).toEqual({ cohort_version: 42, cohort_people: 40 });
  });

  it(`are found among ${rounds(300)} people, with no more others than expected`, async () => {
    const count = rounds(300);
    const again = Array.from({ length: count / 100 }, (_, i) => i * 97);
    await enrol(crowd(count, again));
    stand.deps.cohorts.renewIfStale(await gallery());
    await stand.deps.cohorts.settled();
    const [service] = servers();
    const found: string[] = [];
    let page: DuplicatePage | undefined;
    while (!page?.complete) {
      page = await service.find(caller, { facegalleryId, cursor: page?.cursor, trxId: undefined });
      found.push(...namesOf(page));
    }
    const planted = again.map((i) => `again${i} p${i}`);
    expect(planted.filter((names) => !found.includes(names))).toEqual([]);
    const { expectedFalsePairs } = page;
    // Within five deviations of a Poisson distribution.
    expect(found.length - planted.length).toBeLessThan(
      expectedFalsePairs + 5 * Math.sqrt(expectedFalsePairs) + 1,
    );
  });

  it('are not searched in a gallery that does not fit into memory, or after the caller has left', async () => {
    await enrol(crowd(5));
    const { store, vault } = stand.deps;
    const matcher = createExactMatcher({ faces: store.faces, vault, budget: 1000 });
    const small = serverWith(matcher);
    await expect(small.find(caller, { facegalleryId, trxId: undefined })).rejects.toMatchObject({
      status: 'denied',
      detail: expect.stringContaining('WAJAH_MATCH_MEMORY_MB'),
    });
    const gone = stand.caller(caller.clientId, AbortSignal.abort(new Error('the caller left')));
    const late = servers()[0].find(gone, { facegalleryId, trxId: undefined });
    await expect(late).rejects.toThrow('the caller left');
  });
});
