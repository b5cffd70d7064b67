import { endpoints } from '@wajah/contract';
import type { DescribedGallery, GalleryService } from '../../services/galleries/ports.ts';
import { pageOf } from '../plugins/rows.ts';
import { receiptView } from '../views/people.ts';
import { wire } from '../views/wire.ts';
import type { Mount } from './ports.ts';

export function galleryRoutes(mount: Mount, { galleries }: { readonly galleries: GalleryService }): void {
  mount(endpoints.listGalleries, async (caller) => ({ facegallery_id: await galleries.list(caller) }));

  mount(endpoints.createGallery, async (caller, request) => {
    await galleries.create(caller, request);
    return { facegallery_id: request.facegalleryId };
  });

  mount(endpoints.deleteGallery, async (caller, request) => {
    const receipt = await galleries.remove(caller, request);
    return { facegallery_id: request.facegalleryId, ...receiptView(receipt) };
  });

  mount(endpoints.describeGalleries, async (caller, request) => {
    const { rows, end } = pageOf(await galleries.describe(caller, request), galleryView);
    return { facegalleries: rows, ...end, face_crops: await galleries.cropPolicy() };
  });

  mount(endpoints.updateGallery, async (caller, request) =>
    galleryView(await galleries.update(caller, request)),
  );

  mount(endpoints.getGalleryScores, async (caller, request) => wire(await galleries.scores(caller, request)));
}

function galleryView({ faces, cohort, ...gallery }: DescribedGallery) {
  return {
    n_face: faces,
    cohort_version: cohort?.version ?? 0,
    cohort_people: cohort?.people ?? 0,
    ...wire(gallery),
  };
}
