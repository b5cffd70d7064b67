import { endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import type { Mount } from './mount.ts';

export function galleryRoutes(mount: Mount, { galleries }: Pick<AppServices, 'galleries'>): void {
  mount(endpoints.listGalleries, async (caller) => ({ facegallery_id: await galleries.list(caller) }));

  mount(endpoints.createGallery, async (caller, { facegallery_id, require_liveness }) => {
    await galleries.create(caller, facegallery_id, require_liveness);
    return { facegallery_id };
  });

  mount(endpoints.deleteGallery, async (caller, { facegallery_id }) => {
    await galleries.remove(caller, facegallery_id);
    return { facegallery_id };
  });
}
