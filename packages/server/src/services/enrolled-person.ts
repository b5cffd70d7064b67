import type { GalleryRecord } from '../store/store.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { galleryOf, requireContract, userOf } from './lookup.ts';
import { scaleOf } from './scale.ts';
import type { Caller } from './services.ts';

/** Somebody enrolled, to be compared with. */
export interface EnrolledPerson {
  readonly userName: string;
  readonly gallery: GalleryRecord;
  /** Similarity (0…1) of a template with what is enrolled. */
  similarity(template: Float32Array): number;
}

/** @throws Refusal `galleryNotFound` | `userNotFound` | `denied` (enrolled with another model pack) */
export async function enrolledPerson(
  { store, engine, vault }: Pick<ServiceDependencies, 'store' | 'engine' | 'vault'>,
  caller: Caller,
  { galleryId, userId }: { readonly galleryId: string; readonly userId: string },
): Promise<EnrolledPerson> {
  const gallery = await galleryOf(store, caller, galleryId);
  const { userName, template } = await userOf(store, gallery, userId);
  requireContract(gallery, engine.contract);
  const enrolled = vault.gallery(gallery).open(userId, template);
  const scale = scaleOf(engine, gallery);
  return { userName, gallery, similarity: (probe) => scale.similarity(probe, enrolled) };
}
