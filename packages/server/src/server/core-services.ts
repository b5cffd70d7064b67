import { join } from 'node:path';
import type { Comparer } from '@wajah/engine';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { asOperatorError } from '../errors.ts';
import { createEvents } from '../events.ts';
import { createExactMatcher } from '../matching/exact-matcher.ts';
import { createFrameIndex } from '../matching/frames/frame-index.ts';
import type { Matcher } from '../matching/matcher.ts';
import { measuredStore } from '../metrics/store.ts';
import { createAdminOperations } from '../operations/table.ts';
import { startExpiry } from '../retention/expiry.ts';
import { evictErasedGalleries, startRetention } from '../retention/retention.ts';
import { openAuditChain } from '../security/audit-chain.ts';
import { openMasterKeys, requireSharedKeys, verifyMasterKeys } from '../security/keys/master-key.ts';
import { openSharedSigningKeys, openSigningKeys } from '../security/keys/signing-keys.ts';
import { createLoginGuard } from '../security/login-guard.ts';
import { createExternalIssuer } from '../security/tokens/external-issuer.ts';
import { createLivenessTokens } from '../security/tokens/liveness-tokens.ts';
import { createTokenIssuer } from '../security/tokens/token-issuer.ts';
import { createFrameVault, createRecordingVault, createSessionVault } from '../security/vaults/row-vaults.ts';
import type { Keys } from '../security/vaults/sealing.ts';
import { createTemplateVault, type TemplateVault } from '../security/vaults/template-vault.ts';
import { createAccountService } from '../services/accounts/account-administration.ts';
import { createClientService } from '../services/accounts/clients.ts';
import { createActivityRecorder } from '../services/activity/activity-recorder.ts';
import { createFaceEraser } from '../services/faces/face-eraser.ts';
import { createFaceWriter } from '../services/faces/face-writer.ts';
import { createImportAdministration } from '../services/faces/import-administration.ts';
import { createPictureIds } from '../services/faces/picture-ids.ts';
import { serverCalibration } from '../services/galleries/calibration.ts';
import { createCohorts, noCohorts } from '../services/galleries/cohorts.ts';
import { createPeople } from '../services/people/people.ts';
import { createDuplicateAdministration } from '../services/recognition/duplicates.ts';
import { createSessionRecorder } from '../services/recordings/recorder.ts';
import { resealInBackground } from '../services/resealing/reseal.ts';
import { lockDataDirectory } from '../store/data-directory.ts';
import { type EmbeddedStore, openSqliteStore } from '../store/sqlite-store.ts';
import type { GalleryRecord, Store } from '../store/store.ts';
import { DisposableStack } from './disposable-stack.ts';
import { openWebhooks } from './open-webhooks.ts';
import type { StartingEngine } from './starting-engine.ts';

/** The services that need only the data directory or the database: the operator's commands load no model. */
export type CoreServices = Awaited<ReturnType<typeof openCoreServices>>;

/**
 * Opens the store with its keys and the services that need nothing else. A data directory is owned by this process
 * until `close`; a database is shared.
 * @throws OperatorError when another process owns the directory, it cannot be written, the database cannot be used, or
 *   the key is wrong
 * @param engine that a server opens meanwhile; commands open the comparison of templates where they need it
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list of what is opened, in its order
export async function openCoreServices(
  config: Config,
  logger: Logger,
  engine?: Pick<StartingEngine, 'comparer'>,
) {
  const stack = new DisposableStack();
  try {
    const told = await openEvents(stack, config, logger);
    const { directory, store, masterKeys, signingKeys, chain, events, webhooks, activity } = told;
    const vault = createTemplateVault(...masterKeys);
    const issuer = createTokenIssuer(signingKeys, config.tokens.lifetimeSeconds);
    const { recordingVault, ...recorders } = openRecorder(stack, store, masterKeys, config, logger);
    const matcher = openMatcher(stack, store, vault, config, logger);
    const frames = openFrames(stack, store, masterKeys, config);
    stack.adopt(startRetention(store, chain, config, logger), (it) => it.stop());
    evictErased(stack, matcher, store, config, logger);
    const clients = createClientService({ store, matcher, vault, events, config });
    const authority = { issuer, events, ...loginParts(config, store) };
    const accounts = createAccountService({ store, ...authority, matcher, clients, config });
    const known = { store, vault, matcher, events, ...recorders };
    const faces = await openFaces(stack, known, config, logger, engine);
    const parts = { ...known, ...faces };
    const people = createPeople(parts);
    const duplicates = createDuplicateAdministration({ ...parts, config }, parts.comparer);
    const imports = createImportAdministration({ ...parts, config }, parts.comparer);
    const given = { ...parts, masterKeys, config, accounts, webhooks, people, duplicates, imports };
    const admin = createAdminOperations(given);
    const resealed = { ...told, vault, recordingVault, ...frames };
    return {
      directory,
      store,
      vault,
      issuer,
      events,
      activity,
      webhooks,
      ...recorders,
      matcher,
      ...faces,
      clients,
      accounts,
      admin,
      people,
      ...frames,
      livenessTokens: createLivenessTokens(signingKeys),
      /** Commands leave to the server: to check a large file, and to replace a former master key. */
      startUpkeep: () => {
        startUpkeep(stack, told.checkFile, resealed, logger);
        told.startSending();
      },
      /** Erases people whose time has ended, from now on; commands leave it to the server. */
      startExpiry: () => {
        const onErased = ({ clientId, galleryId }: GalleryRecord) =>
          events.personExpired({ clientId, trxId: null }, { facegallery_id: galleryId });
        const job = startExpiry(parts.eraser, onErased, store.people, events.registry, logger);
        stack.adopt(job, (it) => it.stop());
      },
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** The store with its keys, the events, and who is told of them. */
async function openEvents(stack: DisposableStack, config: Config, logger: Logger) {
  const registry = new Registry();
  const storage = await openStorage(stack, config, logger);
  const { masterKeys } = storage;
  const store = measuredStore<Store>(storage.store, registry);
  const chain = await openAuditChain(masterKeys, store.meta);
  const sending = openWebhooks(stack, store, masterKeys, config, registry, logger);
  const { outbox, ...sent } = sending;
  const recorder = createActivityRecorder({ store: store.activity, log: logger, on: config.eventDays > 0 });
  const activity = stack.adopt(recorder, (it) => it.settled());
  const sources = { log: logger, store, chain, registry, outbox, activity };
  const events = stack.adopt(createEvents(sources), (it) => it.settled());
  return { ...storage, ...sent, store, chain, events, activity };
}

/** What writes and erases faces. */
async function openFaces(
  stack: DisposableStack,
  parts: Omit<Parameters<typeof createFaceEraser>[0], 'cohorts'> &
    Pick<Parameters<typeof createFaceWriter>[0], 'vault' | 'matcher'>,
  config: Config,
  log: Logger,
  engine: Pick<StartingEngine, 'comparer'> | undefined,
) {
  const { store, vault } = parts;
  const comparer = once(async () =>
    engine ? engine.comparer(await serverCalibration(store.meta)) : openConfiguredComparer(config, store),
  );
  const cohorts = engine
    ? stack.adopt(createCohorts({ store, vault, engine: await comparer(), log }), (it) => it.close())
    : noCohorts;
  const eraser = createFaceEraser({ ...parts, cohorts });
  const pictureIds = createPictureIds(store);
  const writer = createFaceWriter({ ...parts, cohorts, eraser, pictureIds, comparer });
  return { comparer, cohorts, eraser, pictureIds, writer };
}

/** Does the work when it is asked for, and once. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

/** The comparison of templates that a server would start with. Imported on use: most commands do not need it. */
async function openConfiguredComparer({ engine, packs }: Config, { meta }: Store): Promise<Comparer> {
  const { openComparer } = await import('@wajah/engine');
  const { packChoice } = await import('../config/pack-choice.ts');
  const { isEngineError } = await import('../operations/models.ts');
  const open = async () => {
    const [pack, calibration] = [await packChoice(packs), await serverCalibration(meta)];
    return openComparer({ cacheDir: engine.cacheDir, pack, calibration });
  };
  return asOperatorError(open, isEngineError, 'The model pack cannot be opened: ');
}

function openMatcher(
  stack: DisposableStack,
  { faces, readerOptions: reader }: Store,
  vault: TemplateVault,
  { matching }: Config,
  logger: Logger,
): Matcher {
  const warn = (line: string) => logger.warn(line);
  const options = { faces, vault, budget: matching.memoryBytes, reader, warn };
  return stack.adopt(createExactMatcher(options), (it) => it.close());
}

function startUpkeep(
  stack: DisposableStack,
  checkFile: EmbeddedStore['checkFile'] | null,
  resealed: Parameters<typeof resealInBackground>[0],
  log: Logger,
): void {
  const report = (damage: string) =>
    log.error(
      { damage },
      'the database file is damaged: stop the server, restore a backup (docs/operations/backup.md)',
    );
  if (checkFile) stack.adopt(checkFile(report), (it) => it.stop());
  stack.adopt(resealInBackground(resealed, log), (it) => it.stop());
}

/** No other process erases galleries of an embedded store. */
function evictErased(stack: DisposableStack, matcher: Matcher, store: Store, config: Config, log: Logger) {
  if (!config.database) return;
  stack.adopt(evictErasedGalleries(matcher, store.galleries, log), (it) => it.stop());
}

/** What recognises frames of liveness sessions that were used before. */
function openFrames(
  stack: DisposableStack,
  { readerOptions: options }: Store,
  masterKeys: Keys,
  { sessions: { frameHours: hours } }: Config,
) {
  const frameVault = createFrameVault(...masterKeys);
  const index = createFrameIndex({ options, keys: frameVault.keys, hours });
  return { frameVault, frameIndex: stack.adopt(index, (it) => it.close()) };
}

/** What records judged sessions in the background. */
function openRecorder(stack: DisposableStack, store: Store, masterKeys: Keys, config: Config, log: Logger) {
  const vault = createRecordingVault(...masterKeys);
  const subjects = createSessionVault(...masterKeys);
  const recordings = createSessionRecorder({ store: store.recordings, vault, subjects, config, log });
  return {
    recordings: stack.adopt(recordings, (it) => it.settled()),
    recordingVault: vault,
    sessionVault: subjects,
  };
}

/** The external issuer of tokens, if there is one, and the limit of failed logins. */
function loginParts({ tokens, limits }: Config, store: Store) {
  return {
    external: tokens.issuer ? createExternalIssuer(tokens.issuer) : null,
    guard: createLoginGuard(limits.failedLogins, store.limits),
  };
}

/** Opens the store, the master key and the signing key. `directory` is null where a database is used. */
async function openStorage(stack: DisposableStack, config: Config, logger: Logger) {
  const { database, dataDir } = config;
  if (database) {
    const keys = requireSharedKeys(config);
    // Loaded on use: most servers have no database.
    const { openPostgresStore } = await import('../store/postgres-store.ts');
    const store = stack.adopt(await openPostgresStore(database), (it) => it.close());
    const masterKeys = await verifyMasterKeys(keys, store.meta);
    return {
      directory: null,
      store,
      checkFile: null,
      masterKeys,
      signingKeys: await openSharedSigningKeys(masterKeys, store.meta),
    };
  }
  const directory = stack.adopt(lockDataDirectory(dataDir), (it) => it.release());
  const store = stack.adopt(openSqliteStore(join(dataDir, 'wajah.db')), (it) => it.close());
  const masterKeys = await openMasterKeys(config, store.meta, (line) => logger.warn(line));
  const { checkFile } = store;
  return { directory, store, checkFile, masterKeys, signingKeys: await openSigningKeys(dataDir) };
}
