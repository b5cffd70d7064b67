import { endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import type { Mount } from './mount.ts';

export function faceCropRoutes(mount: Mount, { faceCrops }: Pick<AppServices, 'faceCrops'>): void {
  mount(endpoints.getFaceCrop, async (caller, { facegallery_id: galleryId, user_id: userId }) => {
    const jpeg = await faceCrops.get(caller, { galleryId, userId });
    return { image: Buffer.from(jpeg).toString('base64') };
  });
}
