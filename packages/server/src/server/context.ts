import { type Engine, installedPacks, roles } from '@wajah/engine';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type Config, programName } from '../config/config.ts';
import { textOf } from '../config/finding.ts';
import { damagedDatabase } from '../config/findings.ts';
import { asOperatorError, type OperatorError, SealError } from '../errors.ts';
import { createEvents } from '../events/events.ts';
import type { OpenFeature } from '../feature.ts';
import { features } from '../features/features.ts';
import { createClockJump } from '../lib/clock-jump.ts';
import { onceIn } from '../lib/periodic.ts';
import { createExactMatcher } from '../matching/exact-matcher.ts';
import { engineMetrics } from '../metrics/engine.ts';
import { queueMetrics } from '../metrics/queue.ts';
import { measureServer } from '../metrics/server.ts';
import { measuredStore } from '../metrics/store.ts';
import { startExpiry } from '../retention/expiry.ts';
import { evictErasedGalleries, startRetention } from '../retention/retention.ts';
import { openAuditChain } from '../security/audit-chain.ts';
import {
  keyDigest,
  keyName,
  openMasterKey,
  requireSharedKey,
  verifyMasterKey,
} from '../security/keys/master-key.ts';
import { openSharedSigningKeys, openSigningKeys } from '../security/keys/signing-keys.ts';
import { createLoginGuard } from '../security/login-guard.ts';
import { createExternalIssuer } from '../security/tokens/external-issuer.ts';
import { createLivenessTokens } from '../security/tokens/liveness-tokens.ts';
import { createTokenIssuer } from '../security/tokens/token-issuer.ts';
import { createFrameVault, createSessionVault } from '../security/vaults/row-vaults.ts';
import { createTemplateVault } from '../security/vaults/template-vault.ts';
import { createAccountService } from '../services/accounts/accounts.ts';
import { createClientAdministration } from '../services/accounts/client-administration.ts';
import { createClientService, createOperatorCheck } from '../services/accounts/clients.ts';
import { createQuotaService } from '../services/accounts/quotas.ts';
import { createSignInLinks } from '../services/accounts/sign-in-links.ts';
import { createTokenService } from '../services/accounts/tokens.ts';
import { createFindings } from '../services/administration/findings.ts';
import { createInstallationService } from '../services/administration/installation.ts';
import type { FindingService, StatusSources } from '../services/administration/ports.ts';
import { createStatusService } from '../services/administration/status.ts';
import { createAdmission } from '../services/faces/admission.ts';
import { createEnrolmentService, createFaceService } from '../services/faces/enrolment.ts';
import { createFaceEraser } from '../services/faces/face-eraser.ts';
import { createFacePictures } from '../services/faces/face-pictures.ts';
import { createFaceWriter } from '../services/faces/face-writer.ts';
import { createLivenessProof } from '../services/faces/liveness-proof.ts';
import { createPictureIds } from '../services/faces/picture-ids.ts';
import { createPictures } from '../services/faces/pictures.ts';
import { createCalibrationNote, serverCalibration } from '../services/galleries/calibration.ts';
import { createCohorts } from '../services/galleries/cohorts.ts';
import { createComparisons } from '../services/galleries/comparisons.ts';
import { createGalleryService } from '../services/galleries/galleries.ts';
import { createScoreRecorder } from '../services/galleries/score-recorder.ts';
import { createLivenessService } from '../services/liveness/liveness.ts';
import type { OpeningLimits } from '../services/liveness/opening.ts';
import { createReplays } from '../services/liveness/replays.ts';
import { createLivenessSessions } from '../services/liveness/session.ts';
import { keepPacks } from '../services/packs/stored-packs.ts';
import type { ServiceParts } from '../services/parts.ts';
import { createPeopleService } from '../services/people/people-service.ts';
import { createRecognitionService } from '../services/recognition/recognition.ts';
import { createScheduler } from '../services/scheduling/scheduler.ts';
import { databaseFile, takeDataDirectory } from '../store/data-directory.ts';
import type { Store } from '../store/ports/store.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { version } from '../version.ts';
import { DisposableStack } from './disposable-stack.ts';
import { listenToOperator } from './operator.ts';
import { type StartingEngine, startConfiguredEngine } from './starting-engine.ts';

/** What needs only the data directory or the database. */
type Core = Awaited<ReturnType<typeof openCore>>;

/**
 * Opens the store with its keys and all that needs nothing else. A data directory is owned by this process until
 * `close`; a database is shared.
 * @param starting the engine, whose comparison of templates is used
 * @throws OperatorError when another process owns the directory, it cannot be written, the database cannot be used, or
 *   the key is wrong
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list of what is opened, in its order
export async function openCore(
  config: Config,
  logger: Logger,
  starting: Pick<StartingEngine, 'comparer'>,
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

    const featureParts = { config, store, masterKey, registry, logger };
    const opened: OpenFeature[] = [];
    for (const feature of features) {
      const open = await feature.open?.({ ...featureParts, overrides: limits.features ?? {} });
      if (open) opened.push(stack.adopt(open, (it) => it.close?.()));
    }
    const traces = opened.flatMap(({ traces: kept }) => kept ?? []);
    const scores = stack.adopt(
      createScoreRecorder({ store: store.scores, log: logger, on: config.eventDays > 0 }),
      (it) => it.settled(),
    );
    const events = stack.adopt(
      createEvents({
        log: logger,
        store,
        chain,
        registry,
        subscribers: [...opened.flatMap(({ subscriber }) => subscriber ?? []), scores],
      }),
      (it) => it.settled(),
    );

    storage.store.damage.tell(events.rowDamaged);

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

    const comparer = await starting.comparer(await serverCalibration(store.meta));
    const cohorts = stack.adopt(createCohorts({ store, vault, engine: comparer, log: logger }), (it) =>
      it.close(),
    );
    const eraser = createFaceEraser({ store, matcher, cohorts, sessionVault, events, traces });
    const pictureIds = createPictureIds(store);
    if (storage.checkFile) {
      const damaged = (damage: string) =>
        logger.error({ finding: 'database' }, textOf(damagedDatabase(damage)));
      stack.adopt(storage.checkFile(damaged), (it) => it.stop());
    }
    return {
      ...storage,
      store,
      chain,
      clock,
      vault,
      sessionVault,
      traces,
      features: opened,
      scores,
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
      livenessTokens: createLivenessTokens(signingKeys),
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/**
 * Opens the store, the master key and the signing key. `directory` is null where a database is used; `lost` says why the
 * store must be opened anew.
 */
async function openStorage(stack: DisposableStack, config: Config, logger: Logger) {
  const { database, dataDir } = config;
  if (database) {
    const masterKey = requireSharedKey(config);
    // Loaded on use: most servers have no database.
    const { openPostgresStore } = await import('../store/postgres-store.ts');
    const store = stack.adopt(await openPostgresStore(database), (it) => it.close());
    await verifyMasterKey([masterKey], store.meta, keyName(config));
    const { lost } = stack.adopt(await store.takeLease(keyDigest(masterKey), logger), (it) => it.end());
    const openKeys = () => openSharedSigningKeys([masterKey], store.meta);
    const isSealed = (error: Error) => error instanceof SealError;
    const signingKeys = await asOperatorError(openKeys, isSealed, 'The stored signing_key cannot be read: ');
    return { directory: null, store, checkFile: null, lost, masterKey, signingKeys };
  }
  const directory = stack.adopt(await takeDataDirectory(dataDir), (it) => it.release());
  const store = stack.adopt(openSqliteStore(databaseFile(dataDir)), (it) => it.close());
  const masterKey = await openMasterKey(config, store.meta, (line) => logger.warn(line));
  const { checkFile } = store;
  // The directory is this process's until it ends.
  const lost = new Promise<OperatorError>(() => {});
  return { directory, store, checkFile, lost, masterKey, signingKeys: await openSigningKeys(dataDir) };
}

/** Limits of tests, which cannot wait as long or send as much as the real ones allow. */
export interface LimitOverrides {
  readonly failedLogins?: number;
  /** By the names of features. */
  readonly features?: Readonly<Record<string, object>>;
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
  /** Workers that are starting already; the context closes them. */
  readonly startingEngine?: StartingEngine;
  /** Whether what a start does after the server listens is done; `/ready` is 503 before. Absent: there is nothing to do. */
  readonly hasStarted?: () => boolean;
}

/** The long-lived parts of a server. */
export type Context = Awaited<ReturnType<typeof openContext>>;

/**
 * Opens everything, and last the socket for the operator.
 * @throws OperatorError as `openCore`, or when the models cannot be opened
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list of what is opened, in its order
export async function openContext(config: Config, logger: Logger, overrides: Overrides = {}) {
  const stack = new DisposableStack();
  try {
    // The workers start while the store is opened.
    const starting = overrides.engine
      ? openedEngine(overrides.engine)
      : stack.adopt(overrides.startingEngine ?? (await startConfiguredEngine(config, logger)), (it) =>
          it.close(),
        );
    const core = await openCore(config, logger, starting, overrides.limits);
    stack.adopt(core, (it) => it.close());
    const { store, events, eraser } = core;
    const { registry } = events;

    const calibration = await serverCalibration(store.meta);
    const engine = await starting.finish(calibration, engineMetrics(registry));
    if (!overrides.engine) stack.adopt(engine, (it) => it.close());
    const scheduler = createScheduler(engine, config.engine, queueMetrics(registry));
    stack.adopt(startExpiry(eraser, store.people, registry, logger, core.clock), (it) => it.stop());

    const parts = { ...core, engine, scheduler, config };
    const services = createServices({
      ...parts,
      drawSteps: overrides.drawSteps,
      openingLimits: overrides.limits?.opening,
    });
    const inUse = [engine.embeddingSpec.pack, ...(engine.padPack === null ? [] : [engine.padPack])];
    await keepPacks(store.packs, core.chain, inUse, config.packs).catch((err: unknown) =>
      logger.warn({ err }, 'the store has no copy of the model packs in use'),
    );
    const findings = createFindings(parts);
    const foundAtStart = await findings.all();
    for (const found of foundAtStart) logger.warn({ finding: found.id }, textOf(found));
    const { pack, version: packVersion } = engine.embeddingSpec;
    events.observe(
      'server_started',
      { clientId: null, trxId: null },
      { version, pack: `${pack} ${packVersion}`, pad_pack: engine.padPack ?? 'none' },
    );
    // The start does not wait for the remembered frames; a session is judged when they are read.
    void core.replays.refresh().catch(() => undefined);

    measureServer(parts, registry);
    const status = createStatusService({ ...parts, findings }, statusSources(core, engine, config.packs));
    // Everybody may ask, as often as they like; the store is asked once a second.
    const checked = onceIn(() => readiness(core, engine, findings));
    const context = {
      ...core,
      ...services,
      features: core.features.map((feature) => ({
        ...feature,
        mount: (mount: Parameters<OpenFeature['mount']>[0]) => feature.mount(mount, services.parts),
      })),
      engine,
      scheduler,
      status,
      findings,
      foundAtStart,
      administration: createClientAdministration(parts, core.requireOperator),
      quotas: stack.adopt(createQuotaService(parts), (it) => it.settled()),
      limits: store.limits,
      calibrationNote: createCalibrationNote(parts),
      jwks: async () => core.issuer.jwks(),
      ready: async () => withStart(await checked(), overrides.hasStarted),
      close: () => stack.disposeAsync(),
    };
    stack.adopt(await listenToOperator(context, { config, logger }), (it) => it.close());
    return context;
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
    Pick<Overrides, 'drawSteps'> &
    ServiceParts<'config' | 'engine' | 'scheduler'> & {
      readonly openingLimits?: Partial<OpeningLimits> | undefined;
    },
) {
  const comparisons = createComparisons(core);
  const parts = {
    ...core,
    thresholds: comparisons.thresholds,
    comparisons,
    pictures: createPictures(core),
    liveness: createLivenessProof({ ...core, comparisons }),
    admission: createAdmission({ ...core, comparisons }),
  };
  const services = {
    enrolment: createEnrolmentService(parts),
    livenessSessions: createLivenessSessions(parts),
  };
  const ofFeatures = { ...parts, ...services };
  for (const feature of core.features) feature.begin?.(ofFeatures);
  return {
    ...services,
    galleries: createGalleryService(parts),
    people: createPeopleService(parts),
    faces: createFaceService(parts),
    facePictures: createFacePictures(parts),
    recognition: createRecognitionService({
      ...parts,
      unidentified: core.features.flatMap((feature) => feature.unidentified?.(ofFeatures) ?? []),
    }),
    liveness: createLivenessService(parts),
    /** What a profile makes its own services of, and features theirs. */
    parts: ofFeatures,
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

async function readiness({ store, events }: Core, engine: Engine, findings: FindingService) {
  const answers = await store.ping().then(
    () => true,
    () => false,
  );
  const { workers: configured, alive, restarts } = engine.load();
  const checks = { store: answers, models: alive > 0, audit: answers && (await events.auditIsWritten()) };
  const workers = { configured, alive, restarts };
  const { embedder } = engine.embeddingSpec;
  const pad = engine.padPack ?? 'none';
  const found = answers ? await findings.forAnybody().catch(() => []) : [];
  return { checks, workers, embedder, pad, command: programName(), notices: found.map(textOf) };
}

function withStart(state: Awaited<ReturnType<typeof readiness>>, hasStarted = () => true) {
  const checks = { ...state.checks, start: hasStarted() };
  return { ...state, checks, ready: Object.values(checks).every(Boolean) };
}
