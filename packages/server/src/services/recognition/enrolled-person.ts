import type { UserRequest } from '@wajah/contract';
import type { GalleryRecord } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { requireComparable } from '../galleries/embedding-spec.ts';
import { userOf } from '../galleries/lookup.ts';
import { galleryForComparison } from '../template-migration/template-migration.ts';
import { calibrationFor } from './calibration.ts';

/** An enrolled user, as the reference of comparisons. */
export interface EnrolledPerson {
  readonly userName: string;
  readonly gallery: GalleryRecord;
  /** Similarity score, 0…1, of a probe's template and the reference. */
  similarity(probe: Float32Array): number;
}

/** @throws Refusal `galleryNotFound` | `userNotFound` | `denied` (enrolled with another model pack) */
export async function enrolledPerson(
  deps: Pick<ServiceDependencies, 'store' | 'engine' | 'vault' | 'matcher'>,
  caller: Caller,
  { facegalleryId, userId }: Pick<UserRequest, 'facegalleryId' | 'userId'>,
): Promise<EnrolledPerson> {
  const { store, engine, vault } = deps;
  const gallery = await galleryForComparison(deps, caller, facegalleryId);
  const { userName, template, embeddingSpec } = await userOf(store, gallery, userId);
  // The spec of the face: the gallery may have been migrated after it was read.
  requireComparable({ ...gallery, embeddingSpec }, engine.embeddingSpec);
  const reference = vault.gallery(gallery).open(userId, template);
  const calibration = calibrationFor(engine, gallery);
  return { userName, gallery, similarity: (probe) => calibration.similarity(probe, reference) };
}
