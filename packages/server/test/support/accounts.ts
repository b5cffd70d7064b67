import { randomBytes } from 'node:crypto';
import { createEvents } from '../../src/events/events.ts';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import { openSigningKeys } from '../../src/security/keys/signing-keys.ts';
import { createLoginGuard } from '../../src/security/login-guard.ts';
import type { ExternalIssuer } from '../../src/security/tokens/external-issuer.ts';
import { createTokenIssuer } from '../../src/security/tokens/token-issuer.ts';
import { createTemplateVault } from '../../src/security/vaults/template-vault.ts';
import { createAccountService } from '../../src/services/accounts/accounts.ts';
import { createClientService } from '../../src/services/accounts/clients.ts';
import type { AccountService, ClientService, TokenService } from '../../src/services/accounts/ports.ts';
import { createTokenService } from '../../src/services/accounts/tokens.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { chain } from './audit.ts';
import { openStore } from './store.ts';
import { temporaryDirectory } from './temporary.ts';

/** Accounts on a real store, without HTTP and without models. */
export async function openAccounts(
  options: { failedLogins?: number; lifetime?: number; external?: ExternalIssuer } = {},
): Promise<{ accounts: AccountService; clients: ClientService; tokens: TokenService; store: Store }> {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  const vault = createTemplateVault(randomBytes(32));
  const matcher = createExactMatcher({ faces: store.faces, vault });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const events = createEvents({ log, store, chain });
  const clients = createClientService({ store, matcher, vault, events });
  const accounts = createAccountService({
    store,
    matcher,
    issuer: createTokenIssuer(await openSigningKeys(directory), options.lifetime ?? 3600),
    external: options.external ?? null,
    guard: createLoginGuard(store.limits, options.failedLogins ?? 5),
    clients,
    events,
  });
  return { accounts, clients, tokens: createTokenService({ store, events }), store };
}
