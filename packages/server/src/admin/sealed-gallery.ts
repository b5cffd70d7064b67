import type { GalleryRecord } from '../store/store.ts';
import { toBase64 } from './inputs.ts';

/** A gallery with what is needed to open and seal its templates. */
export type SealedGallery = ReturnType<typeof sealedGallery>;

/** With the wrapped keys in base64. */
export function sealedGallery({ id, clientId, galleryId, embeddingSpec, faces, ...gallery }: GalleryRecord) {
  const wrappedKey = toBase64(gallery.wrappedKey);
  const formerKey = gallery.formerKey && toBase64(gallery.formerKey);
  return { id, clientId, galleryId, wrappedKey, formerKey, embeddingSpec, faces };
}
