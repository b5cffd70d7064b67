import { randomUUID } from 'node:crypto';
import { type Face, innerProduct } from '@wajah/engine';
import type { FeatureCore } from '../../feature.ts';
import { createKeyedQueue } from '../../lib/keyed-queue.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { Caller } from '../../services/caller.ts';
import { isUnclear, templateOf } from '../../services/faces/main-face.ts';
import { embeddingSpecText } from '../../services/galleries/embedding-spec.ts';
import { keepsCrops } from '../../services/galleries/lookup.ts';
import type { GalleryProbe } from '../../services/galleries/ports.ts';
import type { Unidentified } from '../../services/recognition/ports.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { UnknownStore } from './ports.ts';

/** Unknown people of a gallery: each is compared with every face that is not identified, in the order of their last sights. */
export const mostUnknown = 1000;

interface Parts extends Pick<FeatureCore, 'config' | 'comparisons' | 'events' | 'vault'> {
  readonly unknown: UnknownStore;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * Gives faces that are not identified an unknown_id: that of the most similar unknown person of the gallery who reaches
 * the threshold of an identification among them, else a new one.
 */
export function createUnknownKeeping(parts: Parts): Unidentified {
  const { config, comparisons, log } = parts;
  // Frames that are sent at once show the same stranger. Two servers that see one at once may give two ids.
  const queue = createKeyedQueue<number>();
  return {
    attributes(gallery) {
      if (gallery.keepUnknownHours === null) return [];
      return ['quality', ...(keepsCrops(config, gallery) ? ['crop' as const] : [])];
    },
    async fields(caller, gallery, faces) {
      const found = new Map<Face, object>();
      if (gallery.keepUnknownHours === null) return found;
      const clear = faces.filter((face) => !isUnclear(face) && face.quality?.every(({ passed }) => passed));
      if (clear.length === 0) return found;
      const keep = async () => {
        // Two faces of a picture are two people.
        const taken = new Set<string>();
        for (const face of await withoutSuspended(comparisons, gallery, clear)) {
          const unknownId = await keepFace(parts, caller, gallery, face, taken);
          if (unknownId === null) continue;
          taken.add(unknownId);
          found.set(face, { unknown_id: unknownId });
        }
      };
      // Who is not identified is the answer, also where nobody can be kept.
      await queue.run(gallery.id, keep).catch((err: unknown) => log.warn({ err }, 'a face was not kept'));
      return found;
    },
  };
}

/** Without people who are enrolled and suspended: they are not identified, and not unknown. */
async function withoutSuspended(
  comparisons: FeatureCore['comparisons'],
  gallery: GalleryRecord,
  faces: readonly Face[],
): Promise<readonly Face[]> {
  const suspended = await comparisons.suspended(gallery);
  const threshold = comparisons.thresholds.verification(gallery);
  const scores = comparisons.scores(gallery);
  return faces.filter((face) => {
    const { query, similarityOf } = scores.probe(templateOf(face));
    return suspended.every(({ template }) => similarityOf(innerProduct(query, template)) < threshold);
  });
}

/** @param taken whom other faces of the picture are @returns null: the gallery keeps none any more */
async function keepFace(
  parts: Parts,
  caller: Caller,
  gallery: GalleryRecord,
  face: Face,
  taken: ReadonlySet<string>,
): Promise<string | null> {
  const { unknown, comparisons, vault, events } = parts;
  const [at, template] = [new Date(), templateOf(face)];
  const spec = embeddingSpecText(comparisons.engine.embeddingSpec);
  const known = await mostSimilar(parts, gallery, comparisons.scores(gallery).probe(template), spec, taken);
  let seen = known === null ? undefined : await unknown.seen(gallery.id, known, at);
  const unknownId = known !== null && seen !== undefined ? known : randomUUID();
  const about = { facegallery_id: gallery.galleryId };
  if (seen === undefined) {
    seen = 1;
    const opened = vault.gallery(gallery);
    const sealed = {
      template: opened.seal(unknownId, template),
      crop: face.crop ? opened.sealCrop(unknownId, face.crop) : null,
    };
    const row = { unknownId, ...sealed, embeddingSpec: spec, firstSeenAt: at, lastSeenAt: at, seen };
    if (!(await unknown.add(gallery.id, row, mostUnknown))) return null;
    events.observe('unknown_kept', caller, about);
  }
  await events.observe('face_unknown', caller, about, { galleryId: gallery.galleryId, unknownId, seen });
  return unknownId;
}

/** The most similar unknown person of a gallery who reaches the threshold; null: none does. */
async function mostSimilar(
  { unknown, comparisons, vault }: Parts,
  gallery: GalleryRecord,
  { query, similarityOf }: GalleryProbe,
  spec: string,
  taken: ReadonlySet<string>,
): Promise<string | null> {
  const kept = await unknown.templates(gallery, spec, mostUnknown);
  const opened = vault.gallery(gallery);
  const threshold = comparisons.thresholds.identification({ ...gallery, faces: kept.length });
  let best: { readonly id: string; readonly product: number } | null = null;
  for (const { unknownId: id, template } of kept) {
    const reference = taken.has(id) ? null : openedOrNull(() => opened.open(id, template));
    const product = reference ? innerProduct(query, reference) : Number.NEGATIVE_INFINITY;
    if (reference && product > (best?.product ?? Number.NEGATIVE_INFINITY)) best = { id, product };
  }
  return best && similarityOf(best.product) >= threshold ? best.id : null;
}
