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
        const { probe } = comparisons.scores(gallery);
        const shown = clear.map((face) => ({ face, ...probe(templateOf(face)) }));
        const strangers = await withoutSuspended(comparisons, gallery, shown);
        const known = strangers.length === 0 ? [] : await openKnown(parts, gallery);
        // Two faces of a picture are two people.
        const taken = new Set<string>();
        for (const stranger of strangers) {
          const others = known.filter(({ unknownId }) => !taken.has(unknownId));
          const before = mostSimilar(comparisons, gallery, stranger, others);
          const unknownId = await keepFace(parts, caller, gallery, stranger.face, before);
          if (unknownId === null) continue;
          taken.add(unknownId);
          found.set(stranger.face, { unknown_id: unknownId });
        }
      };
      // Who is not identified is the answer, also where nobody can be kept.
      await queue.run(gallery.id, keep).catch((err: unknown) => log.warn({ err }, 'a face was not kept'));
      return found;
    },
  };
}

interface ShownFace extends GalleryProbe {
  readonly face: Face;
}

/** Without people who are enrolled and suspended: they are not identified, and not unknown. */
async function withoutSuspended(
  comparisons: FeatureCore['comparisons'],
  gallery: GalleryRecord,
  faces: readonly ShownFace[],
): Promise<readonly ShownFace[]> {
  const suspended = await comparisons.suspended(gallery);
  const threshold = comparisons.thresholds.verification(gallery);
  return faces.filter(({ query, similarityOf }) =>
    suspended.every(({ template }) => similarityOf(innerProduct(query, template)) < threshold),
  );
}

/** @param before who it was seen as before, if somebody @returns null: the gallery keeps none any more */
async function keepFace(
  { unknown, comparisons, vault, events }: Parts,
  caller: Caller,
  gallery: GalleryRecord,
  face: Face,
  before: string | null,
): Promise<string | null> {
  const at = new Date();
  let seen = before === null ? undefined : await unknown.seen(gallery.id, before, at);
  const unknownId = before !== null && seen !== undefined ? before : randomUUID();
  const about = { facegallery_id: gallery.galleryId };
  if (seen === undefined) {
    seen = 1;
    const opened = vault.gallery(gallery);
    const sealed = {
      template: opened.seal(unknownId, templateOf(face)),
      crop: face.crop ? opened.sealCrop(unknownId, face.crop) : null,
    };
    const embeddingSpec = embeddingSpecText(comparisons.engine.embeddingSpec);
    const row = { unknownId, ...sealed, embeddingSpec, firstSeenAt: at, lastSeenAt: at, seen };
    if (!(await unknown.add(gallery.id, row, mostUnknown))) return null;
    events.observe('unknown_kept', caller, about);
  }
  await events.observe('face_unknown', caller, about, { galleryId: gallery.galleryId, unknownId, seen });
  return unknownId;
}

interface KnownFace {
  readonly unknownId: string;
  readonly template: Float32Array;
}

/** The unknown people of a gallery whose templates can be opened. */
async function openKnown(
  { unknown, comparisons, vault }: Parts,
  gallery: GalleryRecord,
): Promise<KnownFace[]> {
  const spec = embeddingSpecText(comparisons.engine.embeddingSpec);
  const opened = vault.gallery(gallery);
  return (await unknown.templates(gallery, spec, mostUnknown)).flatMap(({ unknownId, template }) => {
    const reference = openedOrNull(() => opened.open(unknownId, template));
    return reference ? [{ unknownId, template: reference }] : [];
  });
}

/** The most similar of some unknown people who reaches the threshold; null: none does. */
function mostSimilar(
  comparisons: FeatureCore['comparisons'],
  gallery: GalleryRecord,
  { query, similarityOf }: ShownFace,
  known: readonly KnownFace[],
): string | null {
  const threshold = comparisons.thresholds.identification({ ...gallery, faces: known.length });
  let best: { readonly id: string; readonly product: number } | null = null;
  for (const { unknownId: id, template } of known) {
    const product = innerProduct(query, template);
    if (product > (best?.product ?? Number.NEGATIVE_INFINITY)) best = { id, product };
  }
  return best && similarityOf(best.product) >= threshold ? best.id : null;
}
