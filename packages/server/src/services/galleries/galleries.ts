import { Refusal } from '../../errors.ts';
import { noGalleriesLeft, registeredClient } from '../accounts/clients.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { GalleryService } from '../services.ts';
import { galleryOf, noGallery } from './lookup.ts';

/** The galleries of a client. */
export function createGalleryService({
  store,
  matcher,
  vault,
  events,
  activity,
}: Pick<ServiceDependencies, 'store' | 'matcher' | 'vault' | 'events' | 'activity'>): GalleryService {
  return {
    async list(caller) {
      await registeredClient(store, caller);
      const galleries = await store.galleries.list(caller.clientId);
      return galleries.map((gallery) => gallery.galleryId);
    },

    async create(caller, galleryId, requireLiveness = false) {
      await registeredClient(store, caller);
      const { clientId } = caller;
      const newKey = (id: number) => vault.wrapNewKey(clientId, id);
      const gallery = await store.galleries.create(clientId, galleryId, newKey, requireLiveness);
      if (gallery === 'quota') throw noGalleriesLeft();
      if (gallery === 'exists') {
        throw new Refusal(
          'galleryExists',
          'facegallery_id: you have a gallery of this name already; choose another name or use it as it is',
        );
      }
      events.galleryCreated(caller, { facegallery_id: galleryId });
    },

    async remove(caller, galleryId) {
      const gallery = await galleryOf(store, caller, galleryId);
      activity.forget({ clientId: caller.clientId, galleryId });
      if (!(await store.galleries.remove(caller.clientId, galleryId))) throw noGallery();
      matcher.evict(gallery.id);
      events.galleryRemoved(caller, { facegallery_id: galleryId, faces: gallery.faces });
    },
  };
}
