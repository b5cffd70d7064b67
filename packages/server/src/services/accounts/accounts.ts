import { ordinaryScopes, passwordLength } from '@wajah/contract';
import { uuidv7 } from 'uuidv7';
import { OperatorError, Refusal } from '../../errors.ts';
import { hashPassword, randomPassword, verifyPassword } from '../../security/passwords.ts';
import { digestOf, looksLikeApiToken } from '../../security/tokens/api-tokens.ts';
import type { ExternalIssuer } from '../../security/tokens/external-issuer.ts';
import { expiredToken, revokedToken, unknownToken } from '../../security/tokens/token-issuer.ts';
import type { ClientRecord, Quota } from '../../store/ports/clients.ts';
import type { Store } from '../../store/ports/store.ts';
import type { ApiTokenRecord } from '../../store/ports/tokens.ts';
import type { ServiceParts } from '../parts.ts';
import {
  defaultQuota,
  deletionKey,
  eraseClient,
  isClientId,
  issueAsked,
  maxClientIdLength,
  noClient,
  requireClient,
} from './clients.ts';
import type {
  AccountService,
  ClientService,
  Credentials,
  Identity,
  NewClient,
  NewPassword,
} from './ports.ts';

/** Characters. Tokens of this server and of common issuers are shorter. */
const maxTokenLength = 8192;

/** JWS compact serialisation (RFC 7515, section 7.1); base64 decoders accept more characters. */
const jwtShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;

interface AccountDependencies
  extends ServiceParts<'store' | 'issuer' | 'external' | 'guard' | 'events' | 'matcher'> {
  readonly clients: ClientService;
}

const maxQuota = 2_147_483_647;

/**
 * The accounts of clients: authentication, and what the operator does with them.
 *
 * @example
 * const accounts = createAccountService({ store, issuer, external, guard, events, matcher, clients });
 * const { accessToken } = await accounts.create({ clientId: 'demo' });
 * await accounts.authenticate(accessToken); // { clientId: 'demo', scopes: null }
 */
export function createAccountService(deps: AccountDependencies): AccountService {
  return { ...createAuthentication(deps), ...createAdministration(deps) };
}

/** They throw a Refusal or an OperatorError when they cannot be done. */
function createAdministration(deps: AccountDependencies) {
  const { clients } = deps.store;
  return {
    create: (client) => create(deps, client),

    async setQuota(clientId, quota) {
      requireQuota(quota);
      if (!(await clients.setQuota(clientId, quota))) throw noClient(clientId);
    },

    async setOperator(clientId, operator) {
      if (!(await clients.setOperator(clientId, operator))) throw noClient(clientId);
    },

    resetPassword: (clientId, password, keepTokens) => resetPassword(deps, clientId, password, keepTokens),

    remove: (clientId) => remove(deps, clientId),
  } satisfies Partial<AccountService>;
}

async function create(deps: AccountDependencies, { clientId, password, quota, operator }: NewClient) {
  const { store, issuer, clients } = deps;
  const limits = { ...defaultQuota, ...quota };
  requireNewClient(clientId, password, limits);
  const secret = password ?? randomPassword();
  const passwordHash = await hashPassword(secret);
  if (!(await store.clients.create({ clientId, passwordHash, quota: limits }))) {
    throw new Refusal('clientExists', { client: clientId });
  }
  await store.meta.set(deletionKey(clientId), null);
  if (operator) await store.clients.setOperator(clientId, true);
  await clients.register({ clientId, trxId: uuidv7(), signal: new AbortController().signal });
  const token = await issuer.issue(await requireClient(store, clientId));
  return { clientId, password: secret, ...token };
}

async function resetPassword(
  { store }: AccountDependencies,
  clientId: string,
  password: string | undefined,
  keepTokens = false,
): Promise<string | null> {
  if (password !== undefined) requirePassword(password);
  const { passwordHash: former } = await requireClient(store, clientId);
  if (former === null) {
    throw new Refusal('clientWithoutPassword', { client: clientId });
  }
  const secret = password ?? randomPassword();
  const change = { at: new Date(), revoke: keepTokens ? 'none' : 'all' } as const;
  if (!(await store.clients.setPassword(clientId, await hashPassword(secret), change))) {
    throw noClient(clientId);
  }
  return password === undefined ? secret : null;
}

async function remove(deps: AccountDependencies, clientId: string) {
  await requireClient(deps.store, clientId);
  // First, so that no call of the client registers it meanwhile.
  await deps.store.meta.set(deletionKey(clientId), new Date().toISOString());
  const galleries = await eraseClient(deps, clientId, async () => {
    if (!(await deps.store.clients.remove(clientId))) throw noClient(clientId);
  });
  const faces = galleries.reduce((sum, gallery) => sum + gallery.faces, 0);
  return { galleries: galleries.length, faces };
}

function requireNewClient(clientId: string, password: string | undefined, quota: Quota): void {
  if (!isClientId(clientId)) {
    throw new Refusal('clientIdNotAllowed', { client: clientId, most: maxClientIdLength });
  }
  if (password !== undefined) requirePassword(password);
  requireQuota(quota);
  if (quota.galleries === 0) throw new Refusal('noRoomForGallery');
}

function requirePassword(password: string): void {
  const { min, max } = passwordLength;
  const { length } = [...password];
  if (length >= min && length <= max) return;
  throw new OperatorError(`password: it has ${length} characters; ${min} to ${max} are allowed`);
}

function requireQuota(quota: Partial<Quota>): void {
  for (const [name, value] of Object.entries(quota)) {
    if (value === undefined || (Number.isInteger(value) && value >= -1 && value <= maxQuota)) continue;
    throw new OperatorError(
      `${name}: ${value} is not allowed; give a whole number from 0 to ${maxQuota}, or -1 for unlimited`,
    );
  }
}

/** Issues, checks and revokes access tokens. */
function createAuthentication(deps: AccountDependencies) {
  /** @throws Refusal `unauthorized` */
  const authenticate = async (token: string): Promise<Identity> => {
    if (looksLikeApiToken(token)) return authenticateApiToken(deps, token);
    requireJwtShape(token);
    if (deps.external?.claims(token)) return authenticateExternalToken(deps.external, token);
    return authenticateOwnToken(deps, token);
  };
  const revokeAs = async (clientId: string, token: string, trxId: string | null): Promise<void> => {
    const revokeToken = looksLikeApiToken(token) ? revokeApiToken : revokeOwnToken;
    const id = await revokeToken(deps, token, clientId);
    deps.events.observe('token_revoked', { clientId, trxId }, { token_id: id });
  };
  return {
    authenticate,

    login: async (credentials, asked = []) =>
      issueAsked(deps.issuer, await checkCredentials(deps, credentials), asked),

    changePassword: (given, trxId) => changePassword(deps, given, trxId),

    async revoke(given, trxId) {
      const { token, ...credentials } = given;
      const { clientId } = await checkCredentials(deps, credentials);
      await revokeAs(clientId, token, trxId);
    },

    async revokeOwn(token, trxId) {
      const { clientId } = await authenticate(token);
      await revokeAs(clientId, token, trxId);
    },
  } satisfies Partial<AccountService>;
}

/** @returns an access token; all that were issued before are refused */
async function changePassword(
  deps: AccountDependencies,
  { newPassword, revokeApiTokens, asked, ...credentials }: Credentials & NewPassword,
  trxId: string,
) {
  const { min, max } = passwordLength;
  const { length: count } = [...newPassword];
  if (count < min || count > max) throw new Refusal('newPasswordLength', { count, min, max });
  const { clientId, passwordHash, operator } = await checkCredentials(deps, credentials);
  const newHash = await hashPassword(newPassword);
  const at = new Date();
  const revoke = revokeApiTokens ? 'all' : 'access';
  const change = { at, revoke, former: passwordHash ?? '' } as const;
  // Another call may have replaced it meanwhile.
  if (!(await deps.store.clients.setPassword(clientId, newHash, change))) {
    throw new Refusal('wrongCredentials');
  }
  deps.events.observe(
    'password_changed',
    { clientId, trxId },
    { api_tokens: revokeApiTokens ? 'revoked' : 'kept' },
  );
  return issueAsked(deps.issuer, { clientId, tokensSince: at, operator }, asked);
}

function requireJwtShape(token: string): void {
  if (token.length > maxTokenLength || !jwtShape.test(token)) throw unknownToken();
}

/** @throws Refusal `unauthorized` | `tooManyRequests` */
async function checkCredentials(
  { store, guard }: AccountDependencies,
  { clientId, password, address }: Credentials,
): Promise<ClientRecord> {
  // An impossible client_id is counted as the empty one, so that the guard does not store arbitrary texts.
  const name = isClientId(clientId) ? clientId : '';
  const attempt = await guard.admit(name, address);
  try {
    const client = name === '' ? null : await store.clients.get(name);
    const tooLong = password.length > 2 * passwordLength.max;
    const right = await verifyPassword(tooLong ? '' : password, client?.passwordHash ?? null);
    if (!client || !right) throw new Refusal('wrongCredentials');
    await attempt.succeeded();
    return client;
  } finally {
    attempt.release();
  }
}

async function authenticateApiToken({ store }: AccountDependencies, token: string) {
  const record = await store.tokens.find(digestOf(token));
  if (!record) throw unknownToken();
  if (record.revokedAt) throw revokedToken();
  if (record.expiresAt && record.expiresAt.getTime() <= Date.now()) throw expiredToken();
  recordUse(store, record);
  return { clientId: record.clientId, scopes: record.scopes, binding: record.binding };
}

/** Resolution of the recorded last use, milliseconds. */
const lastUseResolutionMs = 60_000;

/** Runs in the background; a failure is ignored. */
function recordUse({ tokens }: Pick<Store, 'tokens'>, { id, lastUsedAt }: ApiTokenRecord): void {
  const now = new Date();
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < lastUseResolutionMs) return;
  tokens.recordUse(id, now).catch(() => {});
}

async function authenticateOwnToken({ store, issuer }: AccountDependencies, token: string) {
  const claims = await issuer.read(token);
  const { revoked, account } = await store.tokens.jwtState(claims.jti, claims.clientId);
  if (revoked) throw revokedToken();
  if (account?.since !== claims.tokensSince) {
    const ofThisAccount = account && claims.tokensSince >= account.created;
    throw ofThisAccount ? revokedToken() : unknownToken();
  }
  const { clientId, asked } = claims;
  return { clientId, scopes: asked.length > 0 ? [...ordinaryScopes, ...asked] : null, binding: null };
}

/** The client may have no record yet; registering creates it. */
async function authenticateExternalToken(external: ExternalIssuer, token: string) {
  const { clientId } = await external.read(token);
  if (!isClientId(clientId)) throw external.refuseClient(clientId);
  return { clientId, scopes: null, binding: null };
}

/** Succeeds for an expired token too. @returns its id */
async function revokeOwnToken(
  { store, issuer }: AccountDependencies,
  token: string,
  clientId: string,
): Promise<string> {
  requireJwtShape(token);
  const claims = await issuer.read(token, true);
  if (claims.clientId !== clientId) throw unknownToken();
  await store.tokens.revokeJwt(claims.jti, claims.expiresAt);
  return claims.jti;
}

/** @returns its id */
async function revokeApiToken(
  { store }: AccountDependencies,
  token: string,
  clientId: string,
): Promise<string> {
  const digest = digestOf(token);
  const record = await store.tokens.find(digest);
  if (record?.clientId !== clientId) throw unknownToken();
  await store.tokens.revoke(digest, new Date());
  return record.id;
}
