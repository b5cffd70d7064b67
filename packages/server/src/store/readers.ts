import type { ReaderOptions } from './options.ts';
import type { FrameReader } from './session-store.ts';
import type { FaceStore } from './store.ts';

/** Reads faces over its own connections. */
export interface FaceReader extends Pick<FaceStore, 'slice' | 'get' | 'list'> {
  close(): Promise<void>;
}

/**
 * Opens the faces of a store that another thread has opened, without checks or migrations.
 * @throws the driver's error when the SQLite file cannot be opened; PostgreSQL is connected to by the first read
 */
export async function openFaceReader(options: ReaderOptions): Promise<FaceReader> {
  // Imported on demand: each driver takes memory in each thread.
  if (options.kind === 'sqlite')
    return (await import('./sqlite/faces/face-reader.ts')).sqliteReader(options.file);
  return (await import('./postgres/faces/face-reader.ts')).postgresReader(options.options);
}

/** Opens the frames of a store, as `openFaceReader`. */
export async function openFrameReader(options: ReaderOptions): Promise<FrameReader> {
  if (options.kind === 'sqlite')
    return (await import('./sqlite/frame-reader.ts')).sqliteFrameReader(options.file);
  return (await import('./postgres/frame-reader.ts')).postgresFrameReader(options.options);
}
