import type { UserRequest } from '@wajah/contract';
import { innerProduct } from '@wajah/engine';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { requireComparable } from '../galleries/embedding-spec.ts';
import { requireMatched, userOf, withPresentKeys } from '../galleries/lookup.ts';
import { galleryScores } from '../galleries/scores.ts';
import { galleryForComparison } from '../galleries/template-migration.ts';

export type EnrolledPerson = Awaited<ReturnType<typeof enrolledPerson>>;

/**
 * An enrolled user, as the reference of comparisons; `similarity` (0…1) compares a probe's template with it.
 * @throws Refusal `galleryNotFound` | `userNotFound` | `userSuspended` | `denied` (enrolled with another model pack)
 */
export async function enrolledPerson(
  deps: Pick<ServiceDependencies, 'store' | 'engine' | 'vault' | 'matcher' | 'cohorts' | 'scheduler'>,
  caller: Caller,
  { facegalleryId, userId }: Pick<UserRequest, 'facegalleryId' | 'userId'>,
) {
  const { store, engine, vault } = deps;
  const gallery = await galleryForComparison(deps, caller, facegalleryId);
  const { userName, reference } = await withPresentKeys(store, gallery, async (now) => {
    const face = await userOf(store, now, userId);
    requireMatched(face);
    const { userName, template, embeddingSpec } = face;
    // The spec of the face: the gallery may have been migrated after it was read.
    requireComparable({ ...now, embeddingSpec }, engine);
    return { userName, reference: vault.gallery(now).open(userId, template) };
  });
  const { facts, probe } = galleryScores(deps, gallery);
  const similarity = (template: Float32Array): number => {
    const { query, similarityOf } = probe(template);
    return similarityOf(innerProduct(query, reference));
  };
  return { userName, gallery, similarity, facts };
}
