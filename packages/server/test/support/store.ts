import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Quota } from '../../src/store/client-store.ts';
import type { GallerySnapshot } from '../../src/store/face-store.ts';
import type { GalleryRecord } from '../../src/store/gallery-store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryDirectory } from './temporary.ts';

export const unlimited: Quota = { hits: -1, faces: -1, galleries: -1 };

/** A real store; it is closed when the test ends. */
export function openStore(directory = temporaryDirectory()): Store {
  mkdirSync(directory, { recursive: true });
  const store = openSqliteStore(join(directory, 'wajah.db'));
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

/** Stores templates of the next embedding spec of a gallery of alice. */
export async function storeNext(
  store: Store,
  gallery: number,
  embeddingSpec: string,
  templates: Parameters<Store['templateMigration']['storeTemplates']>[2],
): Promise<boolean> {
  const { wrappedKey } = (await store.galleries.list('alice')).find(({ id }) => id === gallery)!;
  return store.templateMigration.storeTemplates(gallery, embeddingSpec, templates, wrappedKey);
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
