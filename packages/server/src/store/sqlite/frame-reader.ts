import type { FrameReader } from '../session-store.ts';
import { sqlFrames } from '../sql/frames.ts';
import { SqliteDatabase } from './connection/database.ts';

/** Reads over a read-only connection; WAL mode allows it while another connection writes. */
export function sqliteFrameReader(file: string): FrameReader {
  const db = new SqliteDatabase(file, undefined, true);
  return { ...sqlFrames(db.executor), close: async () => db.close() };
}
