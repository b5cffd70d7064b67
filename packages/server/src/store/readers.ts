import type { PostgresOptions, ReaderOptions } from './database/session.ts';
import { createFaceStore, type FaceStore } from './face-store.ts';

/** Reads faces over its own connections. */
export interface FaceReader extends Pick<FaceStore, 'slice' | 'get' | 'list'> {
  close(): Promise<void>;
}

/** Slices of one gallery are read one after the other: this allows two at a time. */
const connections = 2;

/**
 * Opens the faces of a store that another thread has opened, without checks or migrations.
 * @throws the driver's error when the SQLite file cannot be opened; PostgreSQL is connected to by the first read
 */
export async function openFaceReader(options: ReaderOptions): Promise<FaceReader> {
  const { db, close } = await openReader(options);
  const { slice, get, list } = createFaceStore(db);
  return { slice, get, list, close };
}

async function openReader(options: ReaderOptions) {
  // Imported on demand: each driver takes memory in each thread.
  if (options.kind === 'postgres') return openPostgresReader(options.options);
  const { SqliteDatabase } = await import('./database/sqlite.ts');
  // WAL mode allows reads while another connection writes.
  const db = new SqliteDatabase(options.file, undefined, true);
  return { db: db.shared, close: async () => db.close() };
}

async function openPostgresReader(options: PostgresOptions) {
  const { openConnections } = await import('./postgres-store.ts');
  const db = openConnections({ ...options, connections });
  return { db, close: () => db.close() };
}
