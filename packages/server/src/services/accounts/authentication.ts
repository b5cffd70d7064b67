import { Refusal } from '../../errors.ts';
import type { LoginGuard } from '../../security/login-guard.ts';
import { passwordLength, verifyPassword } from '../../security/passwords.ts';
import { digestOf, looksLikeApiToken } from '../../security/tokens/api-tokens.ts';
import type { ExternalIssuer } from '../../security/tokens/external-issuer.ts';
import {
  expiredToken,
  revokedToken,
  type TokenIssuer,
  unknownToken,
} from '../../security/tokens/token-issuer.ts';
import type { ClientRecord, Store } from '../../store/store.ts';
import type { ApiTokenRecord } from '../../store/token-store.ts';
import type { AccountService } from '../services.ts';
import { isClientId } from './client-id.ts';

/** No token that this server or a sane issuer makes is longer. */
const maxTokenLength = 8192;

/** JWS compact serialisation; decoders of base64 would forgive more. */
const jwtShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface AuthenticationDependencies {
  readonly store: Store;
  readonly issuer: TokenIssuer;
  readonly external: ExternalIssuer | null;
  readonly guard: LoginGuard;
}

type Credentials = Parameters<AccountService['login']>[0];

/** Logging in, and who is behind a token. */
export function createAuthentication(
  deps: AuthenticationDependencies,
): Pick<AccountService, 'login' | 'authenticate' | 'revoke'> {
  return {
    login: async (credentials) => deps.issuer.issue(await checkCredentials(deps, credentials)),

    async authenticate(token) {
      if (looksLikeApiToken(token)) return ofApiToken(deps, token);
      requireJwtShape(token);
      if (deps.external?.claims(token)) return ofExternalToken(deps.external, token);
      return ofOwnToken(deps, token);
    },

    async revoke({ token, ...credentials }) {
      const { clientId } = await checkCredentials(deps, credentials);
      if (looksLikeApiToken(token)) await revokeApiToken(deps, token, clientId);
      else await revokeOwnToken(deps, token, clientId);
    },
  };
}

function requireJwtShape(token: string): void {
  if (token.length > maxTokenLength || !jwtShape.test(token)) throw unknownToken();
}

/** @throws Refusal `unauthorized` | `tooManyRequests` */
async function checkCredentials(
  { store, guard }: AuthenticationDependencies,
  { clientId, password, address }: Credentials,
): Promise<ClientRecord> {
  // What cannot be a client's name is not kept as one, or the guard's memory would hold what strangers send.
  const name = isClientId(clientId) ? clientId : '';
  const attempt = await guard.admit(name, address);
  try {
    const client = name === '' ? null : await store.clients.get(name);
    const tooLong = password.length > 2 * passwordLength.max;
    const right = await verifyPassword(tooLong ? '' : password, client?.passwordHash ?? null);
    if (!client || !right) throw new Refusal('unauthorized', 'client_id or password is wrong');
    await attempt.succeeded();
    return client;
  } finally {
    attempt.release();
  }
}

async function ofApiToken({ store }: AuthenticationDependencies, token: string) {
  const record = await store.tokens.find(digestOf(token));
  if (!record) throw unknownToken();
  if (record.revokedAt) throw revokedToken();
  if (record.expiresAt && record.expiresAt.getTime() <= Date.now()) throw expiredToken();
  noteUse(store, record);
  return { clientId: record.clientId, scopes: record.scopes };
}

/** How exactly the last use of a token is known. */
const useMs = 60_000;

/** In the background: no call waits for it, and none fails with it. */
function noteUse({ tokens }: Pick<Store, 'tokens'>, { id, lastUsedAt }: ApiTokenRecord): void {
  const now = new Date();
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < useMs) return;
  tokens.recordUse(id, now).catch(() => {});
}

async function ofOwnToken({ store, issuer }: AuthenticationDependencies, token: string) {
  const claims = await issuer.read(token);
  const [revoked, client] = await Promise.all([
    store.tokens.isJwtRevoked(claims.jti),
    store.clients.get(claims.clientId),
  ]);
  if (revoked) throw revokedToken();
  if (client?.createdAt.getTime() !== claims.accountCreatedAt) throw unknownToken();
  return { clientId: claims.clientId, scopes: null };
}

/** Its client may have no record yet: it makes one by registering. */
async function ofExternalToken(external: ExternalIssuer, token: string) {
  const { clientId } = await external.read(token);
  if (!isClientId(clientId)) throw unknownToken();
  return { clientId, scopes: null };
}

/** Succeeds for a token that has ended already: what is asked for is so. */
async function revokeOwnToken(
  { store, issuer }: AuthenticationDependencies,
  token: string,
  clientId: string,
): Promise<void> {
  requireJwtShape(token);
  const claims = await issuer.read(token, true);
  if (claims.clientId !== clientId) throw unknownToken();
  await store.tokens.revokeJwt(claims.jti, claims.expiresAt);
}

async function revokeApiToken(
  { store }: AuthenticationDependencies,
  token: string,
  clientId: string,
): Promise<void> {
  const digest = digestOf(token);
  const record = await store.tokens.find(digest);
  if (record?.clientId !== clientId) throw unknownToken();
  await store.tokens.revoke(digest, new Date());
}
