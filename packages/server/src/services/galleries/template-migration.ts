import { type Engine, EngineError } from '@wajah/engine';
import type { Matcher } from '../../matching/ports.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/gallery-store.ts';
import type { Store } from '../../store/store.ts';
import { type EngineTemplates, embeddingSpecText, upgradeOf } from './embedding-spec.ts';
import { type MigrationSteps, reembedFaces, upgradeFaces } from './reembedding.ts';

/** Faces enrolled since `wajah reembed` ran that a call may re-embed itself, which takes seconds. */
const maxMissing = 100;
/** Of these, face crops analysed at once; the other workers serve calls. */
const concurrency = 2;
/** Milliseconds between two attempts to migrate one gallery. */
const retryMs = 5000;
/** Switches tried in one attempt: before each, the faces that were enrolled meanwhile get a template. */
const maxSwitches = 5;

interface Parts {
  readonly store: Pick<Store, 'clients' | 'galleries' | 'templateMigration'>;
  readonly engine: EngineTemplates & Pick<Engine, 'analyze'>;
  readonly vault: TemplateVault;
  readonly matcher: Pick<Matcher, 'evict'>;
}

export type TemplateMigration = ReturnType<typeof createTemplateMigration>;

/** Migrates galleries to the pack of this server. */
export function createTemplateMigration(parts: Parts) {
  /** By internal number of the gallery. */
  const attempts = new Map<number, Attempt>();
  /** Concurrent calls on a gallery share one attempt. @returns whether the gallery was migrated */
  const migrate = (gallery: GalleryRecord): Promise<boolean> => {
    const before = attempts.get(gallery.id);
    if (before && performance.now() < before.until) return before.result;
    const attempt: Attempt = { result: tryToMigrate(parts, gallery), until: Number.POSITIVE_INFINITY };
    attempts.set(gallery.id, attempt);
    const pause = () => {
      attempt.until = performance.now() + retryMs;
    };
    attempt.result.then((done) => (done ? attempts.delete(gallery.id) : pause()), pause);
    return attempt.result;
  };
  return {
    isComparable: (gallery: GalleryRecord) => isComparable(parts, gallery),
    migrate,

    /** Migrates the galleries of all clients that are prepared, or whose templates can be converted. @returns how many */
    async migrateAll(): Promise<number> {
      let migrated = 0;
      for await (const gallery of incomparableGalleries(parts)) if (await migrate(gallery)) migrated++;
      return migrated;
    },

    /**
     * Converts the templates of all galleries that can be, beside the present ones, for other servers still compare those.
     * The first call on a gallery migrates it.
     */
    async prepareUpgrades(): Promise<void> {
      for await (const gallery of incomparableGalleries(parts)) {
        const isOpen = openedOrNull(() => parts.vault.gallery(gallery)) !== null;
        if (isOpen && upgradeOf(parts.engine, gallery.embeddingSpec)) await upgradeGallery(parts, gallery);
      }
    },
  };
}

/** A migration that runs or ended recently. */
interface Attempt {
  readonly result: Promise<boolean>;
  /** Time of `performance.now()` before which there is no other attempt. */
  until: number;
}

async function* incomparableGalleries(parts: Parts): AsyncGenerator<GalleryRecord> {
  for (const { clientId } of await parts.store.clients.list()) {
    for (const gallery of await parts.store.galleries.list(clientId)) {
      if (!isComparable(parts, gallery)) yield gallery;
    }
  }
}

function isComparable({ engine }: Parts, { embeddingSpec, migrating }: GalleryRecord): boolean {
  return !migrating && (embeddingSpec === null || embeddingSpec === embeddingSpecText(engine.embeddingSpec));
}

async function tryToMigrate(parts: Parts, gallery: GalleryRecord): Promise<boolean> {
  // One whose key is damaged must not keep the others from being migrated.
  if (!openedOrNull(() => parts.vault.gallery(gallery))) return false;
  const { store, engine, matcher } = parts;
  const spec = embeddingSpecText(engine.embeddingSpec);
  const isUpgraded = upgradeOf(engine, gallery.embeddingSpec) !== null;
  if (isUpgraded && !(await upgradeGallery(parts, gallery))) return false;
  for (let attempt = 1; attempt <= maxSwitches; attempt++) {
    const outcome = await store.templateMigration.switchGallery(gallery.id, spec, new Date());
    if (outcome === null) return false;
    if (outcome === 'done') {
      // The cached gallery holds templates of the old pack.
      matcher.evict(gallery.id);
      return true;
    }
    if (!isUpgraded && outcome.pending > maxMissing) return false;
    const prepared = isUpgraded ? upgradeGallery(parts, gallery) : embedMissing(parts, gallery);
    if (!(await prepared)) return false;
  }
  return false;
}

/** @returns whether all of its faces had a template of this server's pack at some moment */
async function upgradeGallery(parts: Parts, gallery: GalleryRecord): Promise<boolean> {
  const { store, vault, engine } = parts;
  const upgrade = upgradeOf(engine, gallery.embeddingSpec);
  if (!upgrade) return false;
  await store.templateMigration.begin(gallery.id, embeddingSpecText(engine.embeddingSpec));
  return upgradeFaces(stepsOf(parts, gallery, false), vault.gallery(gallery), upgrade);
}

/** As `upgradeGallery`, of the kept crops. */
async function embedMissing(parts: Parts, gallery: GalleryRecord): Promise<boolean> {
  const { vault, engine } = parts;
  try {
    const steps = stepsOf(parts, gallery, true);
    const { failed, superseded } = await reembedFaces(steps, vault.gallery(gallery), engine, { concurrency });
    return failed.length === 0 && !superseded;
  } catch (error) {
    // A busy engine: the next call tries again.
    if (error instanceof EngineError) return false;
    throw error;
  }
}

function stepsOf({ store, engine }: Parts, { id, wrappedKey }: GalleryRecord, withCrops: boolean) {
  const { templateMigration } = store;
  const spec = embeddingSpecText(engine.embeddingSpec);
  return {
    next: (after, limit) => templateMigration.nextPending(id, spec, after, limit, withCrops),
    store: (templates) => templateMigration.storeTemplates(id, spec, templates, wrappedKey),
  } satisfies MigrationSteps;
}
