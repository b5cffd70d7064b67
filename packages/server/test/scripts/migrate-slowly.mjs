// Carries a gallery over to a contract and prints its version after each turn of the event loop.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { ownDataDirectory } from '../../dist/store/data-directory.js';
import { openSqliteStore } from '../../dist/store/sqlite/open.js';

const [directory, contract, at] = process.argv.slice(2);
ownDataDirectory(directory);
const store = openSqliteStore(join(directory, 'wajah.db'));
const { id } = await store.galleries.get('alice', 'main');
let carried = false;
store.carry.carry(id, contract, new Date(Number(at))).then(() => {
  carried = true;
});
while (!carried) {
  const { carrying, version } = await store.galleries.get('alice', 'main');
  if (carrying) {
    writeSync(1, `${version}\n`);
    // So that whoever reads the line can act on it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  await new Promise(setImmediate);
}
