import type { Comparer } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { withPresentKeys } from '../galleries/present-keys.ts';
import { galleryScores } from '../recognition/gallery-scores.ts';
import { identificationThreshold } from '../recognition/thresholds.ts';

interface Parts extends Pick<ServiceDependencies, 'vault' | 'matcher'> {
  readonly store: Pick<Store, 'galleries'>;
  readonly config: Pick<Config, 'thresholds'>;
}

export type DuplicateProbe = ReturnType<typeof createDuplicateProbe>;

/** Finds the other person of a gallery who matches a sealed template, at the threshold of identification. */
export function createDuplicateProbe({ store, vault, matcher, config }: Parts, engine: Comparer) {
  // Statistics are renewed by servers.
  const parts = { engine, vault, cohorts: { renewIfStale: () => {}, renew: () => {} } };
  const { verify = engine.threshold, identifyFpir } = config.thresholds;
  /** @returns null: nobody else @throws OperatorError of the store */
  return async ({ clientId, galleryId }: GalleryRecord, userId: string, sealed: Uint8Array) => {
    const gallery = await store.galleries.get(clientId, galleryId);
    if (!gallery || gallery.faces === 0) return null;
    return withPresentKeys(store, gallery, async (now) => {
      const template = vault.gallery(now).open(userId, sealed);
      const { query, similarityOf } = galleryScores(parts, now).probe(template);
      // Two, because the best may be the person's own face.
      const found = await matcher.search(now, query, 2);
      const other = found.find((match) => match.userId !== userId);
      if (!other) return null;
      const similarity = similarityOf(other.score);
      const threshold = identificationThreshold(
        now.threshold ?? verify ?? engine.threshold,
        now.faces,
        identifyFpir,
      );
      return similarity >= threshold ? { userId: other.userId, similarity } : null;
    });
  };
}
