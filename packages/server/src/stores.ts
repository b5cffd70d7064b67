// What `@wajah/tools` needs of the store. The drivers of databases are loaded with it.

export type { AuditStore } from './store/ports/audit.ts';
export type { GalleryRecord } from './store/ports/galleries.ts';
export type { MetaStore } from './store/ports/meta.ts';
export type { NewTemplate, PendingFace } from './store/ports/reembedding.ts';
export type { Store } from './store/ports/store.ts';

import * as postgresMigrations from './store/database/postgres-migrations.ts';
import * as sqliteMigrations from './store/database/sqlite-migrations.ts';

export { withOwnStore } from './operations/own-store.ts';
export { copySigningKeys } from './security/keys/signing-keys.ts';
export { createAuditStore } from './store/audit-store.ts';
export { findDamage } from './store/database/integrity.ts';
export { openingFault } from './store/database/opening-fault.ts';
export { type PgSession, PostgresDatabase } from './store/database/postgres.ts';
export { formerTables, migrations, newestSchema, oldestSchema } from './store/database/schema.ts';
export type { Database, PostgresOptions, Session, SqlValue } from './store/database/session.ts';
export { SqliteDatabase } from './store/database/sqlite.ts';
export { requireKnown } from './store/database/sqlite-migrations.ts';
export { tables } from './store/database/tables.ts';
export type { Table } from './store/database/types.ts';
export { requireKnownSchema } from './store/database/upgrade.ts';
export { requireNoLoss } from './store/lost-data.ts';
export { createMetaStore } from './store/meta-store.ts';
export { packOfNextStart } from './store/next-pack.ts';
export { openConnections } from './store/postgres-store.ts';
export { requireNoLease } from './store/process-lease.ts';
export { plain } from './store/rows.ts';
export { postgresMigrations, sqliteMigrations };
