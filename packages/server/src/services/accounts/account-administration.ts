import { uuidv7 } from 'uuidv7';
import type { Config } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import type { Events } from '../../events.ts';
import type { Matcher } from '../../matching/matcher.ts';
import { hashPassword, passwordLength, randomPassword } from '../../security/passwords.ts';
import { digestOf, looksLikeApiToken } from '../../security/tokens/api-tokens.ts';
import type { ClientRecord, Quota, Store } from '../../store/store.ts';
import type { TokenBinding } from '../../store/token-store.ts';
import { type AuthenticationDependencies, createAuthentication } from './authentication.ts';
import { requireBinding } from './bindings.ts';
import { type ClientService, clientIdRule, eraseClient, isClientId } from './clients.ts';
import { addApiToken } from './tokens.ts';

interface AdministrationDependencies extends Pick<AuthenticationDependencies, 'store' | 'issuer'> {
  readonly matcher: Pick<Matcher, 'evict'>;
  readonly events: Pick<Events, 'forget' | 'tokenRevoked'>;
  readonly clients: Pick<ClientService, 'register'>;
  readonly config: Pick<Config, 'quota'>;
}

export interface NewClient {
  readonly clientId: string;
  /** Default: a random one. */
  readonly password?: string;
  readonly quota?: Partial<Quota>;
  /** May read the status and the audit trail of the server. */
  readonly operator?: boolean;
}

const maxQuota = 2_147_483_647;
const maxTokenName = 120;

/** The accounts of clients: authentication, and administration by the operator. */
export type AccountService = ReturnType<typeof createAccountService>;

/**
 * @example
 * const accounts = createAccountService({ store, issuer, external, guard, events, matcher, clients, config });
 * const { accessToken } = await accounts.create({ clientId: 'demo' });
 * await accounts.authenticate(accessToken); // { clientId: 'demo', scopes: null }
 */
export function createAccountService(deps: AdministrationDependencies & AuthenticationDependencies) {
  return { ...createAccountAdministration(deps), ...createAuthentication(deps) };
}

export type AccountAdministration = ReturnType<typeof createAccountAdministration>;

/** Operations of the operator. They throw an OperatorError when they cannot be done. */
function createAccountAdministration(deps: AdministrationDependencies) {
  const { store } = deps;
  return {
    /** Creates and registers a client, with its first gallery. */
    create: (client: NewClient) => create(deps, client),

    /** Ordered by client_id. */
    list: (): Promise<ClientRecord[]> => store.clients.list(),

    async setQuota(clientId: string, quota: Partial<Quota>): Promise<void> {
      requireQuota(quota);
      if (!(await store.clients.setQuota(clientId, quota))) throw noClient(clientId);
    },

    async setOperator(clientId: string, operator: boolean): Promise<void> {
      if (!(await store.clients.setOperator(clientId, operator))) throw noClient(clientId);
    },

    /** Erases the account and everything it owns; its tokens become invalid. @returns how much was erased */
    remove: (clientId: string) => remove(deps, clientId),

    rotateSigningKey: (atOnce: boolean) => deps.issuer.rotateKey(atOnce),

    /**
     * @param expiresAt default: never
     * @param scopes default: all, or those that its service needs
     * @param binding the service that it is for; default: the service's own interface
     * @returns the token, which cannot be read again
     */
    createApiToken: (...token: TokenToCreate) => createApiToken(store, ...token),

    async listApiTokens(clientId: string) {
      await requireClient(store, clientId);
      return store.tokens.list(clientId);
    },

    /** @param token the token, or its id */
    async revokeApiToken(token: string): Promise<void> {
      const key = looksLikeApiToken(token) ? digestOf(token) : token;
      if (await store.tokens.revoke(key, new Date())) return;
      throw new OperatorError(
        'token: there is no API token of this value or id; list the tokens of its client',
      );
    },
  };
}

type TokenToCreate = [
  clientId: string,
  name: string,
  expiresAt?: Date | null,
  scopes?: readonly string[],
  binding?: TokenBinding,
];

async function createApiToken(store: Store, ...[clientId, name, expires, scopes, binding]: TokenToCreate) {
  const expiresAt = expires ?? null;
  await requireClient(store, clientId);
  if (name.trim() === '' || name.length > maxTokenName) {
    throw new OperatorError(`name: 1 to ${maxTokenName} characters are allowed`);
  }
  const granted = binding ? await requireBinding(store, clientId, binding, scopes) : scopes;
  const record = { clientId, name, expiresAt, scopes: granted ?? null, binding: binding ?? null };
  return { ...(await addApiToken(store, record)), expiresAt };
}

async function create(deps: AdministrationDependencies, { clientId, password, quota, operator }: NewClient) {
  const { store, issuer, clients, config } = deps;
  const limits = { ...config.quota, ...quota };
  requireNewClient(clientId, password, limits);
  const secret = password ?? randomPassword();
  const passwordHash = await hashPassword(secret);
  if (!(await store.clients.create({ clientId, passwordHash, quota: limits }))) {
    throw new OperatorError(
      `client_id: ${clientId} exists already; choose another name or delete that client`,
    );
  }
  if (operator) await store.clients.setOperator(clientId, true);
  await clients.register({ clientId, trxId: uuidv7(), signal: new AbortController().signal });
  const token = await issuer.issue(await requireClient(store, clientId));
  return { clientId, password: secret, ...token };
}

async function remove(deps: AdministrationDependencies, clientId: string) {
  const galleries = await eraseClient(deps, clientId, async () => {
    if (!(await deps.store.clients.remove(clientId))) throw noClient(clientId);
  });
  const faces = galleries.reduce((sum, gallery) => sum + gallery.faces, 0);
  return { galleries: galleries.length, faces };
}

function requireNewClient(clientId: string, password: string | undefined, quota: Quota): void {
  if (!isClientId(clientId)) {
    throw new OperatorError(`client_id: ${JSON.stringify(clientId)} is not allowed; use ${clientIdRule}`);
  }
  const { min, max } = passwordLength;
  const length = password === undefined ? min : [...password].length;
  if (length < min || length > max) {
    throw new OperatorError(`password: it has ${length} characters; ${min} to ${max} are allowed`);
  }
  requireQuota(quota);
  if (quota.galleries === 0) throw new OperatorError('galleries: 0 leaves no room for the first gallery');
}

function requireQuota(quota: Partial<Quota>): void {
  for (const [name, value] of Object.entries(quota)) {
    if (value === undefined || (Number.isInteger(value) && value >= -1 && value <= maxQuota)) continue;
    throw new OperatorError(
      `${name}: ${value} is not allowed; give a whole number from 0 to ${maxQuota}, or -1 for unlimited`,
    );
  }
}

async function requireClient(store: Store, clientId: string): Promise<ClientRecord> {
  const client = await store.clients.get(clientId);
  if (!client) throw noClient(clientId);
  return client;
}

function noClient(clientId: string): OperatorError {
  return new OperatorError(`client_id: there is no client ${JSON.stringify(clientId)}; list the clients`);
}
