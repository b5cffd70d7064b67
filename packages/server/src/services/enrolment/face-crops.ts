import { Refusal } from '../../errors.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { galleryOf, userOf } from '../galleries/lookup.ts';
import type { Caller } from '../services.ts';

/** What is kept of the pictures that faces were enrolled with. */
export interface FaceCropService {
  /**
   * The newest crop of a person.
   * @returns a JPEG
   * @throws Refusal `galleryNotFound` | `userNotFound` | `denied` when none is kept
   */
  get(caller: Caller, input: { galleryId: string; userId: string }): Promise<Uint8Array>;
}

export function createFaceCropService({
  store,
  vault,
  events,
}: Pick<ServiceDependencies, 'store' | 'vault' | 'events'>): FaceCropService {
  return {
    async get(caller, { galleryId, userId }) {
      const gallery = await galleryOf(store, caller, galleryId);
      await userOf(store, gallery, userId);
      const newest = (await store.crops.get(gallery.id, userId)).at(-1);
      if (!newest) throw noCrop();
      const { jpeg } = vault.gallery(gallery).openCrop(userId, newest);
      events.cropShown(caller, { facegallery_id: galleryId });
      return jpeg;
    },
  };
}

function noCrop(): Refusal {
  return new Refusal(
    'denied',
    'user_id: no face crop is kept of this user; crops are kept of faces that are enrolled while the operator has WAJAH_KEEP_FACE_CROPS=true',
  );
}
