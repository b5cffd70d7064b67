import type { Engine } from '@wajah/engine';
import type { GalleryCohort } from '../../security/vaults/cohort-bytes.ts';
import { SealError } from '../../security/vaults/sealing.ts';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/store.ts';
import { embeddingSpecText } from '../galleries/embedding-spec.ts';

/**
 * The statistics of a gallery. They are opened at each call, which takes 0.1 ms.
 * @returns null when there are none, or they are of another pack, an earlier format, or a key that was replaced
 */
export function openedCohort(
  vault: GalleryVault,
  { embeddingSpec }: Pick<Engine, 'embeddingSpec'>,
  { cohort }: Pick<GalleryRecord, 'cohort'>,
): GalleryCohort | null {
  if (!cohort) return null;
  try {
    return vault.openCohort(embeddingSpecText(embeddingSpec), cohort.sealed);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
