import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import { ended, linesOf, startChild } from './support/child.ts';
import { temporaryDirectory } from './support/temporary.ts';

const acknowledgementsBeforeKill = [25, 60, 41];

it('a process that is killed loses nothing that it acknowledged, and counts what is stored', async () => {
  const directory = temporaryDirectory();
  const there = new Set<string>();
  const gone = new Set<string>();
  for (const [round, count] of acknowledgementsBeforeKill.entries()) {
    const child = startChild('./enrol-in-a-loop.mjs', directory, String(round));
    let acknowledged = 0;
    for await (const line of linesOf(child)) {
      const [what, userId] = line.split(' ');
      if (what === 'enrolled') there.add(userId ?? '');
      else gone.add(userId ?? '');
      if (++acknowledged === count) child.kill('SIGKILL');
    }
    await ended(child);
    expect(child.signalCode).toBe('SIGKILL');

    const store = openSqliteStore(join(directory, 'wajah.db'));
    const gallery = await store.galleries.get('a', 'main');
    const faces = await store.faces.list(gallery!.id);
    const stored = new Set(faces.map((face) => face.userId));
    // One more write may have been durable without having been acknowledged: an enrolment or a removal.
    const missing = [...there].filter((userId) => !gone.has(userId) && !stored.has(userId));
    const back = [...gone].filter((userId) => stored.has(userId));
    const extra = [...stored].filter((userId) => !there.has(userId));
    expect(back).toEqual([]);
    expect(missing.length + extra.length).toBeLessThanOrEqual(1);
    expect(missing.every((userId) => userId.startsWith(`${round}-`) && isRemovedNext(userId))).toBe(true);
    for (const userId of missing) gone.add(userId);
    for (const userId of extra) there.add(userId);

    const client = await store.clients.get('a');
    expect(client?.used.faces).toBe(stored.size);
    expect(gallery).toMatchObject({ faces: stored.size, version: there.size + gone.size });
    expect((await store.faces.load(gallery!.id))?.total).toBe(stored.size);
    const hits = client!.used.hits - there.size;
    expect(hits === 0 || hits <= round + 1).toBe(true);
    await store.close();
  }
});

/** The child removes every third of five. */
function isRemovedNext(userId: string): boolean {
  return Number(userId.split('-')[1]) % 5 === 2;
}
