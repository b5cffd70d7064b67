import { SqliteDatabase } from '../connection/database.ts';
import { sqliteFaces } from './faces.ts';

/** Reads over a read-only connection; WAL mode allows it while another connection writes. */
export function sqliteReader(file: string) {
  const db = new SqliteDatabase(file, undefined, true);
  const { slice, get, list } = sqliteFaces(db);
  return {
    slice: async (...args: Parameters<typeof slice>) => db.readTransaction(() => slice(...args)),
    get,
    list,
    close: async () => db.close(),
  };
}
