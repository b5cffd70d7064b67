import { constants, setPriority } from 'node:os';
import type { Embedder } from '@wajah/engine';
import {
  type AdminOperations,
  asOperatorError,
  type Config,
  type GalleryVault,
  loadConfig,
  type OperationInput,
  OperatorError,
  operationsOf,
  type SealedGallery,
  showProgress,
  type Terminal,
  type ToolCommands,
  table,
} from '@wajah/server/commands';
import {
  embeddingSpecText,
  isEngineError,
  packName,
  type ReembedResult,
  reembedFaces,
  upgradeOf,
} from '@wajah/server/faces';
import { bytesOf, openCommandEmbedder, openGalleryVault, requireVault } from './embedder.ts';

/**
 * Loads a pack to migrate templates to. Lowers the priority of this process, so that a server on the same machine
 * keeps its speed.
 * @param pack name of an installed pack, or `builtin`
 * @throws OperatorError without the key, or when the pack cannot be opened
 */
export async function openTemplateMigrator(config: Config, pack: string) {
  const { packs } = config;
  const vault = requireVault(config);
  setPriority(constants.priority.PRIORITY_LOW);
  const choice = { id: pack, packsDir: packs.folder, acceptNonCommercial: packs.acceptNonCommercial };
  const { embedder, workers } = await openCommandEmbedder(config, choice, 2);
  /** Embedding spec (JSON) of the templates of the pack. */
  const embeddingSpec = embeddingSpecText(embedder.embeddingSpec);
  return {
    embeddingSpec,
    /**
     * Computes the missing templates of galleries.
     * @param leaveOut deletes the faces that no template can be computed for
     * @param progress receives the number of processed faces and their total
     */
    migrate: (
      operations: AdminOperations,
      selection: OperationInput<'findGalleries'>,
      leaveOut: boolean,
      progress: (faces: number, total: number) => void,
    ) => {
      const isUpgraded = (gallery: SealedGallery) => upgradeOf(embedder, gallery.embeddingSpec) !== null;
      const reembed: Reembed = (gallery, update) =>
        reembedGallery(operations, { gallery, embeddingSpec }, openGalleryVault(vault, gallery), embedder, {
          concurrency: 2 * workers,
          upgrade: upgradeOf(embedder, gallery.embeddingSpec),
          progress: update,
        });
      // Nobody is deleted whose template the server converts.
      const mayLeaveOut = (gallery: SealedGallery) => leaveOut && !isUpgraded(gallery);
      return migrateGalleries(operations, { embeddingSpec, selection, mayLeaveOut }, reembed, progress);
    },
    close: () => embedder.close(),
  };
}

type Reembed = (gallery: SealedGallery, progress: (faces: number) => void) => Promise<ReembedResult>;

/** Outcome of the migration of one gallery. */
export interface GalleryResult extends ReembedResult {
  readonly gallery: SealedGallery;
  /** Faces that still have no template. */
  readonly waiting: number;
}

async function migrateGalleries(
  operations: AdminOperations,
  target: {
    embeddingSpec: string;
    selection: OperationInput<'findGalleries'>;
    mayLeaveOut: (gallery: SealedGallery) => boolean;
  },
  reembed: Reembed,
  progress: (faces: number, total: number) => void,
): Promise<GalleryResult[]> {
  const { embeddingSpec, selection, mayLeaveOut } = target;
  const pending: SealedGallery[] = [];
  let total = 0;
  for (const gallery of await operations.findGalleries(selection)) {
    if (gallery.embeddingSpec === null) continue;
    const waiting = await operations.beginMigration({ gallery: gallery.id, embeddingSpec });
    if (waiting === null) continue;
    pending.push(gallery);
    total += waiting;
  }
  const results: GalleryResult[] = [];
  let before = 0;
  for (const gallery of pending) {
    // Faces that are enrolled meanwhile are not in the total.
    const update = (faces: number) => progress(Math.min(total, before + faces), total);
    const result = await reembed(gallery, update);
    const { embedded, failed } = result;
    if (result.superseded) await requireSameTarget(operations, gallery, embeddingSpec);
    if (mayLeaveOut(gallery)) {
      const templates = failed.map(({ userId, seq }) => ({ userId, seq, template: null }));
      const { id, wrappedKey } = gallery;
      await operations.storeTemplates({ gallery: id, embeddingSpec, wrappedKey, templates });
    }
    // Null: a server that runs the pack has migrated the gallery meanwhile.
    const waiting = (await operations.beginMigration({ gallery: gallery.id, embeddingSpec })) ?? 0;
    results.push({ ...result, gallery, waiting });
    before += embedded + failed.length;
  }
  return results;
}

/** @throws OperatorError when its key was replaced, or unless the gallery was migrated to the same pack by another process, or deleted */
async function requireSameTarget(
  operations: AdminOperations,
  { id, clientId, galleryId, wrappedKey }: SealedGallery,
  embeddingSpec: string,
): Promise<void> {
  const all = await operations.findGalleries({ clientId, galleryId: null });
  const now = all.find((gallery) => gallery.id === id);
  if (!now || now.embeddingSpec === embeddingSpec) return;
  if (now.wrappedKey !== wrappedKey) {
    throw new OperatorError(
      `${galleryId} of ${clientId}: its key was replaced meanwhile; run this command again`,
    );
  }
  throw new OperatorError(`${galleryId} of ${clientId}: another command migrates it to another pack`);
}

function reembedGallery(
  operations: AdminOperations,
  { gallery: { id, wrappedKey }, embeddingSpec }: { gallery: SealedGallery; embeddingSpec: string },
  vault: GalleryVault,
  embedder: Embedder,
  options: Parameters<typeof reembedFaces>[3],
) {
  const steps: Parameters<typeof reembedFaces>[0] = {
    next: async (after, limit) => {
      const faces = await operations.nextFaces({ gallery: id, embeddingSpec, after, limit });
      return faces.map(({ crops, template, ...face }) => ({
        ...face,
        // A server of the version before sends none.
        ...(template !== undefined && { template: bytesOf(template) }),
        crops: crops.map(bytesOf),
      }));
    },
    store: (templates) => {
      const sealed = templates.map(({ template, ...face }) => ({
        ...face,
        template: template && Buffer.from(template).toString('base64'),
      }));
      return operations.storeTemplates({ gallery: id, embeddingSpec, wrappedKey, templates: sealed });
    },
  };
  return asOperatorError(() => reembedFaces(steps, vault, embedder, options), isEngineError);
}

/** `wajah reembed` */
export const reembed: ToolCommands['reembed'] = async ({ reach, terminal, env }, line) => {
  const { to, leaveOut, client, gallery } = line;
  if (gallery !== undefined && client === undefined) {
    throw new OperatorError('--gallery needs --client: names of galleries are those of a client');
  }
  const selection = { clientId: client ?? null, galleryId: gallery ?? null };
  const progress = showProgress('reembedded', terminal, 'faces');
  const migrator = await openTemplateMigrator(loadConfig(env), to);
  try {
    const results = await reach((perform) =>
      migrator.migrate(operationsOf(perform), selection, leaveOut, progress.update),
    ).finally(progress.end);
    report(results, to, migrator.embeddingSpec, terminal);
  } finally {
    await migrator.close();
  }
};

/** @throws OperatorError when a gallery stays with its pack */
function report(
  results: readonly GalleryResult[],
  pack: string,
  embeddingSpec: string,
  terminal: Terminal,
): void {
  if (results.length === 0) {
    terminal.note(`No gallery has faces of another pack than ${packName(embeddingSpec)}.`);
    return;
  }
  for (const { gallery, failed } of results) {
    for (const { userId, why } of failed)
      terminal.note(`${gallery.clientId} ${gallery.galleryId} ${userId}: ${why}`);
  }
  const rows = results.map(({ gallery, embedded, failed, waiting }) => [
    gallery.clientId,
    gallery.galleryId,
    String(embedded),
    String(failed.length),
    waiting === 0 ? 'ready' : `${waiting} missing`,
  ]);
  terminal.out(table(['client_id', 'facegallery_id', 'templates', 'not possible', ''], rows));
  const unready = results.filter(({ waiting }) => waiting > 0).length;
  if (unready < results.length) {
    terminal.note(
      `Ready galleries migrate at once where a server runs ${pack}; else run wajah models use ${pack} and restart each server. The server migrates up to 100 people a gallery that are enrolled until then; for more, run this command again.`,
    );
  }
  if (unready === 0) return;
  throw new OperatorError(
    `${unready} of ${results.length} galleries stay with their pack: enrol the missing people again, then run this command again (--leave-out deletes them instead)`,
  );
}
