import type { GalleryRecord } from '../../store/store.ts';
import type { OutboxEvent } from '../../store/webhook-store.ts';
import type { ServiceDependencies } from '../dependencies.ts';

/** Why a person is erased: by their client or operator, or at the end of retention or consent. */
export interface ToldErasure {
  readonly trxId: string | null;
  readonly reason: 'deleted' | 'expired';
}

/** The event of an erasure, for its transaction; undefined when nobody wants it. */
export function erasedEvent(
  { outbox }: Pick<ServiceDependencies, 'outbox'>,
  { clientId, galleryId }: GalleryRecord,
  userId: string,
  { trxId, reason }: ToldErasure,
): OutboxEvent | undefined {
  return outbox?.create('face.erased', { clientId, trxId, galleryId, userId }, { reason });
}
