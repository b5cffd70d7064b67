import { Refusal } from '../../errors.ts';
import type { ClientRecord, Store } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Caller, ClientService } from '../services.ts';
import { firstGalleryOf } from './client-id.ts';

/** How an unlimited quota is answered: the largest 32-bit integer, which every caller's language can hold. */
export const unlimited = 2_147_483_647;

/** Clients as they see themselves: registering, erasing what they own, what they have left. */
export function createClientService({
  store,
  matcher,
  vault,
  events,
  config,
  activity,
}: Pick<
  ServiceDependencies,
  'store' | 'matcher' | 'vault' | 'events' | 'config' | 'activity'
>): ClientService {
  return {
    async register(caller) {
      const { clientId } = caller;
      const galleryId = firstGalleryOf(clientId);
      // A client of an external issuer has no record yet.
      await store.clients.create({ clientId, passwordHash: null, quota: config.quota });
      const client = await store.clients.get(clientId);
      if (client?.registeredAt) return { galleryId };
      // The gallery comes first: a call that breaks off between the two is made whole by the next one.
      const gallery = await store.galleries.create(clientId, galleryId, (id) =>
        vault.wrapNewKey(clientId, id),
      );
      if (gallery === 'quota') throw noGalleriesLeft();
      if (await store.clients.register(clientId, new Date())) events.clientRegistered(caller);
      return { galleryId };
    },

    async erase(caller) {
      await registeredClient(store, caller);
      const galleries = await store.galleries.list(caller.clientId);
      activity.forget({ clientId: caller.clientId });
      await store.clients.unregister(caller.clientId);
      for (const gallery of galleries) matcher.evict(gallery.id);
      events.clientErased(caller, { galleries: galleries.length });
      const remaining = await store.galleries.list(caller.clientId);
      return { galleryIds: remaining.map((gallery) => gallery.galleryId) };
    },

    async counters(caller) {
      const { quota, used } = await registeredClient(store, caller);
      return {
        hits: remaining(quota.hits, used.hits),
        faces: remaining(quota.faces, used.faces),
        galleries: remaining(quota.galleries, used.galleries),
      };
    },
  };
}

/** @throws Refusal `denied` when the client is not registered */
export async function registeredClient(
  store: Store,
  { clientId }: Pick<Caller, 'clientId'>,
): Promise<ClientRecord> {
  const client = await store.clients.get(clientId);
  if (!client?.registeredAt) throw notRegistered();
  return client;
}

export function notRegistered(): Refusal {
  return new Refusal('denied', 'client not registered; register the client first');
}

export function noGalleriesLeft(): Refusal {
  return new Refusal(
    'denied',
    'n_facegallery: the number of galleries that this client may own is used up; delete one or ask the operator for more',
  );
}

/** Never below 0, also when the operator has lowered a quota below what is used; −1 is unlimited. */
export function remaining(quota: number, used: number): number {
  return quota === -1 ? unlimited : Math.min(unlimited, Math.max(0, quota - used));
}
