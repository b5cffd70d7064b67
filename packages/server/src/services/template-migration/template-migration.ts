import { EngineError } from '@wajah/engine';
import type { Match } from '../../matching/matcher.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { contractText, galleryOf, requireContract } from '../galleries/lookup.ts';
import type { Caller } from '../services.ts';
import { reembedFaces } from './reembedding.ts';

type Needed = Pick<ServiceDependencies, 'store' | 'engine' | 'vault' | 'matcher'>;

/** People enrolled since the templates were made ready whom a server makes up for by itself: seconds. */
const mostMadeUp = 100;
/** Pictures of them at a time, so that calls get their turn. */
const atOnce = 2;
/** A gallery that was not ready is not looked at again before this. Milliseconds. */
const pauseMs = 5000;

/**
 * A gallery of the caller, for a comparison with its templates: carried over to this server's pack first, when
 * `wajah reembed` made it ready for that.
 * @throws Refusal `galleryNotFound`
 */
export async function galleryForComparison(
  deps: Needed,
  caller: Caller,
  galleryId: string,
): Promise<GalleryRecord> {
  const gallery = await galleryOf(deps.store, caller, galleryId);
  if (isMine(deps, gallery)) return gallery;
  await carryOver(deps, gallery);
  // Read anew in any case: another server may have been faster.
  return galleryOf(deps.store, caller, galleryId);
}

/**
 * Searches a gallery with a template of this server's pack. One that is carried over to another pack meanwhile may have
 * been searched among foreign templates.
 * @throws Refusal `busy` | `denied` then
 */
export async function searchOwn(
  { store, engine, matcher }: Needed,
  gallery: GalleryRecord,
  probe: Float32Array,
  k: number,
): Promise<Match[]> {
  const found = await matcher.search(gallery, probe, k).then(
    (matches) => ({ matches }),
    (error: unknown) => ({ error }),
  );
  const after = await store.galleries.get(gallery.clientId, gallery.galleryId);
  if (after) requireContract(after, engine.embeddingSpec);
  if ('error' in found) throw found.error;
  return found.matches;
}

/** Carries over what is ready of all clients. @returns how many galleries */
export async function migrateAllGalleries(deps: Needed): Promise<number> {
  let carried = 0;
  for (const { clientId } of await deps.store.clients.list()) {
    for (const gallery of await deps.store.galleries.list(clientId)) {
      if (!isMine(deps, gallery) && (await carryOver(deps, gallery))) carried++;
    }
  }
  return carried;
}

function isMine(
  { engine }: Needed,
  { embeddingSpec: contract, migrating: carrying }: GalleryRecord,
): boolean {
  return !carrying && (contract === null || contract === contractText(engine.embeddingSpec));
}

/** What is under way or was tried a moment ago, by gallery; for each store its own. */
interface Tried {
  readonly result: Promise<boolean>;
  until: number;
}
const tried = new WeakMap<Store, Map<number, Tried>>();

/** Many calls on a gallery wait for one attempt. */
function carryOver(deps: Needed, gallery: GalleryRecord): Promise<boolean> {
  const attempts = tried.get(deps.store) ?? new Map<number, Tried>();
  tried.set(deps.store, attempts);
  const before = attempts.get(gallery.id);
  if (before && performance.now() < before.until) return before.result;
  const attempt: Tried = { result: tryToCarry(deps, gallery), until: Number.POSITIVE_INFINITY };
  attempts.set(gallery.id, attempt);
  const pause = () => {
    attempt.until = performance.now() + pauseMs;
  };
  attempt.result.then((done) => (done ? attempts.delete(gallery.id) : pause()), pause);
  return attempt.result;
}

async function tryToCarry(deps: Needed, gallery: GalleryRecord): Promise<boolean> {
  const { store, engine, matcher } = deps;
  const contract = contractText(engine.embeddingSpec);
  let outcome = await store.templateMigration.switchGallery(gallery.id, contract, new Date());
  if (outcome === null) return false;
  if (outcome !== 'done') {
    if (outcome.pending > mostMadeUp || !(await makeUp(deps, gallery, contract))) return false;
    outcome = await store.templateMigration.switchGallery(gallery.id, contract, new Date());
  }
  if (outcome !== 'done') return false;
  // What is in memory of it is of the pack before.
  matcher.evict(gallery.id);
  return true;
}

async function makeUp(
  { store, vault, engine }: Needed,
  gallery: GalleryRecord,
  contract: string,
): Promise<boolean> {
  const steps = {
    next: (after: number, limit: number) =>
      store.templateMigration.nextPending(gallery.id, contract, after, limit),
    keep: (templates: Parameters<Store['templateMigration']['storeTemplates']>[2]) =>
      store.templateMigration.storeTemplates(gallery.id, contract, templates),
  };
  try {
    const { unmade, overtaken } = await reembedFaces(steps, vault.gallery(gallery), engine, { atOnce });
    return unmade.length === 0 && !overtaken;
  } catch (error) {
    // A busy engine: the next call tries again.
    if (error instanceof EngineError) return false;
    throw error;
  }
}
