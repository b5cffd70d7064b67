import type { GalleryRecord } from '../../store/store.ts';
import type { OutboxEvent } from '../../store/webhook-store.ts';
import type { ServiceDependencies } from '../dependencies.ts';

/** Why a person is erased: by their client or operator, or at the end of retention or consent. */
export interface ToldErasure {
  readonly trxId: string | null;
  readonly reason: 'deleted' | 'expired';
}

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
    events,
  }: Pick<ServiceDependencies, 'store' | 'matcher'> & {
    readonly events: Pick<ServiceDependencies['events'], 'webhookRow' | 'webhookWritten'>;
    /** Null: a process without an engine; servers renew the statistics later. */
    readonly cohorts: Pick<ServiceDependencies['cohorts'], 'faceErased'> | null;
  },
  gallery: GalleryRecord,
  userId: string,
  told: ToldErasure,
  expiredBy?: Date,
): Promise<boolean> {
  const event = erasedEvent(events, gallery, userId, told);
  const version = await store.faces.remove(gallery.id, userId, { expiredBy, event });
  if (version === false) return false;
  events.webhookWritten(event);
  matcher.faceRemoved(gallery.id, userId, version);
  cohorts?.faceErased({ ...gallery, version }, userId);
  return true;
}

/** The event of an erasure, for its transaction; undefined when nobody wants it. */
export function erasedEvent(
  events: Pick<ServiceDependencies['events'], 'webhookRow'>,
  { clientId, galleryId }: GalleryRecord,
  userId: string,
  { trxId, reason }: ToldErasure,
): OutboxEvent | undefined {
  return events.webhookRow('face.erased', { clientId, trxId, galleryId, userId }, { reason });
}
