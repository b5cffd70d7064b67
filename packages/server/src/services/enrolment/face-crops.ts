import type { UserRequest } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { galleryOf, userOf } from '../galleries/lookup.ts';

export type FaceCropService = ReturnType<typeof createFaceCropService>;

/** Reads the face crops that are kept with templates. */
export function createFaceCropService({
  store,
  vault,
  events,
}: Pick<ServiceDependencies, 'store' | 'vault' | 'events'>) {
  return {
    /**
     * The newest crop of a user, a JPEG.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `denied` when none is kept
     */
    async get(caller: Caller, { facegalleryId, userId }: UserRequest): Promise<Uint8Array> {
      const gallery = await galleryOf(store, caller, facegalleryId);
      await userOf(store, gallery, userId);
      const newest = (await store.crops.get(gallery.id, userId)).at(-1);
      if (!newest) {
        throw new Refusal(
          'denied',
          'user_id: no face crop is kept of this user; crops are kept of faces that are enrolled while the operator has WAJAH_KEEP_FACE_CROPS=true',
        );
      }
      const { jpeg } = vault.gallery(gallery).openCrop(userId, newest);
      events.cropShown(caller, { facegallery_id: facegalleryId });
      return jpeg;
    },
  };
}
