// Enrols, removes, and creates and deletes galleries concurrently without end, in a data directory or a PostgreSQL
// database; prints each write after the store has acknowledged it.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDirectory } from '../../dist/store/data-directory.js';
import { openPostgresStore } from '../../dist/store/postgres-store.js';
import { openSqliteStore } from '../../dist/store/sqlite-store.js';

const [place, round, writers] = process.argv.slice(2);
const store = place.startsWith('postgres:')
  ? await openPostgresStore({ url: place, timeoutMs: 120_000 })
  : openDirectory(place);

function openDirectory(directory) {
  lockDataDirectory(directory);
  return openSqliteStore(join(directory, 'wajah.db'));
}

await store.clients.create({
  clientId: 'a',
  passwordHash: null,
  quota: { hits: -1, faces: -1, galleries: -1 },
});
await store.clients.register('a', new Date());
await store.galleries.create('a', 'main', () => Buffer.alloc(61));
const gallery = await store.galleries.get('a', 'main');

/** One of several independent writers. */
async function write(writer) {
  for (let i = 0; ; i++) {
    if ((await store.clients.takeHits('a')) !== null) writeSync(1, 'hit\n');
    const userId = `${round}-${writer}-${i}`;
    const face = { userId, userName: userId, template: Buffer.alloc(541, i), embeddingSpec: 'c' };
    const seq = await store.faces.put(gallery.id, face, false);
    writeSync(1, `enrolled ${userId} ${seq}\n`);
    if (i % 5 !== 4) continue;
    const gone = `${round}-${writer}-${i - 2}`;
    await store.faces.remove(gallery.id, gone);
    writeSync(1, `removed ${gone}\n`);
  }
}

/** Creates galleries of one face, and deletes every other one. */
async function writeGalleries() {
  for (let i = 0; ; i++) {
    const name = `${round}-${i}`;
    const { id } = await store.galleries.create('a', name, () => Buffer.alloc(61));
    const face = { userId: name, userName: name, template: Buffer.alloc(541), embeddingSpec: 'c' };
    await store.faces.put(id, face, false);
    writeSync(1, `created ${name}\n`);
    if (i % 2 === 0) continue;
    await store.galleries.remove('a', name);
    writeSync(1, `deleted ${name}\n`);
  }
}

void writeGalleries();
await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => write(writer)));
