import { endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { countersView } from '../views/client.ts';
import type { Mount } from './mount.ts';

export function clientRoutes(mount: Mount, { clients }: Pick<AppServices, 'clients'>): void {
  mount(endpoints.register, async (caller) => ({
    facegallery_id: (await clients.register(caller)).galleryId,
  }));

  mount(endpoints.deleteClient, async (caller) => ({
    facegallery_id: (await clients.erase(caller)).galleryIds,
  }));

  mount(endpoints.getCounters, async (caller) => countersView(await clients.counters(caller)));
}
