// Migrates all galleries of a store whose templates can be converted, and prints a line after each slice that is stored
// and when all is done.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createTemplateVault } from '../../dist/security/vaults/template-vault.js';
import { createTemplateMigration } from '../../dist/services/galleries/template-migration.js';
import { lockDataDirectory } from '../../dist/store/data-directory.js';
import { openPostgresStore } from '../../dist/store/postgres-store.js';
import { openSqliteStore } from '../../dist/store/sqlite-store.js';

const [place, key, templates] = process.argv.slice(2);
const isShared = place.startsWith('postgres:');
if (!isShared) lockDataDirectory(place);
const store = isShared ? await openPostgresStore({ url: place }) : openSqliteStore(join(place, 'wajah.db'));

/** Gives the reader of the line time to act on it. */
function say(line) {
  writeSync(1, `${line}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}

const templateMigration = {
  ...store.templateMigration,
  async storeTemplates(...slice) {
    const stored = await store.templateMigration.storeTemplates(...slice);
    say('stored');
    return stored;
  },
};
await createTemplateMigration({
  store: { ...store, templateMigration },
  vault: createTemplateVault(Buffer.from(key, 'hex')),
  engine: JSON.parse(templates),
  matcher: { evict: () => {} },
}).migrateAll();
say('done');
await store.close();
