import { endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { batchView, singleView } from '../views/liveness.ts';
import type { Mount } from './mount.ts';

/** The schemas have seen to it that both are there or neither. */
export function namedUser({
  facegallery_id,
  user_id,
}: {
  facegallery_id?: string | undefined;
  user_id?: string | undefined;
}) {
  if (facegallery_id === undefined || user_id === undefined) return undefined;
  return { galleryId: facegallery_id, userId: user_id };
}

export function livenessRoutes(mount: Mount, { liveness }: Pick<AppServices, 'liveness'>): void {
  mount(endpoints.verifyLiveness, async (caller, request) => {
    const { angle, eyes, mouth, spoof_detection: spoofDetection = true } = request.face_parameters;
    const user = namedUser(request);
    return singleView(
      await liveness.single(caller, { user, image: request.image, angle, eyes, mouth, spoofDetection }),
    );
  });

  mount(endpoints.verifyLivenessBatch, async (caller, request) =>
    batchView(
      await liveness.batch(caller, {
        user: namedUser(request),
        successThreshold: request.success_threshold,
        items: request.batch.map((item) => ({
          image: item.image ?? null,
          parameter: item.face_parameter,
          spoofDetection: item.spoof_detection,
          faceVerification: item.face_verification,
        })),
      }),
    ),
  );
}
