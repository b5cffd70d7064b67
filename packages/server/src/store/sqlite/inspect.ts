import { readContents, type StoreContents } from '../contents.ts';
import { newestSchema, specColumn } from '../schema.ts';
import { SqliteDatabase } from './connection/database.ts';
import { findDamage } from './connection/integrity.ts';
import { migratedBy, schemaNumber } from './migrate.ts';
import { openingFault } from './open.ts';

/** State of an embedded database; a server may have it open. */
interface SqliteFacts {
  /** The first fault of the file, and what to do; null: it is sound. */
  readonly damage: string | null;
  readonly schema: number;
  readonly newestSchema: number;
  /** Version of the program that last migrated it; null: not recorded. */
  readonly migratedBy: string | null;
  /** Null: the database has no tables yet. */
  readonly contents: StoreContents | null;
}

/** Reads the state of a database. @throws OperatorError when the file is no database, or another program holds it */
export async function inspectSqlite(file: string): Promise<SqliteFacts> {
  try {
    return await inspect(file);
  } catch (error) {
    throw openingFault(file, error);
  }
}

async function inspect(file: string): Promise<SqliteFacts> {
  const db = new SqliteDatabase(file, undefined, true);
  try {
    const schema = schemaNumber(db);
    return {
      damage: findDamage(db),
      schema,
      newestSchema: newestSchema('sqlite'),
      migratedBy: migratedBy(db),
      contents: schema > 0 ? await readContents(db.shared, specColumn('sqlite', schema)) : null,
    };
  } finally {
    db.close();
  }
}
