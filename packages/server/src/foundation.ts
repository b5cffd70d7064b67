import { join } from 'node:path';
import type { Logger } from 'pino';
import { directOperations } from './admin/direct.ts';
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
import { createAccountService } from './services/accounts.ts';
import { createClientService } from './services/clients.ts';
import { createGalleryAdministration } from './services/gallery-administration.ts';
import { ownDataDirectory } from './store/data-directory.ts';
import { openSqliteStore } from './store/sqlite/open.ts';

/**
 * What stands on the data directory alone: enough for the operator's commands, which so never
 * load a model.
 */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

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
    const budget = config.matching.memoryBytes;
    const matcher = createExactMatcher({ faces: store.faces, vault, budget });
    const clients = createClientService({ store, matcher, vault, events, config });
    const accounts = createAccountService({ store, issuer, external, guard, matcher, clients, config });
    const admin = directOperations(accounts, createGalleryAdministration(store));
    const close = () => closing.close();
    return { directory, store, vault, issuer, events, matcher, clients, accounts, admin, close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}
