import { expect } from 'vitest';
import type { Store } from '../../../packages/server/src/store/ports/store.ts';
import { rounds } from '../../../packages/server/test/support/rounds.ts';
import { allFaces } from '../../../packages/server/test/support/store.ts';
import { killAtLines, type Place, script } from './place.ts';

const writers = 8;

/** No acknowledged write is lost, again and again, and counters match the rows. */
export async function writesAreKept(place: Place): Promise<void> {
  const kills = place.kind === 'SQLite' ? rounds(3) : rounds(1);
  const seen: Acknowledged = {
    there: new Set(),
    gone: new Set(),
    hits: 0,
    created: new Set(),
    deleted: new Set(),
    incomplete: new Set(),
    writes: 0,
  };
  for (let round = 0; round < kills; round++) {
    await killWhileWriting(place, round, seen);
    const store = await place.openStore();
    await expectNothingLost(store, round, seen);
    await expectGalleries(store, seen);
    await store.close();
  }
  console.info(`${place.kind}: ${kills} kills, ${seen.writes} acknowledged writes`);
}

/** What the killed processes have printed. */
interface Acknowledged {
  readonly there: Set<string>;
  readonly gone: Set<string>;
  hits: number;
  readonly created: Set<string>;
  readonly deleted: Set<string>;
  /** Galleries that may lack their face. */
  readonly incomplete: Set<string>;
  writes: number;
}

async function killWhileWriting(place: Place, round: number, seen: Acknowledged): Promise<void> {
  const run = script('enrol-in-a-loop.mjs', place.address, String(round), String(writers));
  const most = 40 + ((round * 37) % 100);
  for (const line of await killAtLines(run, (lines) => lines.length >= most)) {
    const [what, name = ''] = line.split(' ');
    seen.writes++;
    if (what === 'hit') seen.hits++;
    else if (what === 'enrolled') seen.there.add(name);
    else if (what === 'created') seen.created.add(name);
    else if (what === 'deleted') seen.deleted.add(name);
    else seen.gone.add(name);
  }
}

/** Each writer may have had one write that was durable but not yet acknowledged. */
async function expectNothingLost(store: Store, round: number, seen: Acknowledged): Promise<void> {
  const { there, gone } = seen;
  const gallery = await store.galleries.get('a', 'main');
  const stored = new Set((await store.faces.list(gallery!.id)).map((face) => face.userId));
  const missing = [...there].filter((userId) => !gone.has(userId) && !stored.has(userId));
  const extra = [...stored].filter((userId) => !there.has(userId));
  expect([...gone].filter((userId) => stored.has(userId))).toEqual([]);
  expect(missing.length + extra.length).toBeLessThanOrEqual(writers);
  expect(missing.filter((userId) => !isRemovedNext(userId, round))).toEqual([]);
  for (const userId of missing) gone.add(userId);
  for (const userId of extra) there.add(userId);

  expect(gallery).toMatchObject({ faces: stored.size, version: there.size + gone.size });
  expect((await allFaces(store, gallery!.id))?.total).toBe(stored.size);
  const { used } = (await store.clients.get('a'))!;
  const hits = used.hits - seen.hits;
  expect(hits >= 0 && hits <= writers).toBe(true);
  seen.hits = used.hits;
}

/** One gallery at a time is written, so one creation or deletion may not have been acknowledged. */
async function expectGalleries(store: Store, seen: Acknowledged): Promise<void> {
  const { there, gone, created, deleted } = seen;
  const all = (await store.galleries.list('a')).filter(({ galleryId }) => galleryId !== 'main');
  const stored = new Set(all.map(({ galleryId }) => galleryId));
  expect([...deleted].filter((name) => stored.has(name))).toEqual([]);
  const missing = [...created].filter((name) => !deleted.has(name) && !stored.has(name));
  const extra = [...stored].filter((name) => !created.has(name));
  expect(missing.length + extra.length).toBeLessThanOrEqual(1);
  for (const name of missing) deleted.add(name);
  for (const name of extra) created.add(name);
  for (const name of extra) seen.incomplete.add(name);
  const complete = all.filter(({ galleryId }) => !seen.incomplete.has(galleryId));
  expect(complete.filter(({ faces }) => faces !== 1)).toEqual([]);
  const faces = all.reduce((sum, gallery) => sum + gallery.faces, 0);
  expect((await store.clients.get('a'))!.used.faces).toBe(there.size - gone.size + faces);
}

/** The child removes every third of five. */
function isRemovedNext(userId: string, round: number): boolean {
  return userId.startsWith(`${round}-`) && Number(userId.split('-')[2]) % 5 === 2;
}
