import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { erasedEvent, type ToldErasure } from './erased-event.ts';

/**
 * Erases a person of a gallery from the store, the matcher and the statistics of the gallery.
 * @param told to the endpoints of the client
 * @param expiredBy only if the person's time has ended by then
 * @returns false when nobody was erased
 */
export async function eraseFace(
  {
    store,
    matcher,
    cohorts,
    outbox,
  }: Pick<ServiceDependencies, 'store' | 'matcher' | 'outbox'> & {
    /** Null: a process without an engine; servers renew the statistics later. */
    readonly cohorts: Pick<ServiceDependencies['cohorts'], 'faceErased'> | null;
  },
  gallery: GalleryRecord,
  userId: string,
  told: ToldErasure,
  expiredBy?: Date,
): Promise<boolean> {
  const event = erasedEvent({ outbox }, gallery, userId, told);
  const version = await store.faces.remove(gallery.id, userId, { expiredBy, event });
  if (version === false) return false;
  if (event) outbox?.written();
  matcher.faceRemoved(gallery.id, userId, version);
  cohorts?.faceErased({ ...gallery, version }, userId);
  return true;
}
