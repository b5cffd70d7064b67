import { type Engine, installedPacks, roles } from '@wajah/engine';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { calibrationNotices, padNotices, providerNotices, recordingNotices } from '../config/notices.ts';
import { packChoice } from '../config/pack-choice.ts';
import { onceIn } from '../lib/periodic.ts';
import { hourMs } from '../lib/time.ts';
import { engineMetrics } from '../metrics/engine.ts';
import { queueMetrics } from '../metrics/queue.ts';
import { measureServer } from '../metrics/server.ts';
import { openAdminSocket, placeSocket } from '../operations/admin-socket.ts';
import type { AdminOperations } from '../operations/table.ts';
import type { AccountService } from '../services/accounts/account-administration.ts';
import { createQuotaService } from '../services/accounts/clients.ts';
import { createTokenService } from '../services/accounts/tokens.ts';
import { createActivityService } from '../services/activity/activity.ts';
import { createAuditService, createStatusService, type StatusSources } from '../services/activity/status.ts';
import type { AppServices } from '../services/app-services.ts';
import type { ServiceDependencies } from '../services/dependencies.ts';
import { createEnrolmentService } from '../services/faces/enrolment.ts';
import {
  createCalibrationNote,
  serverCalibration,
  warningsOfCalibrations,
} from '../services/galleries/calibration.ts';
import { warningsOfOtherPacks } from '../services/galleries/embedding-spec.ts';
import { createGalleryService } from '../services/galleries/galleries.ts';
import { createLivenessService } from '../services/liveness/liveness.ts';
import { createLivenessSessions } from '../services/liveness/session.ts';
import { createPeopleService } from '../services/people/people-service.ts';
import { createDetectionService } from '../services/recognition/detection.ts';
import { createDuplicateService } from '../services/recognition/duplicates.ts';
import { createRecognitionService } from '../services/recognition/recognition.ts';
import type { SessionRecorder } from '../services/recordings/recorder.ts';
import { createScheduler, type Scheduler } from '../services/scheduling/scheduler.ts';
import { createClientWebhooks } from '../services/webhooks/client-webhooks.ts';
import type { Store } from '../store/store.ts';
import { version } from '../version.ts';
import { type CoreServices, openCoreServices } from './core-services.ts';
import { DisposableStack } from './disposable-stack.ts';
import { migrateTemplates } from './migrate-templates.ts';
import { type StartingEngine, startConfiguredEngine } from './starting-engine.ts';

/** The long-lived parts of a server. */
export interface Context extends AppServices {
  readonly accounts: AccountService;
  readonly admin: AdminOperations;
  readonly recordings: SessionRecorder;
  readonly eraseExpired: CoreServices['eraser']['eraseExpired'];
  readonly engine: Engine;
  readonly scheduler: Pick<Scheduler, 'load'>;
  readonly store: Store;
  /** Closes what was opened here, in reverse order; nothing that was passed in. */
  close(): Promise<void>;
}

/** Parts that the caller has opened, and closes; and what it is told. */
export interface Overrides {
  readonly engine?: Engine;
  /**
   * Draws the steps of sessions instead of the random challenge, for measurements with recorded films that show only
   * some of the actions. No setting and no call reaches it.
   */
  readonly drawSteps?: ServiceDependencies['drawSteps'];
  /** Receives the number of converted networks and of all, where the first start converts them. */
  readonly onConversion?: ((done: number, total: number) => void) | undefined;
  /** Workers that are starting already; the context closes them. */
  readonly startingEngine?: StartingEngine;
}

/**
 * Opens everything. Admin commands are answered as soon as the store is open, before the models are loaded.
 * @throws OperatorError as `openCoreServices`, or when the models cannot be opened
 */
export async function openContext(
  config: Config,
  logger: Logger,
  overrides: Overrides = {},
): Promise<Context> {
  const stack = new DisposableStack();
  try {
    const starting = await startingEngine(stack, config, logger, overrides);
    const core = await openCore(
      stack,
      config,
      logger,
      starting ?? { comparer: async () => overrides.engine! },
    );
    const engine = await openEngine(stack, starting, core, overrides);
    const scheduler = createScheduler(engine, config.engine, queueMetrics(core.events.registry));
    core.startExpiry();
    const services = { ...core, engine, scheduler, config, drawSteps: overrides.drawSteps };
    await migrateTemplates(stack, services, logger);
    await reportStart(services, logger);
    await loadFrames(core, config);
    return {
      accounts: core.accounts,
      clients: core.clients,
      ...clientServices(services, core),
      recorder: core.activity,
      ...(await operatorServices(services, core)),
      ...faceServices(services),
      quotas: createQuotaService(services),
      requireRoom: (caller) => scheduler.requireRoom(caller),
      events: core.events,
      limits: core.store.limits,
      calibrationNote: createCalibrationNote(services),
      jwks: async () => core.issuer.jwks(),
      // Everybody may ask, as often as they like; the store is asked once a second.
      ready: onceIn(() => readiness(core.store, engine, config)),
      admin: core.admin,
      recordings: core.recordings,
      eraseExpired: core.eraser.eraseExpired,
      store: core.store,
      engine,
      scheduler,
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function openCore(
  stack: DisposableStack,
  config: Config,
  logger: Logger,
  engine: Pick<StartingEngine, 'comparer'>,
): Promise<CoreServices> {
  const core = stack.adopt(await openCoreServices(config, logger, engine), (it) => it.close());
  await serveAdminSocket(stack, core, config, logger);
  core.startUpkeep();
  return core;
}

/** The services of a client's galleries, people, tokens and activity. */
function clientServices(services: ServiceDependencies, { people, webhooks }: CoreServices) {
  return {
    galleries: createGalleryService(services),
    duplicates: createDuplicateService(services),
    people: createPeopleService({ ...services, people }),
    clientWebhooks: createClientWebhooks({ ...services, webhooks }),
    tokens: createTokenService(services),
    activity: createActivityService(services),
  };
}

/** The services that analyse pictures. */
function faceServices(services: ServiceDependencies) {
  return {
    parts: services,
    enrolment: createEnrolmentService(services),
    recognition: createRecognitionService(services),
    detection: createDetectionService(services),
    liveness: createLivenessService(services),
    livenessSessions: createLivenessSessions(services),
  };
}

/** Starts to load the remembered frames, if there are any. A session is judged when they are loaded; the start does not wait. */
async function loadFrames({ store, frameIndex }: CoreServices, { sessions }: Config): Promise<void> {
  const since = new Date(Date.now() - sessions.frameHours * hourMs);
  if (await store.frames.any(since)) frameIndex.warm();
}

async function serveAdminSocket(
  stack: DisposableStack,
  { directory, admin }: CoreServices,
  config: Config,
  logger: Logger,
): Promise<void> {
  // Admin commands open a shared database themselves.
  if (directory === null) return;
  const place = stack.adopt(placeSocket(config.dataDir), (it) => it.release());
  const defect = (err: unknown) => logger.error({ err }, 'an admin operation failed');
  const socket = stack.adopt(await openAdminSocket(place.path, admin, defect), (it) => it.close());
  directory.publish({ adminSocket: socket.path });
}

/** Null where the caller has opened an engine. The workers start while the store is opened. */
async function startingEngine(
  stack: DisposableStack,
  config: Config,
  logger: Logger,
  { engine, startingEngine: begun, onConversion }: Overrides,
): Promise<StartingEngine | null> {
  if (engine) return null;
  const starting = begun ?? (await startConfiguredEngine(config, logger, onConversion));
  return stack.adopt(starting, (it) => it.close());
}

/** The engine that is starting, or that of the caller. */
async function openEngine(
  stack: DisposableStack,
  starting: StartingEngine | null,
  { store, events }: CoreServices,
  { engine }: Overrides,
): Promise<Engine> {
  const observer = engineMetrics(events.registry);
  if (!starting) return engine!;
  const started = await starting.finish(await serverCalibration(store.meta), observer);
  return stack.adopt(started, (it) => it.close());
}

/** What operators see: metrics, status, audit trail. */
async function operatorServices(services: ServiceDependencies, core: CoreServices) {
  measureServer(services, core.events.registry);
  const { engine, config } = services;
  const status = createStatusService(services, await statusSources(core, engine, config.packs));
  return { status, audit: createAuditService(services, status) };
}

/** Logs what an operator should know, and records the packs: another one changes who is recognised. */
async function reportStart(
  { store, events, engine, config }: CoreServices & { readonly engine: Engine; readonly config: Config },
  logger: Logger,
): Promise<void> {
  for (const line of await startWarnings(store, engine, config)) logger.warn(line);
  const { pack, version: packVersion } = engine.embeddingSpec;
  events.serverStarted({ version, pack: `${pack} ${packVersion}`, pad_pack: engine.padPack ?? 'none' });
}

/** What the status service reads besides the services. The pack in use is the one of the start. */
async function statusSources(
  { events }: CoreServices,
  { embeddingSpec, padPack }: Engine,
  packs: Config['packs'],
): Promise<StatusSources> {
  const { id: used } = await packChoice(packs);
  // Packs without a network for a role use that of builtin, and list the roles that they have themselves.
  const builtin = {
    id: 'builtin',
    version: embeddingSpec.pack === 'builtin' ? embeddingSpec.version : '',
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
          inUse: id === used || id === padPack,
          licence: [...licences].join(', '),
        };
      },
    );
    return [builtin, ...installed];
  };
  return { version, startedAt: new Date(), busy: events.busy, packs: readPacks };
}

/** What an operator should know at the start: a PAD pack that is missing, sessions that are recorded, galleries of other packs. */
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
  return [
    ...padNotices(engine),
    ...calibrationNotices(engine),
    ...providerNotices(engine),
    ...recordingNotices(config),
  ];
}

async function readiness(store: Store, engine: Engine, config: Config): ReturnType<AppServices['ready']> {
  const answers = await store.ping().then(
    () => true,
    () => false,
  );
  const { workers: configured, alive, restarts } = engine.load();
  const checks = { store: answers, models: alive > 0 };
  const workers = { configured, alive, restarts };
  return { ready: checks.store && checks.models, checks, workers, notices: noticesOf(engine, config) };
}
