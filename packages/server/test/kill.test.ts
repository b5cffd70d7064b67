import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import { ended, linesOf, startChild } from './support/child.ts';
import { rounds } from './support/long.ts';
import { allFaces } from './support/store.ts';
import { temporaryDirectory } from './support/temporary.ts';

const kills = rounds(10, 200);
const writers = 8;

it(`a process that is killed while ${writers} write loses no acknowledged write, and its counters match its rows`, async () => {
  const directory = temporaryDirectory();
  const seen = { there: new Set<string>(), gone: new Set<string>(), hits: 0 };
  for (let round = 0; round < kills; round++) {
    await killWhileWriting(directory, round, seen);
    await expectNothingLost(directory, round, seen);
  }
});

interface Acknowledged {
  readonly there: Set<string>;
  readonly gone: Set<string>;
  hits: number;
}

async function killWhileWriting(directory: string, round: number, seen: Acknowledged): Promise<void> {
  const child = startChild('enrol-in-a-loop.mjs', directory, String(round), String(writers));
  let left = 40 + ((round * 37) % 100);
  for await (const line of linesOf(child)) {
    const [what, userId = ''] = line.split(' ');
    if (what === 'hit') seen.hits++;
    else if (what === 'enrolled') seen.there.add(userId);
    else seen.gone.add(userId);
    if (--left === 0) child.kill('SIGKILL');
  }
  await ended(child);
  expect(child.signalCode).toBe('SIGKILL');
}

/** Each writer may have had one write that was durable but not yet acknowledged. */
async function expectNothingLost(directory: string, round: number, seen: Acknowledged): Promise<void> {
  const { there, gone } = seen;
  const store = openSqliteStore(join(directory, 'wajah.db'));
  const gallery = await store.galleries.get('a', 'main');
  const stored = new Set((await store.faces.list(gallery!.id)).map((face) => face.userId));
  const missing = [...there].filter((userId) => !gone.has(userId) && !stored.has(userId));
  const extra = [...stored].filter((userId) => !there.has(userId));
  expect([...gone].filter((userId) => stored.has(userId))).toEqual([]);
  expect(missing.length + extra.length).toBeLessThanOrEqual(writers);
  expect(missing.filter((userId) => !isRemovedNext(userId, round))).toEqual([]);
  for (const userId of missing) gone.add(userId);
  for (const userId of extra) there.add(userId);

  const client = await store.clients.get('a');
  expect(client?.used.faces).toBe(stored.size);
  expect(gallery).toMatchObject({ faces: stored.size, version: there.size + gone.size });
  expect((await allFaces(store, gallery!.id))?.total).toBe(stored.size);
  const hits = client!.used.hits - seen.hits;
  expect(hits >= 0 && hits <= writers).toBe(true);
  seen.hits = client!.used.hits;
  await store.close();
}

/** The child removes every third of five. */
function isRemovedNext(userId: string, round: number): boolean {
  return userId.startsWith(`${round}-`) && Number(userId.split('-')[2]) % 5 === 2;
}
