import { type Comparer, type Engine, installedPacks, openComparer, roles } from '@wajah/engine';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type Config, inOwnWords, programName } from '../config/config.ts';
import { calibrationNotices, padNotices, providerNotices } from '../config/notices.ts';
import { packChoice } from '../config/pack-choice.ts';
import { asOperatorError } from '../errors.ts';
import { createEvents } from '../events/events.ts';
import { createClockJump, jumpNotice } from '../lib/clock-jump.ts';
import { once, onceIn } from '../lib/periodic.ts';
import { createExactMatcher } from '../matching/exact-matcher.ts';
import { engineMetrics } from '../metrics/engine.ts';
import { queueMetrics } from '../metrics/queue.ts';
import { measureServer } from '../metrics/server.ts';
import { measuredStore } from '../metrics/store.ts';
import { isEngineError } from '../operations/models.ts';
import { startExpiry } from '../retention/expiry.ts';
import { evictErasedGalleries, startRetention } from '../retention/retention.ts';
import { openAuditChain } from '../security/audit-chain.ts';
import { keyDigest, openMasterKey, requireSharedKey, verifyMasterKey } from '../security/keys/master-key.ts';
import { openSharedSigningKeys, openSigningKeys } from '../security/keys/signing-keys.ts';
import { createLoginGuard } from '../security/login-guard.ts';
import { createExternalIssuer } from '../security/tokens/external-issuer.ts';
import { createLivenessTokens } from '../security/tokens/liveness-tokens.ts';
import { createTokenIssuer } from '../security/tokens/token-issuer.ts';
import { createFrameVault, createSessionVault, createWebhookVault } from '../security/vaults/row-vaults.ts';
import { createTemplateVault } from '../security/vaults/template-vault.ts';
import { createAccountService } from '../services/accounts/accounts.ts';
import { createClientAdministration } from '../services/accounts/client-administration.ts';
import { createClientService, createOperatorCheck } from '../services/accounts/clients.ts';
import { createQuotaService } from '../services/accounts/quotas.ts';
import { createSignInLinks } from '../services/accounts/sign-in-links.ts';
import { createTokenService } from '../services/accounts/tokens.ts';
import { createActivityService } from '../services/activity/activity.ts';
import { createActivityRecorder } from '../services/activity/activity-recorder.ts';
import type { StatusSources } from '../services/activity/ports.ts';
import { createAuditService, createStatusService } from '../services/activity/status.ts';
import { createInstallationService } from '../services/administration/installation.ts';
import { createAdmission } from '../services/faces/admission.ts';
import { createEnrolmentService, createFaceService } from '../services/faces/enrolment.ts';
import { createFaceEraser } from '../services/faces/face-eraser.ts';
import { createFacePictures } from '../services/faces/face-pictures.ts';
import { createFaceWriter } from '../services/faces/face-writer.ts';
import { createLivenessProof } from '../services/faces/liveness-proof.ts';
import { createPictureIds } from '../services/faces/picture-ids.ts';
import { createPictures } from '../services/faces/pictures.ts';
import {
  createCalibrationNote,
  serverCalibration,
  warningsOfCalibrations,
} from '../services/galleries/calibration.ts';
import { createCohorts, noCohorts } from '../services/galleries/cohorts.ts';
import { createComparisons } from '../services/galleries/comparisons.ts';
import { warningsOfOtherPacks } from '../services/galleries/embedding-spec.ts';
import { createGalleryService } from '../services/galleries/galleries.ts';
import { switchGalleries } from '../services/galleries/template-migration.ts';
import { createThresholds } from '../services/galleries/thresholds.ts';
import { createLivenessService } from '../services/liveness/liveness.ts';
import type { OpeningLimits } from '../services/liveness/opening.ts';
import { createReplays } from '../services/liveness/replays.ts';
import { createLivenessSessions } from '../services/liveness/session.ts';
import { createPeopleService } from '../services/people/people-service.ts';
import { createDetectionService } from '../services/recognition/detection.ts';
import { createDuplicateSearch, createDuplicateService } from '../services/recognition/duplicates.ts';
import { createRecognitionService } from '../services/recognition/recognition.ts';
import type { Scheduler } from '../services/scheduling/ports.ts';
import { createScheduler } from '../services/scheduling/scheduler.ts';
import { createClientWebhooks } from '../services/webhooks/client-webhooks.ts';
import {
  type DeliveryLimits,
  deliveryAttempts,
  deliveryLimits,
  startDispatcher,
} from '../services/webhooks/delivery.ts';
import { createWebhookEndpoints } from '../services/webhooks/endpoints.ts';
import { createOutbox, createWanted } from '../services/webhooks/outbox.ts';
import { databaseFile, takeDataDirectory } from '../store/data-directory.ts';
import type { GalleryRecord, Store } from '../store/ports.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { version } from '../version.ts';
import { DisposableStack } from './disposable-stack.ts';
import { listenToOperator, type ModelServices, operatorServices } from './operator.ts';
import { type StartingEngine, startConfiguredEngine } from './starting-engine.ts';

/** What needs only the data directory or the database: the operator's commands load no model. */
type Core = Awaited<ReturnType<typeof openCore>>;

/**
 * Opens the store with its keys and all that needs nothing else. A data directory is owned by this process until
 * `close`; a database is shared.
 * @param starting the engine of a server, whose comparison of templates is used; absent: for a command, which opens the
 *   comparison where it needs it, and leaves to servers what is sent, renewed or erased in the background
 * @throws OperatorError when another process owns the directory, it cannot be written, the database cannot be used, or
 *   the key is wrong
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list of what is opened, in its order
export async function openCore(
  config: Config,
  logger: Logger,
  starting?: Pick<StartingEngine, 'comparer'>,
  limits: LimitOverrides = {},
) {
  const stack = new DisposableStack();
  try {
    const registry = new Registry();
    const storage = await openStorage(stack, config, logger);
    const { masterKey, signingKeys } = storage;
    const store = measuredStore<Store>(storage.store, registry);
    const chain = await openAuditChain([masterKey], store.meta);
    const vault = createTemplateVault(masterKey);
    const sessionVault = createSessionVault(masterKey);
    const frameVault = createFrameVault(masterKey);

    const wanted = createWanted();
    const webhookParts = {
      store: store.webhooks,
      vault: createWebhookVault(masterKey),
      config: { ...config.webhooks, ...deliveryLimits, ...limits.delivery },
      wanted,
      log: logger,
    };
    const attempts = deliveryAttempts(registry);
    const dispatcher =
      starting && config.webhooks.on
        ? stack.adopt(startDispatcher({ ...webhookParts, attempts }), (it) => it.stop())
        : undefined;
    const outbox = config.webhooks.on
      ? stack.adopt(createOutbox({ ...webhookParts, onWritten: dispatcher?.wake }), (it) => it.settled())
      : undefined;
    const webhooks = createWebhookEndpoints({ ...webhookParts, onChanged: wanted.changed });
    const activity = stack.adopt(
      createActivityRecorder({ store: store.activity, log: logger, on: config.eventDays > 0 }),
      (it) => it.settled(),
    );
    const events = stack.adopt(
      createEvents({ log: logger, store, chain, registry, outbox, activity }),
      (it) => it.settled(),
    );

    const matcher = stack.adopt(
      createExactMatcher({
        faces: store.faces,
        vault,
        budget: config.matching.memoryBytes,
        onDamage: ({ id }, row) => events.templateDamaged(id, row),
      }),
      (it) => it.close(),
    );
    const replays = stack.adopt(createReplays({ frames: store.frames, vault: frameVault }), (it) =>
      it.close(),
    );
    const clock = createClockJump(store.meta);
    stack.adopt(startRetention(store, chain, config, logger, clock), (it) => it.stop());
    // No other process erases galleries of an embedded store.
    if (config.database)
      stack.adopt(evictErasedGalleries(matcher, store.galleries, logger), (it) => it.stop());

    const issuer = createTokenIssuer(signingKeys, config.tokens.lifetimeSeconds);
    const external = config.tokens.issuer ? createExternalIssuer(config.tokens.issuer, logger) : null;
    const guard = createLoginGuard(store.limits, limits.failedLogins);
    const clients = createClientService({ store, matcher, vault, events });
    const accounts = createAccountService({ store, issuer, external, guard, events, matcher, clients });
    const signInLinks = createSignInLinks({ store, issuer, guard });

    const comparer = once(async () =>
      starting
        ? starting.comparer(await serverCalibration(store.meta))
        : openConfiguredComparer(config, store),
    );
    const cohorts = starting
      ? stack.adopt(createCohorts({ store, vault, engine: await comparer(), log: logger }), (it) =>
          it.close(),
        )
      : noCohorts;
    const eraser = createFaceEraser({ store, matcher, cohorts, sessionVault, events });
    const pictureIds = createPictureIds(store);
    if (starting && storage.checkFile) {
      const damaged = (damage: string) =>
        logger.error(
          { damage },
          'the database file is damaged: stop the server, restore a backup (docs/operations/storage.md)',
        );
      stack.adopt(storage.checkFile(damaged), (it) => it.stop());
    }
    return {
      ...storage,
      store,
      chain,
      clock,
      vault,
      sessionVault,
      webhooks,
      activity,
      events,
      matcher,
      replays,
      issuer,
      clients,
      accounts,
      requireOperator: createOperatorCheck(store),
      signInLinks,
      tokens: createTokenService({ store, events }),
      comparer,
      cohorts,
      eraser,
      pictureIds,
      writer: createFaceWriter({ store, vault, matcher, cohorts, events, comparer, eraser, pictureIds }),
      installation: createInstallationService({
        store,
        vault,
        issuer,
        accounts,
        signInLinks,
        eraser,
        events,
      }),
      searchDuplicates: createDuplicateSearch({ store, vault, matcher, cohorts, events, config, comparer }),
      livenessTokens: createLivenessTokens(signingKeys),
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Opens the store, the master key and the signing key. `directory` is null where a database is used. */
async function openStorage(stack: DisposableStack, config: Config, logger: Logger) {
  const { database, dataDir } = config;
  if (database) {
    const masterKey = requireSharedKey(config);
    // Loaded on use: most servers have no database.
    const { openPostgresStore } = await import('../store/postgres-store.ts');
    const store = stack.adopt(await openPostgresStore(database), (it) => it.close());
    await verifyMasterKey([masterKey], store.meta);
    stack.adopt(await store.takeLease(keyDigest(masterKey), logger), (it) => it.end());
    const signingKeys = await openSharedSigningKeys([masterKey], store.meta);
    return { directory: null, store, checkFile: null, masterKey, signingKeys };
  }
  const directory = stack.adopt(await takeDataDirectory(dataDir), (it) => it.release());
  const store = stack.adopt(openSqliteStore(databaseFile(dataDir)), (it) => it.close());
  const masterKey = await openMasterKey(config, store.meta, (line) => logger.warn(line));
  const { checkFile } = store;
  return { directory, store, checkFile, masterKey, signingKeys: await openSigningKeys(dataDir) };
}

/** The comparison of templates that a server would start with. */
async function openConfiguredComparer({ engine, packs }: Config, { meta }: Store): Promise<Comparer> {
  const open = async () => {
    const [pack, calibration] = [await packChoice(packs), await serverCalibration(meta)];
    return openComparer({ cacheDir: engine.cacheDir, pack, calibration });
  };
  return asOperatorError(open, isEngineError, 'The model pack cannot be opened: ');
}

/** Limits of tests, which cannot wait as long or send as much as the real ones allow. */
export interface LimitOverrides {
  readonly failedLogins?: number;
  readonly delivery?: Partial<DeliveryLimits>;
  readonly opening?: Partial<OpeningLimits>;
}

/** Parts that the caller has opened, and closes; and what it is told. */
export interface Overrides {
  readonly engine?: Engine;
  /**
   * Draws the steps of sessions instead of the random challenge, for measurements with recorded films that show only
   * some of the actions. No setting and no call reaches it.
   */
  readonly drawSteps?: Parameters<typeof createLivenessSessions>[0]['drawSteps'];
  readonly limits?: LimitOverrides;
  /** Receives the number of converted networks and of all, where the first start converts them. */
  readonly onConversion?: ((done: number, total: number) => void) | undefined;
  /** Workers that are starting already; the context closes them. */
  readonly startingEngine?: StartingEngine;
}

/** Services that need the models, which operators' calls wait for during a start. */
type ModelBacked = Awaited<ReturnType<ModelServices['comparing']>> &
  Awaited<ReturnType<ModelServices['analysing']>>;

/** The long-lived parts of a server. */
export type Context = Awaited<ReturnType<typeof openContext>>;

/**
 * Opens everything. The operator's calls are answered as soon as the store is open, before the models are loaded.
 * @throws OperatorError as `openCore`, or when the models cannot be opened
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list of what is opened, in its order
export async function openContext(config: Config, logger: Logger, overrides: Overrides = {}) {
  const stack = new DisposableStack();
  try {
    // The workers start while the store is opened.
    const starting = overrides.engine
      ? openedEngine(overrides.engine)
      : stack.adopt(
          overrides.startingEngine ?? (await startConfiguredEngine(config, logger, overrides.onConversion)),
          (it) => it.close(),
        );
    const core = await openCore(config, logger, starting, overrides.limits);
    stack.adopt(core, (it) => it.close());
    const { store, events, eraser } = core;
    const { registry } = events;
    let publish: (services: ModelBacked) => void = () => {};
    const published = new Promise<ModelBacked>((resolve) => {
      publish = resolve;
    });
    // Commands open a shared database themselves.
    if (core.directory) {
      const models = { comparing: () => published, analysing: () => published };
      const forOperator = operatorServices({ ...core, config }, models);
      const socket = stack.adopt(await listenToOperator(forOperator, { config, logger }), (it) => it.close());
      core.directory.publish({ operatorSocket: socket.path });
    }

    const calibration = await serverCalibration(store.meta);
    const engine = await starting.finish(calibration, engineMetrics(registry));
    if (!overrides.engine) stack.adopt(engine, (it) => it.close());
    const scheduler = createScheduler(engine, config.engine, queueMetrics(registry));
    const onErased = ({ clientId, galleryId }: GalleryRecord) =>
      events.observe('person_expired', { clientId, trxId: null }, { facegallery_id: galleryId });
    stack.adopt(startExpiry(eraser, onErased, store.people, registry, logger, core.clock), (it) => it.stop());

    const parts = { ...core, engine, scheduler, config };
    const services = createServices({
      ...parts,
      drawSteps: overrides.drawSteps,
      openingLimits: overrides.limits?.opening,
    });
    await switchGalleries({ store, engine, vault: core.vault, log: logger });
    for (const line of await startWarnings(store, engine, config)) logger.warn(line);
    const { pack, version: packVersion } = engine.embeddingSpec;
    events.observe(
      'server_started',
      { clientId: null, trxId: null },
      { version, pack: `${pack} ${packVersion}`, pad_pack: engine.padPack ?? 'none' },
    );
    // The start does not wait for the remembered frames; a session is judged when they are read.
    void core.replays.refresh().catch(() => undefined);

    measureServer(parts, registry);
    const status = createStatusService(parts, statusSources(core, engine, config.packs));
    const calibrationNote = createCalibrationNote(parts);
    publish({ ...services, status, calibrationNote });
    return {
      ...core,
      ...services,
      engine,
      scheduler,
      recorder: core.activity,
      activity: createActivityService(parts),
      status,
      audit: createAuditService(parts),
      administration: createClientAdministration(parts, core.requireOperator),
      clientWebhooks: createClientWebhooks(parts),
      quotas: stack.adopt(createQuotaService(parts), (it) => it.settled()),
      limits: store.limits,
      calibrationNote,
      jwks: async () => core.issuer.jwks(),
      // Everybody may ask, as often as they like; the store is asked once a second.
      ready: onceIn(() => readiness(core, engine, config)),
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** An engine that the caller has opened. */
const openedEngine = (engine: Engine): Pick<StartingEngine, 'comparer' | 'finish'> => ({
  comparer: async () => engine,
  finish: async () => engine,
});

/** The services of galleries, people and pictures, each made once. */
export function createServices(
  core: Omit<Core, 'close'> &
    Pick<Overrides, 'drawSteps'> & {
      readonly openingLimits?: Partial<OpeningLimits> | undefined;
      readonly engine: Engine;
      readonly scheduler: Scheduler;
      readonly config: Config;
    },
) {
  const thresholds = createThresholds(core.engine, core.config.thresholds);
  const comparisons = createComparisons({ ...core, thresholds });
  const parts = {
    ...core,
    thresholds,
    comparisons,
    pictures: createPictures(core),
    liveness: createLivenessProof({ ...core, comparisons }),
    admission: createAdmission({ ...core, comparisons }),
  };
  return {
    galleries: createGalleryService(parts),
    people: createPeopleService(parts),
    faces: createFaceService(parts),
    facePictures: createFacePictures(parts),
    enrolment: createEnrolmentService(parts),
    recognition: createRecognitionService(parts),
    duplicates: createDuplicateService(parts),
    detection: createDetectionService(parts),
    liveness: createLivenessService(parts),
    livenessSessions: createLivenessSessions(parts),
    /** What a profile makes its own services of. */
    parts,
  };
}

/** What the status service reads besides the services. The pack in use is the one of the start. */
function statusSources({ events }: Core, engine: Engine, packs: Config['packs']): StatusSources {
  const { pack: used, version: usedVersion } = engine.embeddingSpec;
  // Packs without a network for a role use that of builtin, and list the roles that they have themselves.
  const builtin = {
    id: 'builtin',
    version: used === 'builtin' ? usedVersion : '',
    roles,
    inUse: used === 'builtin',
    licence: 'Apache-2.0, MIT, CC0-1.0',
  };
  const readPacks = async () => {
    const installed = (await installedPacks(packs.folder)).map(
      ({ definition: { id, version, networks } }) => {
        const present = Object.entries(networks).filter(([, network]) => network !== undefined);
        const licences = new Set(present.map(([, network]) => network?.licence));
        return {
          id,
          version,
          roles: present.map(([role]) => role),
          inUse: id === used || id === engine.padPack,
          licence: [...licences].join(', '),
        };
      },
    );
    return [builtin, ...installed];
  };
  return { version, startedAt: new Date(), busy: events.busy, packs: readPacks };
}

/** What an operator should know at the start: a PAD pack that is missing, galleries of other packs. */
export async function startWarnings(
  store: Store,
  engine: Engine,
  config: Config,
): Promise<readonly string[]> {
  const others = await warningsOfOtherPacks(store, engine);
  return [...noticesOf(engine, config), ...others, ...(await warningsOfCalibrations(store, engine))];
}

/** What an operator should improve. */
function noticesOf(engine: Engine, config: Config): readonly string[] {
  return [...padNotices(engine, config), ...calibrationNotices(engine), ...providerNotices(engine)];
}

function damageNotices(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${count} stored templates did not open since the start of this server and are left out of searches: \`wajah gallery check\` lists those that are still there`,
  ];
}

async function readiness({ store, events, clock }: Core, engine: Engine, config: Config) {
  const answers = await store.ping().then(
    () => true,
    () => false,
  );
  const { workers: configured, alive, restarts } = engine.load();
  const checks = { store: answers, models: alive > 0, audit: answers && (await events.auditIsWritten()) };
  const workers = { configured, alive, restarts };
  const { embedder } = engine.embeddingSpec;
  const pad = engine.padPack ?? 'none';
  const last = answers ? await clock.heldSince().catch(() => null) : null;
  const others = answers ? await warningsOfOtherPacks(store, engine).catch(() => []) : [];
  const notices = [
    ...noticesOf(engine, config),
    ...others,
    ...damageNotices(events.damagedTemplates()),
    ...(last ? [`${jumpNotice(last)}.`] : []),
  ];
  return {
    ready: Object.values(checks).every(Boolean),
    checks,
    workers,
    embedder,
    pad,
    command: programName(),
    notices: notices.map(inOwnWords),
  };
}
