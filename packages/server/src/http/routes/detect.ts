import { detectable, detectedFaces, endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { detectedView } from '../views/detection.ts';
import type { Mount } from './mount.ts';

export function detectRoutes(mount: Mount, { detection }: Pick<AppServices, 'detection'>): void {
  mount(endpoints.detectFaces, async (caller, request) => {
    const { image, landmarks = 'none', thorough, attributes = detectable } = request;
    const { max_faces: maxFaces = detectedFaces.byDefault } = request;
    const input = { image, attributes, mesh: landmarks === 'mesh', thorough, maxFaces };
    return detectedView(await detection.detect(caller, input), landmarks);
  });
}
