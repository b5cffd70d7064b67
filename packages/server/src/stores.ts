// What `@wajah/tools` needs of the store. The drivers of databases are loaded with it.

export type { AuditStore, MetaStore } from './store/ports.ts';

import * as postgresMigrations from './store/database/postgres-migrations.ts';
import * as sqliteMigrations from './store/database/sqlite-migrations.ts';

export { copySigningKeys } from './security/keys/signing-keys.ts';
export { createAuditStore } from './store/audit-store.ts';
export { findDamage } from './store/database/integrity.ts';
export { type PgSession, PostgresDatabase } from './store/database/postgres.ts';
export { migrations } from './store/database/schema.ts';
export type { Database, PostgresOptions, Session, SqlValue } from './store/database/session.ts';
export { SqliteDatabase } from './store/database/sqlite.ts';
export { requireKnown } from './store/database/sqlite-migrations.ts';
export { type Table, tables } from './store/database/tables.ts';
export { requireKnownSchema } from './store/database/upgrade.ts';
export { createMetaStore } from './store/meta-store.ts';
export { openConnections } from './store/postgres-store.ts';
export { requireNoLease } from './store/process-lease.ts';
export { plain } from './store/rows.ts';
export { openingFault } from './store/sqlite-store.ts';
export { postgresMigrations, sqliteMigrations };
