import { uuidv7 } from 'uuidv7';
import type { Config } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import type { Matcher } from '../../matching/matcher.ts';
import { hashPassword, passwordLength, randomPassword } from '../../security/passwords.ts';
import { digestOf, looksLikeApiToken, newApiToken } from '../../security/tokens/api-tokens.ts';
import type { TokenIssuer } from '../../security/tokens/token-issuer.ts';
import type { ClientRecord, Quota, Store } from '../../store/store.ts';
import type { ApiTokenRecord } from '../../store/token-store.ts';
import type { ActivityRecorder } from '../activity/activity-recorder.ts';
import type { AccountService, ClientService } from '../services.ts';
import { clientIdRule, isClientId } from './client-id.ts';

/** What only the operator may do. What cannot be done is an OperatorError that says why. */
export interface AccountAdministration extends Pick<AccountService, 'create'> {
  /** By client_id. */
  list(): Promise<ClientRecord[]>;
  setQuota(clientId: string, quota: Partial<Quota>): Promise<void>;
  setOperator(clientId: string, operator: boolean): Promise<void>;
  /** Erases the account and all it owns; its tokens end. @returns how much was erased */
  remove(clientId: string): Promise<{ galleries: number; faces: number }>;
  /** @param expiresAt null: never @param scopes what it may do; absent: everything @returns the token, which is shown only now */
  createApiToken(
    clientId: string,
    name: string,
    expiresAt?: Date | null,
    scopes?: readonly string[],
  ): Promise<{ id: string; token: string; expiresAt: Date | null }>;
  listApiTokens(clientId: string): Promise<ApiTokenRecord[]>;
  /** @param token the token, or its id */
  revokeApiToken(token: string): Promise<void>;
}

export interface AdministrationDependencies {
  readonly store: Store;
  readonly issuer: TokenIssuer;
  readonly matcher: Pick<Matcher, 'evict'>;
  readonly activity: Pick<ActivityRecorder, 'forget'>;
  /** Registers a new client as if it had called itself. */
  readonly clients: Pick<ClientService, 'register'>;
  readonly config: Pick<Config, 'quota'>;
}

const maxQuota = 2_147_483_647;
const maxTokenName = 120;

export function createAccountAdministration(deps: AdministrationDependencies): AccountAdministration {
  const { store } = deps;
  return {
    create: (input) => create(deps, input),
    list: () => store.clients.list(),

    async setQuota(clientId, quota) {
      requireQuota(quota);
      if (!(await store.clients.setQuota(clientId, quota))) throw noClient(clientId);
    },

    async setOperator(clientId, operator) {
      if (!(await store.clients.setOperator(clientId, operator))) throw noClient(clientId);
    },

    remove: (clientId) => remove(deps, clientId),

    async createApiToken(clientId, name, expiresAt = null, scopes = undefined) {
      await requireClient(store, clientId);
      if (name.trim() === '' || name.length > maxTokenName) {
        throw new OperatorError(`name: 1 to ${maxTokenName} characters are allowed`);
      }
      const [token, id] = [newApiToken(), uuidv7()];
      const createdAt = new Date();
      const kept = { id, clientId, name, digest: digestOf(token), createdAt, expiresAt };
      await store.tokens.add({ ...kept, scopes: scopes ?? null });
      return { id, token, expiresAt };
    },

    async listApiTokens(clientId) {
      await requireClient(store, clientId);
      return store.tokens.list(clientId);
    },

    async revokeApiToken(token) {
      const key = looksLikeApiToken(token) ? digestOf(token) : token;
      if (await store.tokens.revoke(key, new Date())) return;
      throw new OperatorError(
        'token: there is no API token of this value or id; list the tokens of its client',
      );
    },
  };
}

type NewClient = Parameters<AccountService['create']>[0];

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

async function remove({ store, matcher, activity }: AdministrationDependencies, clientId: string) {
  const galleries = await store.galleries.list(clientId);
  activity.forget({ clientId });
  if (!(await store.clients.remove(clientId))) throw noClient(clientId);
  for (const gallery of galleries) matcher.evict(gallery.id);
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
