import { randomUUID } from 'node:crypto';
import { maxTemplates } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import { noGallery } from '../galleries/lookup.ts';
import type { PictureIds } from './ports.ts';

/** Faces that ids are given to at once; each may have 50 pictures, and each id is a row. */
const sliceFaces = 100;

/** Galleries whose version is remembered. */
const mostGalleries = 10_000;

/** The ids of pictures, assigned as they are read. */
export function createPictureIds(store: Pick<Store, 'faces' | 'pictures'>): PictureIds {
  /** Version up to which the pictures of a gallery have ids, by internal number. */
  const complete = new Map<number, number>();
  const assign = async (gallery: GalleryRecord): Promise<void> => {
    for (let after = complete.get(gallery.id) ?? 0; after < gallery.version; ) {
      const part = await store.faces.slice(gallery.id, after, sliceFaces);
      if (!part) throw noGallery();
      if (part.faces.length > 0) await store.pictures.assign(gallery.id, part.faces.map(unnamed));
      after = part.faces.length === sliceFaces ? (part.faces.at(-1)?.seq ?? after) : part.version;
    }
    if (complete.size >= mostGalleries) complete.clear();
    complete.set(gallery.id, Math.max(gallery.version, complete.get(gallery.id) ?? 0));
  };
  return {
    async find(gallery, pictureId) {
      await assign(gallery);
      return store.pictures.get(gallery.id, pictureId);
    },
    async of(gallery, userId) {
      await assign(gallery);
      const rows = await store.pictures.page(gallery.id, { userId, offset: 0, limit: maxTemplates });
      return rows.map(({ pictureId }) => pictureId);
    },
    async count(gallery, userId) {
      await assign(gallery);
      return store.pictures.count(gallery.id, userId);
    },
    async page(gallery, page) {
      await assign(gallery);
      return store.pictures.page(gallery.id, page);
    },
  };
}

function unnamed({ userId, seq, template }: { userId: string; seq: number; template: Uint8Array }) {
  return { userId, seq, ids: Array.from({ length: countTemplates(template) }, () => randomUUID()) };
}

/** The field tells it from a user that is not there. */
export function noPicture(pictureId: string): Refusal {
  return new Refusal('pictureNotFound', { picture: pictureId });
}
