import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { requireContract, userOf } from '../galleries/lookup.ts';
import type { Caller } from '../services.ts';
import { galleryForComparison } from '../template-migration/template-migration.ts';
import { calibrationFor } from './similarity-calibration.ts';

/** Somebody enrolled, to be compared with. */
export interface EnrolledPerson {
  readonly userName: string;
  readonly gallery: GalleryRecord;
  /** Similarity (0…1) of a template with what is enrolled. */
  similarity(template: Float32Array): number;
}

/** @throws Refusal `galleryNotFound` | `userNotFound` | `denied` (enrolled with another model pack) */
export async function enrolledPerson(
  deps: Pick<ServiceDependencies, 'store' | 'engine' | 'vault' | 'matcher'>,
  caller: Caller,
  { galleryId, userId }: { readonly galleryId: string; readonly userId: string },
): Promise<EnrolledPerson> {
  const { store, engine, vault } = deps;
  const gallery = await galleryForComparison(deps, caller, galleryId);
  const { userName, template, embeddingSpec: contract } = await userOf(store, gallery, userId);
  // That of the face, not that of the gallery read before: it may have been carried over in between.
  requireContract({ ...gallery, embeddingSpec: contract }, engine.embeddingSpec);
  const enrolled = vault.gallery(gallery).open(userId, template);
  const scale = calibrationFor(engine, gallery);
  return { userName, gallery, similarity: (probe) => scale.similarity(probe, enrolled) };
}
