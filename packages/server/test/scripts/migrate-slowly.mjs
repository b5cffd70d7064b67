// Switches a gallery to another embedding spec and prints its version after each turn of the event loop.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDirectory } from '../../dist/store/data-directory.js';
import { openSqliteStore } from '../../dist/store/sqlite-store.js';

const [directory, embeddingSpec, at] = process.argv.slice(2);
lockDataDirectory(directory);
const store = openSqliteStore(join(directory, 'wajah.db'));
const { id } = await store.galleries.get('alice', 'main');
let switched = false;
store.templateMigration.switchGallery(id, embeddingSpec, new Date(Number(at))).then(() => {
  switched = true;
});
while (!switched) {
  const { migrating, version } = await store.galleries.get('alice', 'main');
  if (migrating) {
    writeSync(1, `${version}\n`);
    // Gives the reader of the line time to act on it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  await new Promise(setImmediate);
}
