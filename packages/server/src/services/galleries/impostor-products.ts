import { innerProduct } from '@wajah/engine';
import { yieldingPause } from '../../lib/event-loop-yielder.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import { meanOf } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { ServiceParts } from '../parts.ts';
import { openSample } from './cohorts.ts';
import type { ImpostorProducts } from './ports.ts';

/** Bins of one unit of inner product. */
const BINS = 5000;

type Parts = ServiceParts<'store' | 'vault'>;

/** What is compared of a person. */
interface Compared {
  /** The first picture. */
  readonly probe: Float32Array;
  /** All pictures: shorter than 1 where there are several. */
  readonly reference: Float32Array;
}

/**
 * Compares users of the same gallery with each other; of large galleries a sample. A picture of one user is compared with
 * the reference of the other, as a probe is: two references of several pictures have smaller products.
 * @param spec embedding spec (JSON) of the templates to compare
 */
export async function impostorProducts(
  parts: Parts,
  galleries: readonly GalleryRecord[],
  spec: string,
): Promise<ImpostorProducts> {
  const counts = new Float64Array(2 * BINS + 2);
  let [measured, others, people] = [0, 0, 0];
  const pause = yieldingPause();
  for (const gallery of galleries) {
    const isWhole = gallery.embeddingSpec === spec && gallery.formerSpec === null;
    const templates = isWhole ? await templatesOf(parts, gallery, spec, pause) : null;
    if (templates) {
      measured += 1;
      people += templates.length;
      await compareAll(templates, counts, pause);
    } else if (gallery.embeddingSpec !== null) others += 1;
  }
  const bins = [...counts.entries()].filter(([, pairs]) => pairs > 0);
  return {
    galleries: measured,
    otherGalleries: others,
    people,
    bins: bins.map(([bin, pairs]) => [bin / BINS - 1, pairs] as const),
  };
}

async function compareAll(
  people: readonly Compared[],
  counts: Float64Array,
  pause: () => Promise<void>,
): Promise<void> {
  for (const [i, { probe }] of people.entries()) {
    for (let j = 0; j < i; j++) {
      const product = innerProduct(probe, people[j]!.reference);
      counts[Math.min(2 * BINS + 1, Math.max(0, Math.floor((product + 1) * BINS)))]! += 1;
    }
    await pause();
  }
}

/** @returns null when the key of the gallery does not open */
async function templatesOf(
  { store: { faces }, vault }: Parts,
  gallery: GalleryRecord,
  spec: string,
  pause: () => Promise<void>,
): Promise<readonly Compared[] | null> {
  const opener = openedOrNull(() => vault.gallery(gallery));
  if (!opener) return null;
  const open = (userId: string, sealed: Uint8Array): Compared => {
    const templates = opener.openAll(userId, sealed);
    return { probe: templates[0]!, reference: meanOf(templates) };
  };
  return (await openSample({ faces, vault: opener, open, pause }, gallery.id, spec)).templates;
}
