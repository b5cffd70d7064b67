import { join } from 'node:path';
import type { Logger } from 'pino';
import { directOperations } from '../admin/direct.ts';
import { carryOperations } from '../admin/migration-operations.ts';
import type { Config } from '../config/config.ts';
import { createEvents } from '../events.ts';
import { createExactMatcher } from '../matching/exact-matcher.ts';
import { startActivityRetention } from '../retention/activity-retention.ts';
import { startAuditRetention } from '../retention/audit-retention.ts';
import { forgetErasedGalleries } from '../retention/erased-galleries.ts';
import { startSessionRetention } from '../retention/session-retention.ts';
import { openMasterKey, openSharedMasterKey, requireSharedKey } from '../security/keys/master-key.ts';
import { openSharedSigningKey, openSigningKey, type SigningKey } from '../security/keys/signing-key.ts';
import { createLoginGuard } from '../security/login-guard.ts';
import { createExternalIssuer } from '../security/tokens/external-issuer.ts';
import { createLivenessTokens } from '../security/tokens/liveness-tokens.ts';
import { createTokenIssuer } from '../security/tokens/token-issuer.ts';
import { createSessionVault } from '../security/vaults/session-vault.ts';
import { createTemplateVault, type TemplateVault } from '../security/vaults/template-vault.ts';
import { createAccountService } from '../services/accounts/accounts.ts';
import { createClientService } from '../services/accounts/clients.ts';
import { createActivityRecorder, noActivity } from '../services/activity/activity-recorder.ts';
import { createGalleryAdministration } from '../services/galleries/gallery-administration.ts';
import { type LockedDataDirectory, lockDataDirectory } from '../store/data-directory.ts';
import { openPostgresStore } from '../store/postgres/open.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import { DisposableStack } from './disposable-stack.ts';

/**
 * What stands on the data directory or the database alone: enough for the operator's commands, which so never
 * load a model.
 */
export type CoreServices = Awaited<ReturnType<typeof openCoreServices>>;

/**
 * Opens what is kept: in the data directory, which it takes, or in a database that others use, too.
 * @throws OperatorError when the directory is owned by another process or cannot be written, the database cannot be
 *   used, or the key is a wrong one
 */
export async function openCoreServices(config: Config, logger: Logger) {
  const closing = new DisposableStack();
  try {
    const { directory, store, masterKey, signingKey } = await openKept(closing, config, logger);
    for (const kept of keepShort(store, config, logger)) closing.add(kept, (it) => it.stop());
    const sealed = sealing(masterKey, signingKey);
    const { vault } = sealed;
    const authority = {
      ...issuers(signingKey, config),
      guard: createLoginGuard(config.limits.failedLogins, store.limits),
    };
    const events = closing.add(createEvents({ log: logger, store }), (it) => it.settled());
    const activity = closing.add(recorderOf(store, config.eventDays, logger), (it) => it.settled());
    const matcher = closing.add(matcherOf(store, vault, config, logger), (it) => it.close());
    // With an embedded store nobody else erases.
    if (config.database) {
      closing.add(forgetErasedGalleries(matcher, store.galleries, logger), (it) => it.stop());
    }
    const clients = createClientService({ store, matcher, vault, events, config, activity });
    const accounts = createAccountService({ store, ...authority, matcher, clients, config, activity });
    const galleries = createGalleryAdministration(store);
    const admin = directOperations(accounts, galleries, carryOperations(store, galleries));
    const close = () => closing.close();
    const { issuer } = authority;
    return {
      directory,
      store,
      ...sealed,
      issuer,
      events,
      activity,
      matcher,
      clients,
      accounts,
      admin,
      close,
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** What is sealed and signed with the keys of the installation. */
function sealing(masterKey: Uint8Array, signingKey: SigningKey) {
  return {
    vault: createTemplateVault(masterKey),
    sessionVault: createSessionVault(masterKey),
    livenessTokens: createLivenessTokens(signingKey),
  };
}

/** Who issues the tokens that are accepted. */
function issuers(signingKey: SigningKey, { tokens }: Pick<Config, 'tokens'>) {
  return {
    issuer: createTokenIssuer(signingKey, tokens.lifetimeSeconds),
    external: tokens.issuer ? createExternalIssuer(tokens.issuer) : null,
  };
}

function matcherOf(
  { faces, readerOptions: reader }: Store,
  vault: TemplateVault,
  config: Config,
  log: Logger,
) {
  const warn = (line: string) => log.warn(line);
  return createExactMatcher({ faces, vault, budget: config.matching.memoryBytes, reader, warn });
}

/** Forgets what is older than it is to be kept, while the server runs. */
function keepShort(store: Store, config: Config, logger: Logger): { stop(): Promise<void> }[] {
  return [
    startAuditRetention(store.audit, config.auditDays, logger),
    startActivityRetention(store.activity, config.eventDays, logger),
    startSessionRetention(store.sessions, config.sessions, logger),
  ];
}

function recorderOf(store: Store, days: number, log: Logger) {
  return days === 0 ? noActivity : createActivityRecorder({ store: store.activity, log });
}

/** What outlives the process. */
interface Kept {
  /** Null where nothing is kept in a directory. */
  readonly directory: LockedDataDirectory | null;
  readonly store: Store;
  readonly masterKey: Uint8Array;
  readonly signingKey: SigningKey;
}

async function openKept(closing: DisposableStack, config: Config, logger: Logger): Promise<Kept> {
  if (config.database) return openShared(closing, config.database, config.secretKey);
  const directory = closing.add(lockDataDirectory(config.dataDir), (it) => it.release());
  const store = closing.add(openSqliteStore(join(config.dataDir, 'wajah.db')), (it) => it.close());
  const warn = (line: string) => logger.warn(line);
  const masterKey = await openMasterKey(config.dataDir, config.secretKey, store.meta, warn);
  return { directory, store, masterKey, signingKey: await openSigningKey(config.dataDir) };
}

async function openShared(
  closing: DisposableStack,
  database: NonNullable<Config['database']>,
  secretKey: Config['secretKey'],
): Promise<Kept> {
  const key = requireSharedKey(secretKey);
  const store = closing.add(await openPostgresStore(database), (it) => it.close());
  const masterKey = await openSharedMasterKey(key, store.meta);
  return { directory: null, store, masterKey, signingKey: await openSharedSigningKey(masterKey, store.meta) };
}
