import { endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { galleryView } from '../views/account.ts';
import type { Mount } from './mount.ts';

export function gallerySettingsRoutes(
  mount: Mount,
  { galleryDescriptions }: Pick<AppServices, 'galleryDescriptions'>,
): void {
  mount(endpoints.describeGalleries, async (caller) => ({
    facegalleries: (await galleryDescriptions.describe(caller)).map(galleryView),
  }));

  mount(endpoints.updateGallery, async (caller, request) => {
    const { facegallery_id: galleryId, threshold, require_liveness: requireLiveness } = request;
    return galleryView(await galleryDescriptions.update(caller, { galleryId, threshold, requireLiveness }));
  });
}
