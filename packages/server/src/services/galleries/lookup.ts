import { phrase } from '@wajah/contract/refusals';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { StoredFace } from '../../store/ports/faces.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';

/**
 * A gallery of the caller.
 * @throws Refusal `galleryNotFound`, also for a gallery of another client
 */
export async function galleryOf(
  store: Pick<Store, 'galleries'>,
  caller: Pick<Caller, 'clientId'>,
  facegalleryId: string,
): Promise<GalleryRecord> {
  const gallery = await store.galleries.get(caller.clientId, facegalleryId);
  if (!gallery) throw noGallery();
  return gallery;
}

export function noGallery(): Refusal {
  return new Refusal('galleryNotFound');
}

/** Whether crops of faces that are enrolled in a gallery are kept: the operator may forbid it. */
export function keepsCrops(
  { keepFaceCrops }: Pick<Config, 'keepFaceCrops'>,
  { keepCrops }: Pick<GalleryRecord, 'keepCrops'>,
): boolean {
  return keepFaceCrops !== false && (keepCrops ?? keepFaceCrops === true);
}

/** Whether consent or retention of a person has ended: the person is about to be erased, and treated as if that were done. */
export function hasEnded({ endsAt }: Pick<StoredFace, 'endsAt'>, now: Date = new Date()): boolean {
  return endsAt !== null && endsAt <= now;
}

/** @throws Refusal `userNotFound`, also when the time of the person has ended */
export async function userOf(
  store: Pick<Store, 'faces'>,
  gallery: GalleryRecord,
  userId: string,
): Promise<StoredFace> {
  const face = await store.faces.get(gallery.id, userId);
  if (!face || hasEnded(face)) throw noUser();
  return face;
}

/** @throws Refusal `userSuspended` */
export function requireMatched({ suspendedAt }: Pick<StoredFace, 'suspendedAt'>): void {
  if (suspendedAt) throw suspended(suspendedAt);
}

export function suspended(at: Date | null): Refusal {
  return new Refusal('userSuspended', { since: at ? phrase('since', { at: at.toISOString() }) : undefined });
}

export function noUser(): Refusal {
  return new Refusal('userNotFound');
}

/** For `catch`: another answer when the user or picture is gone. Other errors are thrown again. */
export function ifGone<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Refusal && error.status === 'userNotFound') return answer;
    throw error;
  };
}

/** Of all clients. */
export async function allGalleries(store: Pick<Store, 'clients' | 'galleries'>): Promise<GalleryRecord[]> {
  const all: GalleryRecord[] = [];
  for (const { clientId } of await store.clients.list()) all.push(...(await store.galleries.list(clientId)));
  return all;
}
