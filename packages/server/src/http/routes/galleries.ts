import { endpoints } from '@wajah/contract';
import type { DescribedGallery, GalleryService } from '../../services/galleries/ports.ts';
import type { DuplicateService } from '../../services/recognition/ports.ts';
import { duplicatesView } from '../views/faces.ts';
import { receiptView } from '../views/people.ts';
import type { Mount } from './ports.ts';

export function galleryRoutes(
  mount: Mount,
  { galleries, duplicates }: { readonly galleries: GalleryService; readonly duplicates: DuplicateService },
): void {
  mount(endpoints.listGalleries, async (caller) => ({ facegallery_id: await galleries.list(caller) }));

  mount(endpoints.createGallery, async (caller, request) => {
    await galleries.create(caller, request);
    return { facegallery_id: request.facegalleryId };
  });

  mount(endpoints.deleteGallery, async (caller, request) => {
    const receipt = await galleries.remove(caller, request);
    return { facegallery_id: request.facegalleryId, ...receiptView(receipt) };
  });

  mount(endpoints.describeGalleries, async (caller) => ({
    facegalleries: (await galleries.describe(caller)).map(galleryView),
    face_crops: await galleries.cropPolicy(),
  }));

  mount(endpoints.updateGallery, async (caller, request) =>
    galleryView(await galleries.update(caller, request)),
  );

  mount(endpoints.getGalleryScores, async (caller, request) => {
    const { from, ...counts } = await galleries.scores(caller, request);
    return { from: from.toISOString(), ...counts };
  });

  mount(endpoints.findDuplicates, async (caller, request) =>
    duplicatesView(await duplicates.find(caller, request)),
  );

  mount(endpoints.markDifferent, duplicates.mark);
}

function galleryView(gallery: DescribedGallery) {
  const { threshold, pack, embedder, comparable } = gallery;
  return {
    facegallery_id: gallery.galleryId,
    n_face: gallery.faces,
    verify_threshold: gallery.verifyThreshold,
    identify_threshold: gallery.identifyThreshold,
    require_liveness: gallery.requireLiveness,
    require_consent: gallery.requireConsent,
    retention_days: gallery.retentionDays,
    keep_crops: gallery.keepCrops,
    created_at: gallery.createdAt.toISOString(),
    cohort_mode: gallery.cohortMode,
    cohort_version: gallery.cohort?.version ?? 0,
    cohort_people: gallery.cohort?.people ?? 0,
    calibrated_by: gallery.calibratedBy,
    calibration_pairs: gallery.calibrationPairs,
    provisional: gallery.provisional,
    minimum_face: gallery.minimumFace,
    threshold,
    pack,
    embedder,
    comparable,
  };
}
