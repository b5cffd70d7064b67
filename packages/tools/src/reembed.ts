import { availableParallelism } from 'node:os';
import { maxTemplates } from '@wajah/contract';
import { type Embedder, EngineError, faceOfCrop, openEmbedder, type PackChoice } from '@wajah/engine';
import {
  asOperatorError,
  type Config,
  createTemplateVault,
  type GalleryVault,
  keyName,
  loadConfig,
  OperatorError,
  openAuditChain,
  requireInstallation,
  requireOneMasterKey,
  SealError,
  showProgress,
  type TemplateVault,
  type Terminal,
  type ToolCommands,
  table,
  verifyMasterKey,
} from '@wajah/server/commands';
import { embeddingSpecText, imageLimits, isEngineError, packName, upgradeOf } from '@wajah/server/faces';
import {
  type GalleryRecord,
  type NewTemplate,
  type PendingFace,
  packOfNextStart,
  type Store,
  withOwnStore,
} from '@wajah/server/stores';

/** `wajah reembed`: replaces the templates of galleries by those of another pack, in place, while no server runs. */
export const reembed: ToolCommands['reembed'] = async ({ terminal, env }, { to, leaveOut, ...some }) => {
  if (some.gallery !== undefined && some.client === undefined) {
    throw new OperatorError('--gallery needs --client: names of galleries are those of a client');
  }
  const config = loadConfig(env);
  if (!config.database) requireInstallation(config.dataDir);
  const { folder: packsDir, acceptNonCommercial } = config.packs;
  const results = await withOwnStore(config, async (store) => {
    // Servers on a database are stopped before the models are loaded.
    await store.alone(async () => {});
    const galleries = await findGalleries(store, some);
    const keys = await openKeys(config, store);
    const { embedder, workers } = await openCommandEmbedder(config, {
      id: to,
      packsDir,
      acceptNonCommercial,
    });
    const migration = { ...keys, store, embedder, leaveOut, concurrency: 2 * workers };
    return asOperatorError(() => migrate(migration, galleries, terminal), isEngineError).finally(() =>
      embedder.close(),
    );
  });
  report(results, to, terminal);
  const next = await packOfNextStart(config).catch(() => null);
  if (next && next.id !== to) terminal.note(`Run wajah models use ${to} before the server starts.`);
};

interface OpenedKeys {
  readonly vault: TemplateVault;
  readonly chain: Awaited<ReturnType<typeof openAuditChain>>;
}

/** @throws OperatorError without the master key, or when it is another one */
async function openKeys(config: Config, { meta }: Store): Promise<OpenedKeys> {
  const keys = requireOneMasterKey(config);
  if (!keys) {
    throw new OperatorError(
      'WAJAH_SECRET_KEY is not set, and the data directory holds no key: crops and templates are sealed under it',
    );
  }
  await verifyMasterKey(keys, meta, keyName(config));
  return { vault: createTemplateVault(...keys), chain: await openAuditChain(keys, meta) };
}

const deadlineMs = 120_000;

/** @throws OperatorError when the pack cannot be opened */
async function openCommandEmbedder({ engine, limits }: Config, pack: PackChoice) {
  const workers = Math.min(engine.workers, availableParallelism());
  const options = {
    image: imageLimits(limits),
    pack,
    workers,
    queue: 2 * workers + 8,
    deadlineMs,
    launcher: engine.launcher,
  };
  return { embedder: await asOperatorError(() => openEmbedder(options), isEngineError), workers };
}

/** @throws OperatorError when there is no such client or gallery */
async function findGalleries(
  { clients, galleries }: Store,
  { client, gallery }: { readonly client: string | undefined; readonly gallery: string | undefined },
): Promise<GalleryRecord[]> {
  const named = (await clients.list()).map(({ clientId }) => clientId);
  if (client !== undefined && !named.includes(client))
    throw new OperatorError(`--client: there is no client ${client}`);
  const lists = await Promise.all((client === undefined ? named : [client]).map((id) => galleries.list(id)));
  const found = lists.flat().filter(({ galleryId }) => gallery === undefined || galleryId === gallery);
  if (gallery !== undefined && found.length === 0)
    throw new OperatorError(`--gallery: ${client} has no gallery ${gallery}`);
  return found;
}

/** What templates are made with, and where. */
export interface Migration extends OpenedKeys {
  readonly store: Store;
  readonly embedder: Pick<Embedder, 'analyze' | 'embeddingSpec' | 'upgrades'>;
  /** Erases the people whom no template can be made of. */
  readonly leaveOut: boolean;
  /** Faces whose crops are analysed at once. */
  readonly concurrency: number;
}

/** A person without a new template. */
interface Failure {
  readonly userId: string;
  readonly why: string;
}

interface GalleryResult {
  readonly gallery: GalleryRecord;
  /** Faces that got a template. */
  readonly made: number;
  readonly failed: readonly Failure[];
  /** `former`: nothing was changed; `partial`: it is closed until the rest is done. */
  readonly state: 'done' | 'former' | 'partial';
}

/** A gallery whose templates are to be replaced. */
interface Plan {
  readonly gallery: GalleryRecord;
  readonly pending: number;
  /** Converts the present templates; null: they are made of crops. */
  readonly upgrade: ReturnType<typeof upgradeOf>;
  readonly withoutCrop: readonly string[];
}

/** Galleries with people without a crop stay as they are, unless these are left out. */
export async function migrate(
  migration: Migration,
  galleries: readonly GalleryRecord[],
  terminal: Pick<Terminal, 'note'>,
): Promise<GalleryResult[]> {
  const plans = (await Promise.all(galleries.map((gallery) => planOf(migration, gallery)))).flatMap(
    (plan) => plan ?? [],
  );
  const ready = plans.filter((plan) => plan.withoutCrop.length === 0);
  const total = ready.reduce((sum, { pending }) => sum + pending, 0);
  const progress = showProgress('reembedded', terminal, 'faces');
  const results: GalleryResult[] = plans
    .filter((plan) => !ready.includes(plan))
    .map(({ gallery, withoutCrop }) => ({
      gallery,
      made: 0,
      failed: withoutCrop.map((userId) => ({ userId, why: noCrop })),
      state: gallery.formerSpec === null ? 'former' : 'partial',
    }));
  try {
    let before = 0;
    for (const plan of ready) {
      results.push(
        await replaceTemplates(migration, plan, (faces) => progress.update(before + faces, total)),
      );
      before += plan.pending;
    }
  } finally {
    progress.end();
  }
  return results;
}

/** @returns null: all its templates are of the pack */
async function planOf(
  { store: { reembedding }, embedder, leaveOut }: Migration,
  gallery: GalleryRecord,
): Promise<Plan | null> {
  const { id, embeddingSpec, formerSpec } = gallery;
  const spec = embeddingSpecText(embedder.embeddingSpec);
  if (embeddingSpec === null || (embeddingSpec === spec && formerSpec === null)) return null;
  const isMixed = formerSpec !== null && embeddingSpec !== spec;
  const upgrade = isMixed ? null : upgradeOf(embedder, formerSpec ?? embeddingSpec);
  const pending = await reembedding.countPending(id, spec);
  const withoutCrop = upgrade || leaveOut ? [] : await reembedding.withoutCrop(id, spec);
  return { gallery, pending, upgrade, withoutCrop };
}

/** Templates that are converted in one transaction. */
const convertedAtOnce = 500;

/** Each step is stored: it may be killed at any time, and another run makes the templates that are left. */
async function replaceTemplates(
  { store, vault, chain, embedder, leaveOut, concurrency }: Migration,
  { gallery, upgrade }: Plan,
  progress: (faces: number) => void,
): Promise<GalleryResult> {
  const { id } = gallery;
  const spec = embeddingSpecText(embedder.embeddingSpec);
  const opened = vault.gallery(gallery);
  const make = async (face: PendingFace) =>
    upgrade ? converted(face, opened, upgrade) : embedFace(face, opened, embedder);
  const failed: Failure[] = [];
  let made = 0;
  await store.alone(({ reembedding }) => reembedding.begin(id, spec));
  for (let after = 0; ; ) {
    const faces = await store.reembedding.next(
      id,
      spec,
      after,
      upgrade ? convertedAtOnce : concurrency,
      !upgrade,
    );
    const last = faces.at(-1);
    if (!last) break;
    const results = await Promise.all(faces.map(make));
    const templates = faces.flatMap(({ userId, seq }, i) => {
      const result = results[i]!;
      if (typeof result !== 'string') return { userId, seq, template: result };
      failed.push({ userId, why: result });
      return leaveOut ? { userId, seq, template: null } : [];
    });
    await replace({ store, chain }, gallery, spec, templates);
    made = made + results.filter((result) => typeof result !== 'string').length;
    progress(made + failed.length);
    after = last.seq;
  }
  const isDone = await store.alone(async ({ reembedding, audit }) => {
    if (!(await reembedding.finish(id, spec))) return false;
    await audit.append([recordOf(gallery, spec, { people: made })], chain);
    return true;
  });
  return { gallery, made, failed, state: isDone ? 'done' : 'partial' };
}

function recordOf({ clientId, galleryId }: GalleryRecord, spec: string, more: object) {
  const facts = { operation: 'reembed', facegallery_id: galleryId, pack: packName(spec), ...more };
  return { at: new Date(), event: 'administered', clientId, trxId: null, facts };
}

/** People who are erased are recorded in the transaction in which they go. */
async function replace(
  { store, chain }: Pick<Migration, 'store' | 'chain'>,
  gallery: GalleryRecord,
  spec: string,
  templates: readonly NewTemplate[],
): Promise<void> {
  const erased = templates.filter(({ template }) => template === null).length;
  const isReplaced = await store.alone(async ({ reembedding, audit }) => {
    if (!(await reembedding.replace(gallery.id, spec, templates))) return false;
    if (erased > 0) await audit.append([recordOf(gallery, spec, { left_out: erased })], chain);
    return true;
  });
  if (isReplaced) return;
  throw new OperatorError(
    `${gallery.galleryId} of ${gallery.clientId} is migrated by another command: run this one again`,
  );
}

/** @returns as many templates, converted and sealed; damaged ones as they are: they open for no comparison */
function converted(
  { userId, template }: PendingFace,
  vault: GalleryVault,
  upgrade: NonNullable<Plan['upgrade']>,
): Uint8Array {
  try {
    return vault.sealAll(userId, vault.openAll(userId, template).map(upgrade));
  } catch (error) {
    if (error instanceof SealError || error instanceof RangeError) return template;
    throw error;
  }
}

const noCrop = 'no face crop is kept';

/** @returns the templates, sealed, or why there are none */
async function embedFace(
  { userId, crops }: PendingFace,
  vault: GalleryVault,
  embedder: Pick<Embedder, 'analyze'>,
): Promise<Uint8Array | string> {
  if (crops.length === 0) return noCrop;
  try {
    const templates: Float32Array[] = [];
    for (const crop of crops) {
      const template = await embed(vault.openCrop(userId, crop), embedder);
      if (template) templates.push(template);
    }
    if (templates.length === 0) return 'the pack finds no face in the crop';
    // A face may have more crops than templates, after an earlier run that failed on some: the newest are used.
    return vault.sealAll(userId, templates.slice(-maxTemplates));
  } catch (error) {
    if (error instanceof SealError || (error instanceof EngineError && isPictureError(error)))
      return 'the crop is damaged';
    throw error;
  }
}

/** Faces that a crop may show: the person's own, and others in the background. */
const maxFaces = 4;

async function embed(
  crop: ReturnType<GalleryVault['openCrop']>,
  embedder: Pick<Embedder, 'analyze'>,
): Promise<Float32Array | undefined> {
  const request = { attributes: ['embedding'], maxFaces, search: 'fast' } as const;
  const { faces } = await embedder.analyze(crop.jpeg, request);
  return faceOfCrop(faces, crop)?.embedding;
}

const isPictureError = ({ code }: EngineError) => code === 'imageType' || code === 'imageBroken';

/** @throws OperatorError when a gallery is not migrated, or in part */
function report(results: readonly GalleryResult[], pack: string, terminal: Terminal): void {
  if (results.length === 0) terminal.note(`No gallery has faces of another pack than ${pack}.`);
  for (const { gallery, failed } of results) {
    for (const { userId, why } of failed)
      terminal.note(`${gallery.clientId} ${gallery.galleryId} ${userId}: ${why}`);
  }
  const rows = results.map(({ gallery, made, failed, state }) => [
    gallery.clientId,
    gallery.galleryId,
    String(made),
    String(failed.length),
    { done: 'done', former: 'unchanged', partial: 'closed' }[state],
  ]);
  if (rows.length > 0)
    terminal.out(table(['client_id', 'facegallery_id', 'templates', 'not possible', ''], rows));
  const count = (wanted: GalleryResult['state']) => results.filter(({ state }) => state === wanted).length;
  const [former, partial] = [count('former'), count('partial')];
  const faults = [
    former > 0 &&
      `${former} of ${results.length} galleries keep their pack: enrol the people who are named again, with face crops kept, and run this command again (--leave-out erases these people instead)`,
    partial > 0 &&
      `${partial} of ${results.length} galleries are migrated in part, and calls on them are refused: run this command again with --leave-out, which erases the people who are named, or with --to and the former pack`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new OperatorError(faults.join('; '));
}
