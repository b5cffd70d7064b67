import { SealError } from '../../security/vaults/sealing.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';

/** A search may join one that was begun with the keys of before. */
const maxAttempts = 3;

/**
 * Opens what is sealed under the keys of a gallery. They may be replaced after the gallery was read (see `resealAll`);
 * then the work is repeated with the present ones.
 * @throws SealError when it does not open either
 */
export async function withPresentKeys<T>(
  store: Pick<Store, 'galleries'>,
  gallery: GalleryRecord,
  work: (gallery: GalleryRecord) => Promise<T>,
): Promise<T> {
  for (let now = gallery, attempt = 1; ; attempt++) {
    try {
      return await work(now);
    } catch (error) {
      if (!(error instanceof SealError) || attempt === maxAttempts) throw error;
      const found = await store.galleries.get(gallery.clientId, gallery.galleryId);
      if (found?.id !== gallery.id) throw error;
      now = found;
    }
  }
}
