import { constants, setPriority } from 'node:os';
import type { Embedder } from '@wajah/engine';
import {
  type AdminOperations,
  asOperatorError,
  loadConfig,
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
 * `wajah reembed`: prepares galleries for another pack, beside a running server, which goes on with the present one. A
 * server that starts with the pack switches those that are ready.
 */
export const reembed: ToolCommands['reembed'] = async ({ reach, terminal, env }, line) => {
  const { to, leaveOut, client, gallery } = line;
  if (gallery !== undefined && client === undefined) {
    throw new OperatorError('--gallery needs --client: names of galleries are those of a client');
  }
  const config = loadConfig(env);
  const vault = requireVault(config);
  // A server on the same machine keeps its speed.
  setPriority(constants.priority.PRIORITY_LOW);
  const { folder, acceptNonCommercial } = config.packs;
  const choice = { id: to, packsDir: folder, acceptNonCommercial };
  const { embedder, workers } = await openCommandEmbedder(config, choice, 2);
  const progress = showProgress('reembedded', terminal, 'faces');
  try {
    const selection = { clientId: client ?? null, galleryId: gallery ?? null };
    const embeddingSpec = embeddingSpecText(embedder.embeddingSpec);
    const results = await reach(async (perform) => {
      const operations = operationsOf(perform);
      const galleries = await operations.findGalleries(selection);
      const embed: Embed = (one, update) => {
        const steps = stepsOf(operations, one, embeddingSpec);
        const upgrade = upgradeOf(embedder, one.embeddingSpec);
        const options = { concurrency: 2 * workers, upgrade, progress: update };
        const work = () => reembedFaces(steps, openGalleryVault(vault, one), embedder, options);
        return asOperatorError(work, isEngineError);
      };
      return prepare(operations, { galleries, embeddingSpec, leaveOut, embed }, progress.update);
    }).finally(progress.end);
    report(results, to, embedder, terminal);
  } finally {
    await embedder.close();
  }
};

/** Makes the templates of a gallery that are missing. */
type Embed = (gallery: SealedGallery, progress: (faces: number) => void) => Promise<ReembedResult>;

interface Preparation {
  readonly galleries: readonly SealedGallery[];
  readonly embeddingSpec: string;
  /** Marks the faces that no template can be computed for: the switch erases them. */
  readonly leaveOut: boolean;
  readonly embed: Embed;
}

interface GalleryResult extends ReembedResult {
  readonly gallery: SealedGallery;
  /** Faces that still have no template. */
  readonly waiting: number;
}

async function prepare(
  operations: AdminOperations,
  { galleries, embeddingSpec, leaveOut, embed }: Preparation,
  progress: (faces: number, total: number) => void,
): Promise<GalleryResult[]> {
  const begun: SealedGallery[] = [];
  let total = 0;
  for (const gallery of galleries.filter((one) => one.embeddingSpec !== null)) {
    const waiting = await operations.beginMigration({ gallery: gallery.id, embeddingSpec });
    if (waiting === null) continue;
    begun.push(gallery);
    total += waiting;
  }
  const results: GalleryResult[] = [];
  let before = 0;
  for (const gallery of begun) {
    const { id, wrappedKey } = gallery;
    // Faces that are enrolled meanwhile are not in the total.
    const result = await embed(gallery, (faces) => progress(Math.min(total, before + faces), total));
    if (result.superseded) await requireSameTarget(operations, gallery, embeddingSpec);
    if (leaveOut) {
      const templates = result.failed.map(({ userId, seq }) => ({ userId, seq, template: null }));
      await operations.storeTemplates({ gallery: id, embeddingSpec, wrappedKey, templates });
    }
    // Null: a server that started meanwhile has switched the gallery.
    const waiting = (await operations.beginMigration({ gallery: id, embeddingSpec })) ?? 0;
    results.push({ ...result, gallery, waiting });
    before += result.embedded + result.failed.length;
  }
  return results;
}

/** @throws OperatorError unless a server has switched the gallery to the same pack, or it was deleted */
async function requireSameTarget(
  operations: AdminOperations,
  { id, clientId, galleryId, wrappedKey }: SealedGallery,
  embeddingSpec: string,
): Promise<void> {
  const all = await operations.findGalleries({ clientId, galleryId: null });
  const now = all.find((gallery) => gallery.id === id);
  if (!now || now.embeddingSpec === embeddingSpec) return;
  const reason =
    now.wrappedKey === wrappedKey
      ? 'another command prepares it for another pack'
      : 'its key was replaced meanwhile; run this command again';
  throw new OperatorError(`${galleryId} of ${clientId}: ${reason}`);
}

function stepsOf(
  operations: AdminOperations,
  { id: gallery, wrappedKey }: SealedGallery,
  embeddingSpec: string,
): Parameters<typeof reembedFaces>[0] {
  return {
    next: async (after, limit) => {
      const faces = await operations.nextFaces({ gallery, embeddingSpec, after, limit });
      return faces.map(({ crops, template, ...face }) => ({
        ...face,
        template: bytesOf(template),
        crops: crops.map(bytesOf),
      }));
    },
    store: (made) => {
      const templates = made.map(({ template, ...face }) => ({
        ...face,
        template: template && Buffer.from(template).toString('base64'),
      }));
      return operations.storeTemplates({ gallery, embeddingSpec, wrappedKey, templates });
    },
  };
}

/** @throws OperatorError when a gallery stays with its pack */
function report(
  results: readonly GalleryResult[],
  pack: string,
  { embeddingSpec }: Pick<Embedder, 'embeddingSpec'>,
  terminal: Terminal,
): void {
  if (results.length === 0) {
    const name = packName(embeddingSpecText(embeddingSpec));
    terminal.note(`No gallery has faces of another pack than ${name}.`);
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
      `Ready galleries switch when a server starts with ${pack}: run wajah models use ${pack} and restart each server. It makes the templates of up to 100 people a gallery that are enrolled until then; for more, run this command again before.`,
    );
  }
  if (unready === 0) return;
  throw new OperatorError(
    `${unready} of ${results.length} galleries stay with their pack: enrol the missing people again with face crops kept, then run this command again (--leave-out deletes them instead)`,
  );
}
