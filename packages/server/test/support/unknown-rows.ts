import { randomUUID } from 'node:crypto';
import type { UnknownFace } from '../../src/features/unknown/ports.ts';
import { createUnknownStore } from '../../src/features/unknown/store.ts';
import type { Store } from '../../src/store/ports/store.ts';

export const unknownStore = (store: Store) => store.part('unknown', createUnknownStore);

/** Adds an unknown person to a gallery, which then keeps them for a day. */
export async function addUnknown(
  store: Store,
  gallery: { readonly id: number; readonly clientId: string; readonly galleryId: string },
  face: Partial<UnknownFace> = {},
) {
  await store.galleries.updateSettings(gallery.clientId, gallery.galleryId, { keepUnknownHours: 24 });
  const [unknownId, now, bytes] = [randomUUID(), new Date(), Buffer.alloc(60)];
  const row = { unknownId, template: bytes, embeddingSpec: 'c', crop: bytes, ...face };
  const added = { ...row, firstSeenAt: now, lastSeenAt: now, seen: 1 };
  if (!(await unknownStore(store).add(gallery.id, added, 9))) throw new Error('nobody was added');
  return unknownId;
}
