import type { FaceReader } from '../../face-reader.ts';
import { SqliteDatabase } from '../connection/database.ts';
import { sqliteFaces } from './faces.ts';

/** A connection that only reads: the log of the database (WAL) lets it read while another one writes. */
export function sqliteReader(file: string): FaceReader {
  const db = new SqliteDatabase(file, undefined, true);
  const faces = sqliteFaces(db);
  return {
    slice: async (gallery, after, limit) => db.readTransaction(() => faces.slice(gallery, after, limit)),
    get: faces.get,
    list: faces.list,
    close: async () => db.close(),
  };
}
