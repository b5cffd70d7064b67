// Owns a data directory and enrols for ever, printing each user_id only after the store has acknowledged it.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { ownDataDirectory } from '../../dist/store/data-directory.js';
import { openSqliteStore } from '../../dist/store/sqlite/open.js';

const [directory, round] = process.argv.slice(2);
ownDataDirectory(directory);
const store = openSqliteStore(join(directory, 'wajah.db'));
await store.clients.create({
  clientId: 'a',
  passwordHash: null,
  quota: { hits: -1, faces: -1, galleries: -1 },
});
await store.clients.register('a', new Date());
await store.galleries.create('a', 'main', () => Buffer.alloc(61));
const gallery = await store.galleries.get('a', 'main');
for (let i = 0; ; i++) {
  await store.clients.takeHit('a');
  const userId = `${round}-${i}`;
  const template = Buffer.alloc(541, i);
  const seq = await store.faces.enrol(
    gallery.id,
    { userId, userName: userId, template, contract: 'c' },
    false,
  );
  writeSync(1, `enrolled ${userId} ${seq}\n`);
  if (i % 5 !== 4) continue;
  const gone = `${round}-${i - 2}`;
  await store.faces.remove(gallery.id, gone);
  writeSync(1, `removed ${gone}\n`);
}
