import { type Engine, EngineError, openEngine } from '@wajah/engine';
import type { Logger } from 'pino';
import type { AdminOperations } from '../admin/operations.ts';
import { placeSocket } from '../admin/socket-path.ts';
import { openAdminSocket } from '../admin/socket-server.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { packChoice } from '../operator/pack-choice.ts';
import type { Accounts } from '../services/accounts/accounts.ts';
import { createQuotaService } from '../services/accounts/quotas.ts';
import { createTokenService } from '../services/accounts/tokens.ts';
import { createActivityService } from '../services/activity/activity.ts';
import { createStatusService } from '../services/activity/status.ts';
import type { AppServices } from '../services/app-services.ts';
import { createEnrolmentService } from '../services/enrolment/enrolment.ts';
import { createFaceCropService } from '../services/enrolment/face-crops.ts';
import { createGalleryService } from '../services/galleries/galleries.ts';
import { createGalleryDescriptions } from '../services/galleries/gallery-descriptions.ts';
import { createLivenessSessions } from '../services/liveness/session.ts';
import { createLivenessService } from '../services/liveness/single.ts';
import { createDetectionService } from '../services/pictures/detection.ts';
import { serverCalibration } from '../services/recognition/calibrations.ts';
import { createRecognitionService } from '../services/recognition/recognition.ts';
import { warningsOfOtherPacks } from '../services/template-migration/other-packs.ts';
import { migrateAllGalleries } from '../services/template-migration/template-migration.ts';
import type { Store } from '../store/store.ts';
import { type CoreServices, openCoreServices } from './core-services.ts';
import { DisposableStack } from './disposable-stack.ts';
import { statusSources } from './status-sources.ts';

/** Everything of a server that lives long. */
export interface Context extends AppServices {
  readonly accounts: Accounts;
  readonly admin: AdminOperations;
  readonly engine: Engine;
  readonly store: Store;
  /** Closes in reverse what was opened here; nothing that was passed in. */
  close(): Promise<void>;
}

/** What tests and tools bring along; whoever brings it closes it. */
export interface Overrides {
  readonly engine?: Engine;
}

/**
 * Opens everything, in one straight line; the operator's commands are answered as soon as the store is open,
 * before the models are warm.
 * @throws OperatorError as `openFoundation`, or when the models cannot be opened
 */
export async function openContext(
  config: Config,
  logger: Logger,
  overrides: Overrides = {},
): Promise<Context> {
  const closing = new DisposableStack();
  try {
    const foundation = closing.add(await openCoreServices(config, logger), (it) => it.close());
    await offerAdministration(closing, foundation, config, logger);
    const engine =
      overrides.engine ?? closing.add(await openOwnEngine(config, foundation.store), (it) => it.close());
    const services = { ...foundation, engine, config };
    // With a shared database other servers still answer with the pack before: the first call on a gallery does it.
    if (!config.database) await migrateAllGalleries(services);
    for (const line of await warningsOfOtherPacks(foundation.store, engine.embeddingSpec)) logger.warn(line);
    return {
      accounts: foundation.accounts,
      clients: foundation.clients,
      galleries: createGalleryService(services),
      galleryDescriptions: createGalleryDescriptions(services),
      tokens: createTokenService(services),
      activity: createActivityService(services),
      recorder: foundation.activity,
      status: createStatusService(services, await statusSources(foundation, engine, config)),
      enrolment: createEnrolmentService(services),
      recognition: createRecognitionService(services),
      detection: createDetectionService(services),
      faceCrops: createFaceCropService(services),
      liveness: createLivenessService(services),
      livenessSessions: createLivenessSessions(services),
      quotas: createQuotaService(services),
      events: foundation.events,
      limits: foundation.store.limits,
      jwks: async () => foundation.issuer.jwks(),
      load() {
        const { galleries, bytes: galleryBytes } = foundation.matcher.memoryUse();
        return { ...engine.load(), galleries, galleryBytes };
      },
      ready: () => readiness(foundation.store, engine),
      admin: foundation.admin,
      store: foundation.store,
      engine,
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function offerAdministration(
  closing: DisposableStack,
  { directory, admin }: CoreServices,
  config: Config,
  logger: Logger,
): Promise<void> {
  // With a database of its own, commands go there directly.
  if (directory === null) return;
  const place = closing.add(placeSocket(config.dataDir), (it) => it.release());
  const defect = (err: unknown) => logger.error({ err }, 'an admin operation failed');
  const socket = closing.add(await openAdminSocket(place.path, admin, defect), (it) => it.close());
  directory.publish({ adminSocket: socket.path });
}

async function openOwnEngine({ engine, limits, packs }: Config, store: Store): Promise<Engine> {
  const image = { maxBytes: limits.imageBytes, maxPixels: limits.imagePixels };
  try {
    const [pack, calibration] = [await packChoice(packs), await serverCalibration(store.meta)];
    return await openEngine({ ...engine, image, pack, calibration });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new OperatorError(`The models cannot be opened: ${error.message}`, { cause: error });
  }
}

async function readiness(store: Store, engine: Engine): ReturnType<AppServices['ready']> {
  const answers = await store.ping().then(
    () => true,
    () => false,
  );
  const checks = { store: answers, models: engine.load().workers > 0 };
  return { ready: checks.store && checks.models, checks };
}
