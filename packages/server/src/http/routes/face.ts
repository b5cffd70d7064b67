import { endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { cardView, identifiedView, listView, verifiedView } from '../views/face.ts';
import type { Mount } from './mount.ts';

export function enrolmentRoutes(mount: Mount, { enrolment }: Pick<AppServices, 'enrolment'>): void {
  mount(endpoints.enrolFace, async (caller, request) => {
    await enrolment.enrol(caller, {
      galleryId: request.facegallery_id,
      userId: request.user_id,
      userName: request.user_name,
      image: request.image,
      forceRegister: request.force_register,
      replace: request.replace,
      append: request.append,
      checkQuality: request.check_quality,
      checkDuplicate: request.check_duplicate,
      livenessToken: request.liveness_token,
    });
    return {};
  });

  mount(endpoints.enrolFaceKtp, async (caller, request) =>
    cardView(
      await enrolment.enrolWithCard(caller, {
        galleryId: request.facegallery_id,
        userId: request.user_id,
        userName: request.user_name,
        image: request.image,
        cardImage: request.ktp_image,
        minimumSimilarity: request.minimum_similarity,
        livenessToken: request.liveness_token,
      }),
    ),
  );

  mount(endpoints.listFaces, async (caller, { facegallery_id: galleryId, limit, cursor, search }) =>
    listView(await enrolment.list(caller, { galleryId, limit, cursor, search })),
  );

  mount(endpoints.deleteFace, async (caller, { facegallery_id: galleryId, user_id: userId }) => {
    await enrolment.remove(caller, { galleryId, userId });
    return {};
  });
}

export function recognitionRoutes(mount: Mount, { recognition }: Pick<AppServices, 'recognition'>): void {
  mount(
    endpoints.verifyFace,
    async (caller, { facegallery_id: galleryId, user_id: userId, liveness_token: livenessToken, ...rest }) =>
      verifiedView(await recognition.verify(caller, { ...rest, galleryId, userId, livenessToken })),
  );

  mount(
    endpoints.identifyFace,
    async (caller, { facegallery_id: galleryId, image, top_k: topK = 1, threshold, far }) =>
      identifiedView(await recognition.identify(caller, { galleryId, image, topK, threshold, far })),
  );
}
