import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Session } from '../../src/store/database/session.ts';
import { SqliteDatabase } from '../../src/store/database/sqlite.ts';
import type { Quota } from '../../src/store/ports/clients.ts';
import type { GallerySnapshot } from '../../src/store/ports/faces.ts';
import type { GalleryRecord } from '../../src/store/ports/galleries.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { openConnections, openPostgresStore } from '../../src/store/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { patientStatementMs } from './patient.ts';
import { temporaryDirectory } from './temporary.ts';

export const unlimited: Quota = { hits: -1, faces: -1, galleries: -1 };

/** The file of each store, or the URL of its database. */
const databases = new WeakMap<Store, string>();

/** @param database a file, or a URL */
export function remember(store: Store, database: string): void {
  databases.set(store, database);
}

/** Works over a connection of its own to the database of a store, as somebody does who has no key. */
export async function withConnection<T>(store: Store, work: (db: Session) => Promise<T>): Promise<T> {
  const database = databases.get(store)!;
  if (!database.startsWith('postgres')) {
    const db = new SqliteDatabase(database);
    return work(db.shared).finally(() => db.close());
  }
  const db = openConnections({ url: database, timeoutMs: patientStatementMs });
  return work(db).finally(() => db.close());
}

/** A store in a database, whose statements may wait for other programs. */
export function openDatabaseStore(url: string, options: { connections?: number } = {}) {
  return openPostgresStore({ url, timeoutMs: patientStatementMs, ...options });
}

/** A real store; it is closed when the test ends. */
export function openStore(directory = temporaryDirectory()): Store {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'wajah.db');
  const store = openSqliteStore(file);
  remember(store, file);
  onTestFinished(() => store.close());
  return store;
}

const prepared = new Map<(store: Store) => Promise<unknown>, Promise<string>>();

/** A copy of a store that `prepare` wrote; it is written once. */
export async function openPreparedStore(
  prepare: (store: Store) => Promise<unknown>,
  directory = temporaryDirectory(),
): Promise<Store> {
  const source = prepared.get(prepare) ?? preparedDirectory(prepare);
  prepared.set(prepare, source);
  cpSync(await source, directory, { recursive: true });
  return openStore(directory);
}

async function preparedDirectory(prepare: (store: Store) => Promise<unknown>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'wajah-prepared-'));
  const store = openSqliteStore(join(directory, 'wajah.db'));
  await prepare(store);
  await store.close();
  return directory;
}

/** Gallery `main` of a client, which is created and registered if it does not exist. */
export async function newGallery(
  store: Store,
  clientId = 'alice',
  quota = unlimited,
): Promise<GalleryRecord> {
  await store.clients.create({ clientId, passwordHash: null, quota });
  await store.clients.register(clientId, new Date());
  const gallery = await store.galleries.create(clientId, 'main', (id) => Buffer.from(`key ${id}`));
  if (typeof gallery === 'string') throw new Error(gallery);
  return gallery;
}

/** A face for the store; its template is arbitrary bytes. */
export function face(userId: string, text = userId) {
  return {
    userId,
    userName: `name of ${text}`,
    template: Buffer.from(`template ${text}`),
    embeddingSpec: 'c',
  };
}

/** All faces of a gallery written after version `since`; null when there is no such gallery. */
export function allFaces(store: Store, gallery: number, since = 0): Promise<GallerySnapshot | null> {
  return store.faces.slice(gallery, since, 1_000_000);
}
