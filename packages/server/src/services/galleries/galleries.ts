import { galleryScoreBins, type RequestOf } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { EmbeddingSpec } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { changedPages, pageSize, pagesOf } from '../../lib/pages.ts';
import { dayMs } from '../../lib/time.ts';
import { calibrationOf, isEmbeddingSpec } from '../../store/calibrations.ts';
import { featureSettings } from '../../store/gallery-store.ts';
import type { FeatureGallerySettings, GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import { noGalleriesLeft, registeredClient } from '../accounts/clients.ts';
import type { Caller } from '../caller.ts';
import { nameBefore, namedListing } from '../listing.ts';
import type { ServiceParts } from '../parts.ts';
import { ownCurve } from './calibration.ts';
import { embeddingSpecText } from './embedding-spec.ts';
import { galleryOf, keepsCrops, noGallery } from './lookup.ts';
import type { DescribedGallery, GalleryService, Thresholds } from './ports.ts';

interface Parts extends ServiceParts<'store' | 'vault' | 'engine' | 'events' | 'config'> {
  readonly thresholds: Thresholds;
  /** Erases a gallery with its people and what calls left behind; false when it is gone. */
  readonly eraser: { eraseGallery(gallery: GalleryRecord): Promise<boolean> };
}

/** The galleries of a client. */
export function createGalleryService(parts: Parts): GalleryService {
  const { store, eraser, events } = parts;
  const described = createDescription(parts);
  return {
    async list(caller) {
      await registeredClient(store, caller);
      return (await store.galleries.list(caller.clientId)).map(({ galleryId }) => galleryId);
    },

    cropPolicy: async () => cropPolicyOf(parts.config),

    describe: createListing(parts),

    scores: (caller, request) => scores(parts, caller, request),

    create: (caller, request) => create(parts, caller, request),

    async update(caller, request) {
      const { facegalleryId, retentionDays, eraseExpired } = request;
      if (retentionDays && !eraseExpired)
        await refuseErasing(store, await galleryOf(store, caller, facegalleryId), retentionDays);
      const changes = changesOf(request);
      requireCropsAllowed(parts.config, changes.keepCrops);
      if (!(await store.galleries.updateSettings(caller.clientId, facegalleryId, changes))) throw noGallery();
      const what = Object.keys(changes).join(' ');
      events.observe('gallery_changed', caller, { facegallery_id: facegalleryId, what });
      const gallery = await galleryOf(store, caller, facegalleryId);
      if (changes.keepCrops === false) await store.crops.erase([gallery.id]);
      return described(gallery);
    },

    async remove(caller, { facegalleryId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      if (!(await eraser.eraseGallery(gallery))) throw noGallery();
      const facts = { facegallery_id: facegalleryId, faces: gallery.faces };
      return events.observe('gallery_removed', caller, facts);
    },
  };
}

/** Described galleries by name: all, or a page. */
function createListing(parts: Parts): GalleryService['describe'] {
  const { store } = parts;
  const described = createDescription(parts);
  return async (caller, { limit, cursor }) => {
    await registeredClient(store, caller);
    const after = nameBefore(cursor, 'describe-facegalleries');
    const read = (from: string, most: number) => {
      caller.signal?.throwIfAborted();
      return store.galleries.list(caller.clientId, { after: from, limit: most });
    };
    const size = Math.min(pageSize, (limit ?? pageSize) + 1);
    const pages = pagesOf(read, ({ galleryId }) => galleryId, after, size);
    const shown = changedPages(pages, (page) => page.map(described));
    return namedListing(shown, ({ galleryId }) => galleryId, limit);
  };
}

/** A mistaken number must not cost people: nobody is warned of an erasure that is due at once. */
async function refuseErasing({ people }: Pick<Store, 'people'>, { id }: GalleryRecord, days: number) {
  const due = await people.enrolledBy(id, new Date(Date.now() - days * dayMs));
  if (due === 0) return;
  const whom = due === 1 ? phrase('onePersonWas') : phrase('peopleWere', { count: due });
  throw new Refusal('retentionWouldErase', { days, people: whom });
}

function cropPolicyOf({ keepFaceCrops: kept }: Parts['config']): 'kept' | 'optional' | 'forbidden' {
  return kept === 'gallery' ? 'optional' : kept ? 'kept' : 'forbidden';
}

/** @throws Refusal `denied` */
function requireCropsAllowed({ keepFaceCrops }: Parts['config'], wanted: boolean | undefined): void {
  if (wanted && keepFaceCrops === false) throw new Refusal('cropsForbidden');
}

/** Those settings of features that are given. */
function featureSettingsOf(
  from: { readonly [Name in keyof FeatureGallerySettings]?: number | null | undefined },
): Partial<FeatureGallerySettings> {
  return Object.fromEntries(
    featureSettings.flatMap(([name]) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
}

function changesOf(request: RequestOf<'updateGallery'>) {
  const { threshold, requireLiveness, requireConsent, retentionDays, keepCrops } = request;
  return {
    ...(threshold === undefined ? {} : { threshold }),
    ...(requireLiveness === undefined ? {} : { requireLiveness }),
    ...(requireConsent === undefined ? {} : { requireConsent }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
    ...(keepCrops === undefined ? {} : { keepCrops }),
    ...featureSettingsOf(request),
  };
}

async function create(
  { store, vault, events, config }: Parts,
  caller: Caller,
  request: RequestOf<'createGallery'>,
): Promise<void> {
  const { facegalleryId, requireLiveness, requireConsent, retentionDays, keepCrops } = request;
  await registeredClient(store, caller);
  requireCropsAllowed(config, keepCrops);
  const { clientId } = caller;
  const newKey = (id: number) => vault.wrapNewKey(clientId, id);
  const rules = {
    requireLiveness,
    requireConsent: requireConsent ?? false,
    retentionDays: retentionDays ?? null,
    keepCrops: keepCrops ?? null,
    ...featureSettingsOf(request),
  };
  const gallery = await store.galleries.create(clientId, facegalleryId, newKey, rules);
  if (gallery === 'quota') throw noGalleriesLeft();
  if (gallery === 'exists') throw new Refusal('galleryExists');
  events.observe('gallery_created', caller, { facegallery_id: facegalleryId });
}

async function scores(
  { store }: Parts,
  caller: Caller,
  { facegalleryId, days = 30 }: RequestOf<'getGalleryScores'>,
) {
  const { id } = await galleryOf(store, caller, facegalleryId);
  const from = new Date((Math.floor(Date.now() / dayMs) - (days - 1)) * dayMs);
  const noCounts = () => Array.from({ length: galleryScoreBins }, () => 0);
  const counted = { verify: noCounts(), identify: noCounts() };
  for (const { comparison, bin, count } of await store.scores.of(id, from)) counted[comparison][bin] = count;
  return { from, ...counted };
}

function createDescription({ engine, thresholds, config }: Parts) {
  const present = embeddingSpecText(engine.embeddingSpec);
  return (gallery: GalleryRecord): DescribedGallery => {
    const { galleryId, faces, threshold, createdAt, embeddingSpec } = gallery;
    const { requireLiveness, requireConsent, retentionDays } = gallery;
    const own = calibrationOf(gallery.curve ?? '') && ownCurve(engine, gallery);
    const pairs = own?.evidence['impostorPairs'];
    return {
      galleryId,
      faces,
      threshold,
      createdAt,
      requireLiveness,
      requireConsent,
      retentionDays,
      keepCrops: keepsCrops(config, gallery),
      ...(featureSettingsOf(gallery) as FeatureGallerySettings),
      verifyThreshold: thresholds.verification(gallery),
      identifyThreshold: thresholds.identification(gallery),
      ...packOf(embeddingSpec),
      cohort: gallery.cohort,
      cohortMode: gallery.cohortMode,
      calibratedBy: own ? 'gallery' : 'server',
      calibrationPairs: typeof pairs === 'number' ? pairs : null,
      provisional: own === null && engine.provisional,
      minimumFace: config.limits.minFaceEnrol,
      comparable: embeddingSpec === null || (embeddingSpec === present && gallery.formerSpec === null),
    };
  };
}

/** Model pack with its version, and its embedder, of the faces of a gallery; null while it has none. */
function packOf(spec: string | null) {
  if (spec === null || !isEmbeddingSpec(spec)) return { pack: null, embedder: null };
  const { pack, version, embedder } = JSON.parse(spec) as EmbeddingSpec;
  return { pack: `${pack} ${version}`, embedder };
}
