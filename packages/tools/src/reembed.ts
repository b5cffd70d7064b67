import { constants, setPriority } from 'node:os';
import { operatorEndpoints } from '@wajah/contract';
import type { Embedder } from '@wajah/engine';
import {
  type Answer,
  asOperatorError,
  type CallEndpoint,
  loadConfig,
  OperatorError,
  showProgress,
  type Terminal,
  type ToolCommands,
  table,
} from '@wajah/server/commands';
import {
  embeddingSpecText,
  isEngineError,
  type MigrationSteps,
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
export const reembed: ToolCommands['reembed'] = async ({ callAsOperator, terminal, env }, line) => {
  const { to, leaveOut, client: client_id, gallery: facegallery_id } = line;
  if (facegallery_id !== undefined && client_id === undefined) {
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
    const results = await callAsOperator(async (call) => {
      const migration = migrationOver(call, embedder);
      const { galleries } = await call(operatorEndpoints.findGalleries, { client_id, facegallery_id });
      const embed: Embed = async (one, update) => {
        const upgrade = upgradeOf(embedder, one.embedding_spec);
        const options = { concurrency: 2 * workers, upgrade, progress: update };
        const opened = openGalleryVault(vault, {
          id: one.gallery,
          clientId: one.client_id,
          wrappedKey: one.wrapped_key,
        });
        return asOperatorError(
          () => reembedFaces(migration.of(one), opened, embedder, options),
          isEngineError,
        );
      };
      return prepare(migration, { galleries, leaveOut, embed }, progress.update);
    }).finally(progress.end);
    report(results, to, embedder, terminal);
  } finally {
    await embedder.close();
  }
};

/** A gallery as `find-galleries` answers it, with what is needed to open and seal its templates. */
type Gallery = Answer;

/** Calls to migrate galleries to the pack of an embedder. Bytes are base64. */
function migrationOver(call: CallEndpoint, embedder: Pick<Embedder, 'embeddingSpec'>) {
  const embedding_spec = embeddingSpecText(embedder.embeddingSpec);
  return {
    /** @returns number of faces without a template; null: the gallery is switched or deleted */
    begin: async ({ gallery }: Gallery): Promise<number | null> =>
      (await call(operatorEndpoints.beginMigration, { gallery, embedding_spec })).pending,
    of: ({ gallery, wrapped_key }: Gallery): MigrationSteps => ({
      next: async (after, limit) => {
        const page = { gallery, embedding_spec, after, limit };
        const { faces } = await call(operatorEndpoints.listPendingFaces, page);
        return faces.map(({ user_id: userId, seq, template, crops }: Answer) => ({
          userId,
          seq,
          template: bytesOf(template),
          crops: crops.map(bytesOf),
        }));
      },
      store: async (templates) => {
        // Together they would exceed the size of a body.
        const answers = await Promise.all(
          templates.map(({ userId: user_id, seq, template: made }) => {
            const template = made && Buffer.from(made).toString('base64');
            const face = { user_id, seq, template, wrapped_key };
            return call(operatorEndpoints.storeMigrated, { gallery, embedding_spec, ...face });
          }),
        );
        return answers.every(({ stored }) => stored);
      },
    }),
  };
}

/** Makes the templates of a gallery that are missing. */
type Embed = (gallery: Gallery, progress: (faces: number) => void) => Promise<ReembedResult>;

interface Preparation {
  readonly galleries: readonly Gallery[];
  /** Marks the faces that no template can be computed for: the switch erases them. */
  readonly leaveOut: boolean;
  readonly embed: Embed;
}

interface GalleryResult extends ReembedResult {
  readonly gallery: Gallery;
  /** Faces that still have no template. */
  readonly waiting: number;
}

/** @throws OperatorError when a gallery is changed by another command, or by a server that starts */
async function prepare(
  migration: ReturnType<typeof migrationOver>,
  { galleries, leaveOut, embed }: Preparation,
  progress: (faces: number, total: number) => void,
): Promise<GalleryResult[]> {
  const begun: Gallery[] = [];
  let total = 0;
  for (const gallery of galleries.filter((one) => one.embedding_spec !== null)) {
    const waiting = await migration.begin(gallery);
    if (waiting === null) continue;
    begun.push(gallery);
    total += waiting;
  }
  const results: GalleryResult[] = [];
  let before = 0;
  for (const gallery of begun) {
    // Faces that are enrolled meanwhile are not in the total.
    const result = await embed(gallery, (faces) => progress(Math.min(total, before + faces), total));
    if (result.superseded) {
      throw new OperatorError(
        `${gallery.facegallery_id} of ${gallery.client_id} was switched or deleted meanwhile, has another key, or another command prepares it for another pack: run this command again`,
      );
    }
    if (leaveOut)
      for (const { userId, seq } of result.failed)
        await migration.of(gallery).store([{ userId, seq, template: null }]);
    // Null: a server that started meanwhile has switched the gallery.
    const waiting = (await migration.begin(gallery)) ?? 0;
    results.push({ ...result, gallery, waiting });
    before += result.embedded + result.failed.length;
  }
  return results;
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
      terminal.note(`${gallery.client_id} ${gallery.facegallery_id} ${userId}: ${why}`);
  }
  const rows = results.map(({ gallery, embedded, failed, waiting }) => [
    gallery.client_id,
    gallery.facegallery_id,
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
