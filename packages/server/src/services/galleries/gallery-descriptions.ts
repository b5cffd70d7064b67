import type { GalleryRecord } from '../../store/store.ts';
import { registeredClient } from '../accounts/clients.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { createThresholds } from '../recognition/thresholds.ts';
import type { Caller } from '../services.ts';
import { contractText, galleryOf, noGallery } from './lookup.ts';

/** A gallery, and how it decides now. */
export interface DescribedGallery
  extends Pick<GalleryRecord, 'galleryId' | 'faces' | 'threshold' | 'requireLiveness' | 'createdAt'> {
  readonly verifyThreshold: number;
  readonly identifyThreshold: number;
  /** Model pack and version of its faces; null while it has none. */
  readonly pack: string | null;
  /** Whether its faces can be compared on this server. */
  readonly comparable: boolean;
}

/** How galleries are set. */
export interface GalleryDescriptions {
  /** By name. */
  describe(caller: Caller): Promise<DescribedGallery[]>;
  /** What is undefined stays. @throws Refusal `galleryNotFound` */
  update(
    caller: Caller,
    input: { galleryId: string; threshold: number | null | undefined; requireLiveness: boolean | undefined },
  ): Promise<DescribedGallery>;
}

export function createGalleryDescriptions({
  store,
  engine,
  events,
  config,
}: Pick<ServiceDependencies, 'store' | 'engine' | 'events' | 'config'>): GalleryDescriptions {
  const thresholds = createThresholds(engine, config.thresholds);
  const mine = contractText(engine.embeddingSpec);
  const describe = (gallery: GalleryRecord): DescribedGallery => ({
    galleryId: gallery.galleryId,
    faces: gallery.faces,
    threshold: gallery.threshold,
    requireLiveness: gallery.requireLiveness,
    createdAt: gallery.createdAt,
    verifyThreshold: thresholds.verification(gallery),
    identifyThreshold: thresholds.identification(gallery),
    pack: packOf(gallery),
    comparable: gallery.embeddingSpec === null || gallery.embeddingSpec === mine,
  });
  return {
    async describe(caller) {
      await registeredClient(store, caller);
      return (await store.galleries.list(caller.clientId)).map(describe);
    },

    async update(caller, { galleryId, threshold, requireLiveness }) {
      const tuning = {
        ...(threshold === undefined ? {} : { threshold }),
        ...(requireLiveness === undefined ? {} : { requireLiveness }),
      };
      if (!(await store.galleries.updateSettings(caller.clientId, galleryId, tuning))) throw noGallery();
      events.galleryChanged(caller, { facegallery_id: galleryId, what: Object.keys(tuning).join(' ') });
      return describe(await galleryOf(store, caller, galleryId));
    },
  };
}

function packOf({ embeddingSpec: contract }: GalleryRecord): string | null {
  if (contract === null) return null;
  const { pack, version } = JSON.parse(contract) as { pack: string; version: string };
  return `${pack} ${version}`;
}
