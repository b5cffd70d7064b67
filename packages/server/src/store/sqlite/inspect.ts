import { SqliteDatabase } from './connection/database.ts';
import { findDamage } from './connection/integrity.ts';
import { migrations } from './migrate.ts';

/** State of an embedded database; a server may have it open. */
interface SqliteFacts {
  /** The first fault of the file; null: it is sound. */
  readonly damage: string | null;
  readonly schema: number;
  readonly newestSchema: number;
  readonly keyCheck: string | null;
  /** Face crops that are stored. */
  readonly crops: number;
}

/** Reads the state of a database. @throws the driver's error when the file is no database */
export function inspectSqlite(file: string): SqliteFacts {
  const db = new SqliteDatabase(file);
  try {
    const schema = db.get<{ number: number }>('SELECT coalesce(max(number), 0) AS number FROM migrations');
    const check = db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'master_key_check'");
    return {
      damage: findDamage(db),
      schema: schema?.number ?? 0,
      newestSchema: migrations.length,
      keyCheck: check?.value ?? null,
      crops: countCrops(db),
    };
  } finally {
    db.close();
  }
}

/** A database of an older schema has no such table. */
function countCrops(db: SqliteDatabase): number {
  if (!db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'face_crops'")) return 0;
  return db.get<{ count: number }>('SELECT count(*) AS count FROM face_crops')?.count ?? 0;
}
