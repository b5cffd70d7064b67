import type { GalleryRecord } from '../store/store.ts';

/** A gallery with what is needed to open and seal its templates. */
export type SealedGallery = ReturnType<typeof sealedGallery>;

/** With the wrapped keys in base64. */
export function sealedGallery({ id, clientId, galleryId, embeddingSpec, faces, ...gallery }: GalleryRecord) {
  const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const wrappedKey = toBase64(gallery.wrappedKey);
  const formerKey = gallery.formerKey && toBase64(gallery.formerKey);
  return { id, clientId, galleryId, wrappedKey, formerKey, embeddingSpec, faces };
}
