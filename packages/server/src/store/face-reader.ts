import type { PostgresOptions } from './postgres/open.ts';
import type { FaceStore } from './store.ts';

/** Where another thread finds the faces of a store: it travels between threads. */
export type FaceReaderOptions =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly options: PostgresOptions };

/** Reads faces over connections of its own, so that reading much keeps no other thread busy. */
export interface FaceReader extends Pick<FaceStore, 'slice' | 'get' | 'list'> {
  close(): Promise<void>;
}

/**
 * Opens a store that another thread has opened: nothing is checked, made or upgraded.
 * @throws the driver's error when the file cannot be opened; a database that is away says so when it is read
 */
export async function openFaceReader(address: FaceReaderOptions): Promise<FaceReader> {
  // Loaded only where it is needed: a thread takes the memory for its drivers once more.
  if (address.kind === 'sqlite')
    return (await import('./sqlite/faces/face-reader.ts')).sqliteReader(address.file);
  return (await import('./postgres/faces/face-reader.ts')).postgresReader(address.options);
}
