import { EngineError } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Match } from '../../matching/matcher.ts';
import { TooManySearches } from '../../matching/streamed-search.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { embeddingSpecText, requireComparable, upgradeOf } from './embedding-spec.ts';
import { galleryOf, withPresentKeys } from './lookup.ts';
import { type MigrationSteps, reembedFaces, upgradeFaces } from './reembedding.ts';

type Dependencies = Pick<ServiceDependencies, 'store' | 'engine' | 'vault' | 'matcher'>;
type CallDependencies = Dependencies & Pick<ServiceDependencies, 'scheduler'>;

/** Faces enrolled since `wajah reembed` ran that a call may re-embed itself, which takes seconds. */
const maxMissing = 100;
/** Of these, face crops analysed at once; the other workers serve calls. */
const concurrency = 2;
/** Milliseconds between two attempts to migrate one gallery. */
const retryMs = 5000;
/** Switches tried in one attempt: before each, the faces that were enrolled meanwhile get a template. */
const maxSwitches = 5;

/**
 * A gallery of the caller, for a comparison with its templates. It is migrated to this server's pack first, when
 * `wajah reembed` has prepared its templates, or they are of an earlier version and can be converted.
 * @throws Refusal `galleryNotFound`; `busy` when the migration lasts until the deadline of the call: it goes on; the
 *   reason of the caller's signal
 */
export async function galleryForComparison(
  deps: CallDependencies,
  caller: Caller,
  facegalleryId: string,
): Promise<GalleryRecord> {
  const gallery = await galleryOf(deps.store, caller, facegalleryId);
  if (isComparable(deps, gallery)) return gallery;
  await deps.scheduler.untilDeadline(caller, 'galleryMigration', () => migrate(deps, gallery));
  // Read again in any case: another server may have migrated it.
  return galleryOf(deps.store, caller, facegalleryId);
}

/**
 * Searches a gallery with a template of this server's pack, until the deadline of the call.
 * @throws Refusal `busy` | `denied` when the gallery was migrated to another pack during the search; `busy` when too
 *   many searches wait, or at the deadline; the reason of the caller's signal
 */
export async function searchComparable(
  { store, engine, matcher, scheduler }: CallDependencies,
  caller: Caller,
  gallery: GalleryRecord,
  probe: Float32Array,
  k: number,
): Promise<Match[]> {
  const search = (signal: AbortSignal) =>
    withPresentKeys(store, gallery, (now) => matcher.search(now, probe, k, signal));
  const found = await scheduler.untilDeadline(caller, 'gallerySearch', search).then(
    (matches) => ({ matches }),
    (error: unknown) => ({ error }),
  );
  const after = await store.galleries.get(gallery.clientId, gallery.galleryId);
  if (after) requireComparable(after, engine);
  if ('error' in found) throw busyOr(found.error);
  return found.matches;
}

function busyOr(error: unknown): unknown {
  if (!(error instanceof TooManySearches)) return error;
  return new Refusal('tooManySearches', { reason: error.message });
}

/** Migrates the galleries of all clients that are prepared, or whose templates can be converted. @returns how many */
export async function migrateAllGalleries(deps: Dependencies): Promise<number> {
  let migrated = 0;
  for await (const gallery of incomparableGalleries(deps)) if (await migrate(deps, gallery)) migrated++;
  return migrated;
}

/**
 * Converts the templates of all galleries that can be, beside the present ones, for other servers still compare those.
 * The first call on a gallery migrates it.
 */
export async function prepareUpgrades(deps: Dependencies): Promise<void> {
  for await (const gallery of incomparableGalleries(deps)) {
    if (upgradeOf(deps.engine, gallery.embeddingSpec)) await upgradeGallery(deps, gallery);
  }
}

async function* incomparableGalleries(deps: Dependencies): AsyncGenerator<GalleryRecord> {
  for (const { clientId } of await deps.store.clients.list()) {
    for (const gallery of await deps.store.galleries.list(clientId)) {
      if (!isComparable(deps, gallery)) yield gallery;
    }
  }
}

function isComparable({ engine }: Dependencies, { embeddingSpec, migrating }: GalleryRecord): boolean {
  return !migrating && (embeddingSpec === null || embeddingSpec === embeddingSpecText(engine.embeddingSpec));
}

/** A migration that runs or ended recently. */
interface Attempt {
  readonly result: Promise<boolean>;
  /** Time of `performance.now()` before which there is no other attempt. */
  until: number;
}
/** By store and internal number of the gallery. */
const attemptsByStore = new WeakMap<Store, Map<number, Attempt>>();

/** Concurrent calls on a gallery share one attempt. @returns whether the gallery was migrated */
function migrate(deps: Dependencies, gallery: GalleryRecord): Promise<boolean> {
  const attempts = attemptsByStore.get(deps.store) ?? new Map<number, Attempt>();
  attemptsByStore.set(deps.store, attempts);
  const before = attempts.get(gallery.id);
  if (before && performance.now() < before.until) return before.result;
  const attempt: Attempt = { result: tryToMigrate(deps, gallery), until: Number.POSITIVE_INFINITY };
  attempts.set(gallery.id, attempt);
  const pause = () => {
    attempt.until = performance.now() + retryMs;
  };
  attempt.result.then((done) => (done ? attempts.delete(gallery.id) : pause()), pause);
  return attempt.result;
}

async function tryToMigrate(deps: Dependencies, gallery: GalleryRecord): Promise<boolean> {
  const { store, engine, matcher } = deps;
  const spec = embeddingSpecText(engine.embeddingSpec);
  const isUpgraded = upgradeOf(engine, gallery.embeddingSpec) !== null;
  if (isUpgraded && !(await upgradeGallery(deps, gallery))) return false;
  for (let attempt = 1; attempt <= maxSwitches; attempt++) {
    const outcome = await store.templateMigration.switchGallery(gallery.id, spec, new Date());
    if (outcome === null) return false;
    if (outcome === 'done') {
      // The cached gallery holds templates of the old pack.
      matcher.evict(gallery.id);
      return true;
    }
    if (!isUpgraded && outcome.pending > maxMissing) return false;
    const prepared = isUpgraded ? upgradeGallery(deps, gallery) : embedMissing(deps, gallery);
    if (!(await prepared)) return false;
  }
  return false;
}

/** @returns whether all of its faces had a template of this server's pack at some moment */
async function upgradeGallery(deps: Dependencies, gallery: GalleryRecord): Promise<boolean> {
  const { store, vault, engine } = deps;
  const upgrade = upgradeOf(engine, gallery.embeddingSpec);
  if (!upgrade) return false;
  await store.templateMigration.begin(gallery.id, embeddingSpecText(engine.embeddingSpec));
  return upgradeFaces(stepsOf(deps, gallery, false), vault.gallery(gallery), upgrade);
}

/** As `upgradeGallery`, of the kept crops. */
async function embedMissing(deps: Dependencies, gallery: GalleryRecord): Promise<boolean> {
  const { vault, engine } = deps;
  try {
    const steps = stepsOf(deps, gallery, true);
    const { failed, superseded } = await reembedFaces(steps, vault.gallery(gallery), engine, { concurrency });
    return failed.length === 0 && !superseded;
  } catch (error) {
    // A busy engine: the next call tries again.
    if (error instanceof EngineError) return false;
    throw error;
  }
}

function stepsOf({ store, engine }: Dependencies, { id, wrappedKey }: GalleryRecord, withCrops: boolean) {
  const { templateMigration } = store;
  const spec = embeddingSpecText(engine.embeddingSpec);
  return {
    next: (after, limit) => templateMigration.nextPending(id, spec, after, limit, withCrops),
    store: (templates) => templateMigration.storeTemplates(id, spec, templates, wrappedKey),
  } satisfies MigrationSteps;
}
