import type { Engine } from '@wajah/engine';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { GalleryRecord } from '../../store/ports.ts';
import type { ServiceParts } from '../parts.ts';
import { embeddingSpecText, upgradeOf } from './embedding-spec.ts';
import type { EngineTemplates } from './ports.ts';
import { type MigrationSteps, reembedFaces } from './reembedding.ts';

/** Faces enrolled since `wajah reembed` ran that a start re-embeds itself: seconds. */
const maxMissing = 100;
/** Faces processed at once: of crops, and of templates that are converted (about 4 ms). */
const concurrency = { crops: 4, upgrades: 100 };
/** Switches tried of one gallery: before each, the faces that another server enrolled meanwhile get a template. */
const maxSwitches = 5;

interface Parts extends ServiceParts<'store' | 'vault'> {
  readonly engine: EngineTemplates & Pick<Engine, 'analyze'>;
  /** Receives a line for each gallery that is switched, or is prepared and is not. */
  readonly log: {
    info(line: string): void;
    warn(fields: object, line: string): void;
  };
}

/**
 * Switches the galleries that are prepared for the pack of this server, or whose templates it converts. A server calls
 * it before it listens. A gallery that cannot be switched keeps its templates and its pack: calls on it are refused.
 */
export async function switchGalleries(parts: Parts): Promise<void> {
  const own = embeddingSpecText(parts.engine.embeddingSpec);
  for (const { clientId } of await parts.store.clients.list()) {
    for (const gallery of await parts.store.galleries.list(clientId)) {
      if (gallery.embeddingSpec === null || gallery.embeddingSpec === own) continue;
      await switchGallery(parts, gallery, own).catch((err: unknown) =>
        parts.log.warn({ err }, `${nameOf(gallery)} is not switched and keeps its model pack`),
      );
    }
  }
}

const nameOf = ({ clientId, galleryId }: GalleryRecord) => `gallery ${galleryId} of ${clientId}`;

async function switchGallery(parts: Parts, gallery: GalleryRecord, own: string): Promise<void> {
  const { templateMigration } = parts.store;
  // One whose key is damaged must not keep the others from being switched.
  if (!openedOrNull(() => parts.vault.gallery(gallery))) return;
  const isUpgraded = upgradeOf(parts.engine, gallery.embeddingSpec) !== null;
  if (isUpgraded) await templateMigration.begin(gallery.id, own);
  let pending = await templateMigration.countPending(gallery.id, own);
  for (let attempt = 1; pending !== null && attempt <= maxSwitches; attempt++) {
    if (!isUpgraded && pending > maxMissing) break;
    if (pending > 0) await prepare(parts, gallery, own);
    const outcome = await templateMigration.switchGallery(gallery.id, own, new Date());
    if (outcome === 'done') return parts.log.info(`${nameOf(gallery)} has switched to this model pack`);
    pending = outcome === null ? null : outcome.pending;
  }
  if (pending === null) return;
  const { pack } = parts.engine.embeddingSpec;
  parts.log.warn(
    { missing: pending },
    `${nameOf(gallery)} is prepared for this model pack, but ${pending} of its people have no template of it: the gallery keeps its pack; run wajah reembed --to ${pack}, which names those without a face crop, and restart`,
  );
}

/** Makes the templates that are missing: converts them, or embeds the kept crops. */
async function prepare({ store, vault, engine }: Parts, gallery: GalleryRecord, own: string): Promise<void> {
  const { id, wrappedKey } = gallery;
  const upgrade = upgradeOf(engine, gallery.embeddingSpec);
  const steps: MigrationSteps = {
    next: (after, limit) => store.templateMigration.nextPending(id, own, after, limit, upgrade === null),
    store: (templates) => store.templateMigration.storeTemplates(id, own, templates, wrappedKey),
  };
  const options = { concurrency: upgrade ? concurrency.upgrades : concurrency.crops, upgrade };
  await reembedFaces(steps, vault.gallery(gallery), engine, options);
}
