import { SqliteDatabase } from './connection/database.ts';
import { countCrops } from './faces/crops.ts';
import { migrations } from './migrations/migrate.ts';

/** What is to be known of an embedded database, also while a server has it open. */
interface SqliteFacts {
  /** "ok", or the first thing that is wrong. */
  readonly soundness: string;
  readonly schema: number;
  readonly newestSchema: number;
  readonly keyCheck: string | null;
  /** Face crops that are stored. */
  readonly crops: number;
}

/** Looks at a database without changing it. @throws the driver's error when it is none */
export function inspectSqlite(file: string): SqliteFacts {
  const db = new SqliteDatabase(file);
  try {
    const [finding] = db.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    const schema = db.get<{ number: number }>('SELECT coalesce(max(number), 0) AS number FROM migrations');
    const check = db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'master_key_check'");
    return {
      soundness: finding?.quick_check ?? 'no answer',
      schema: schema?.number ?? 0,
      newestSchema: migrations.length,
      keyCheck: check?.value ?? null,
      crops: hasCrops(db) ? countCrops(db) : 0,
    };
  } finally {
    db.close();
  }
}

/** A database that an older version made has no such table. */
function hasCrops(db: SqliteDatabase): boolean {
  return db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'face_crops'") !== undefined;
}
