import { join } from 'node:path';
import { type Engine, openEngine } from '@wajah/engine';
import type { Logger } from 'pino';
import { directOperations } from './admin/direct.ts';
import type { AdminOperations } from './admin/operations.ts';
import { placeSocket } from './admin/socket-path.ts';
import { openAdminSocket } from './admin/socket-server.ts';
import type { AppServices } from './app.ts';
import { Closing } from './closing.ts';
import type { Config } from './config.ts';
import { createEvents } from './events.ts';
import { createExactMatcher } from './matching/exact-matcher.ts';
import { createExternalIssuer } from './security/external-issuer.ts';
import { createLoginGuard } from './security/login-guard.ts';
import { openMasterKey } from './security/master-key.ts';
import { openSigningKey } from './security/signing-key.ts';
import { createTemplateVault } from './security/template-vault.ts';
import { createTokenIssuer } from './security/token-issuer.ts';
import { type Accounts, createAccountService } from './services/accounts.ts';
import { createClientService } from './services/clients.ts';
import { createEnrolmentService } from './services/enrolment.ts';
import { createGalleryService } from './services/galleries.ts';
import { createLivenessService } from './services/liveness.ts';
import { createQuotaService } from './services/quotas.ts';
import { createRecognitionService } from './services/recognition.ts';
import { ownDataDirectory } from './store/data-directory.ts';
import { openSqliteStore } from './store/sqlite/open.ts';
import type { Store } from './store/store.ts';

/** What stands on the data directory alone: enough for the operator's commands. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

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
 * Takes the data directory and opens what is kept there.
 * @throws OperatorError when it is owned by another process, cannot be written, or the key is a wrong one
 */
export async function openFoundation(config: Config, logger: Logger) {
  const closing = new Closing();
  try {
    const directory = closing.add(ownDataDirectory(config.dataDir), (it) => it.release());
    const store = closing.add(openSqliteStore(join(config.dataDir, 'wajah.db')), (it) => it.close());
    const warn = (line: string) => logger.warn(line);
    const masterKey = await openMasterKey(config.dataDir, config.secretKey, store.meta, warn);
    const vault = createTemplateVault(masterKey);
    const signingKey = await openSigningKey(config.dataDir);
    const issuer = createTokenIssuer(signingKey, config.tokens.lifetimeSeconds);
    const external = config.tokens.issuer ? createExternalIssuer(config.tokens.issuer) : null;
    const guard = createLoginGuard(config.limits.failedLogins);
    const events = closing.add(createEvents({ log: logger, store }), (it) => it.settled());
    const matcher = createExactMatcher({ faces: store.faces, vault });
    const clients = createClientService({ store, matcher, vault, events, config });
    const accounts = createAccountService({ store, issuer, external, guard, matcher, clients, config });
    const admin = directOperations(accounts);
    const close = () => closing.close();
    return { directory, store, vault, issuer, events, matcher, clients, accounts, admin, close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/**
 * Opens everything, in one straight line; the operator's commands are answered as soon as the store is open,
 * before the models are warm.
 * @throws OperatorError as `openFoundation`; EngineError `pack` when the models cannot be opened
 */
export async function openContext(
  config: Config,
  logger: Logger,
  overrides: Overrides = {},
): Promise<Context> {
  const closing = new Closing();
  try {
    const foundation = closing.add(await openFoundation(config, logger), (it) => it.close());
    await offerAdministration(closing, foundation, config, logger);
    const engine = overrides.engine ?? closing.add(await openOwnEngine(config), (it) => it.close());
    const services = { ...foundation, engine, config };
    return {
      accounts: foundation.accounts,
      clients: foundation.clients,
      galleries: createGalleryService(services),
      enrolment: createEnrolmentService(services),
      recognition: createRecognitionService(services),
      liveness: createLivenessService(services),
      quotas: createQuotaService(services),
      events: foundation.events,
      jwks: async () => foundation.issuer.jwks(),
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
  closing: Closing,
  { directory, admin }: Foundation,
  config: Config,
  logger: Logger,
): Promise<void> {
  const place = closing.add(placeSocket(config.dataDir), (it) => it.release());
  const defect = (err: unknown) => logger.error({ err }, 'an admin operation failed');
  const socket = closing.add(await openAdminSocket(place.path, admin, defect), (it) => it.close());
  directory.describe({ adminSocket: socket.path });
}

function openOwnEngine({ engine, limits }: Config): Promise<Engine> {
  const image = { maxBytes: limits.imageBytes, maxPixels: limits.imagePixels };
  return openEngine({ ...engine, image });
}

async function readiness(store: Store, engine: Engine): ReturnType<AppServices['ready']> {
  const answers = await store.ping().then(
    () => true,
    () => false,
  );
  const checks = { store: answers, models: engine.load().workers > 0 };
  return { ready: checks.store && checks.models, checks };
}
