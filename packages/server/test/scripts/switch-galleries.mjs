// Switches the galleries of a store as the start of a server does, and prints a line before each transaction of it.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createTemplateVault } from '../../dist/security/vaults/template-vault.js';
import { switchGalleries } from '../../dist/services/galleries/template-migration.js';
import { lockDataDirectory } from '../../dist/store/data-directory.js';
import { openPostgresStore } from '../../dist/store/postgres-store.js';
import { openSqliteStore } from '../../dist/store/sqlite-store.js';

const [place, key, engine] = process.argv.slice(2);
const isShared = place.startsWith('postgres:');
if (!isShared) lockDataDirectory(place);
const store = isShared
  ? await openPostgresStore({ url: place, timeoutMs: 120_000 })
  : openSqliteStore(join(place, 'wajah.db'));

/** Says what begins. */
const told =
  (line, work) =>
  (...given) => {
    writeSync(1, `${line}\n`);
    return work(...given);
  };

const templateMigration = {
  ...store.templateMigration,
  storeTemplates: told('storing', store.templateMigration.storeTemplates),
  switchGallery: told('switching', store.templateMigration.switchGallery),
};
await switchGalleries({
  store: { ...store, templateMigration },
  vault: createTemplateVault(Buffer.from(key, 'hex')),
  engine: JSON.parse(engine),
  log: { info: () => undefined, warn: () => undefined },
});
writeSync(1, 'done\n');
await store.close();
