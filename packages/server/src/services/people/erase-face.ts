import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';

/**
 * Erases a person of a gallery from the store, the matcher and the statistics of the gallery.
 * @param expiredBy only if the person's time has ended by then
 * @returns false when nobody was erased
 */
export async function eraseFace(
  {
    store,
    matcher,
    cohorts,
  }: Pick<ServiceDependencies, 'store' | 'matcher'> & {
    /** Null: a process without an engine; servers renew the statistics later. */
    readonly cohorts: Pick<ServiceDependencies['cohorts'], 'faceErased'> | null;
  },
  gallery: GalleryRecord,
  userId: string,
  expiredBy?: Date,
): Promise<boolean> {
  const version = await store.faces.remove(gallery.id, userId, expiredBy);
  if (version === false) return false;
  matcher.faceRemoved(gallery.id, userId, version);
  cohorts?.faceErased({ ...gallery, version }, userId);
  return true;
}
