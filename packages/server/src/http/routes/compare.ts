import { endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { comparedView } from '../views/face.ts';
import type { Mount } from './mount.ts';

export function compareRoutes(mount: Mount, { recognition }: Pick<AppServices, 'recognition'>): void {
  mount(endpoints.compareImages, async (caller, request) => {
    const { source_image: sourceImage, target_image: targetImage, threshold, far } = request;
    const { liveness_token: livenessToken } = request;
    return comparedView(
      await recognition.compare(caller, { sourceImage, targetImage, threshold, far, livenessToken }),
    );
  });
}
