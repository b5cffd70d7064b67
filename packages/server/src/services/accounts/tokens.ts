import {
  scopes as allScopes,
  type CreateTokenRequest,
  defaultScopes,
  ordinaryScopes,
  type RevokeTokenRequest,
  type Scope,
} from '@wajah/contract';
import { uuidv7 } from 'uuidv7';
import { OperatorError, Refusal } from '../../errors.ts';
import type { Events } from '../../events.ts';
import { dayMs } from '../../lib/time.ts';
import { digestOf, looksLikeApiToken, newApiToken } from '../../security/tokens/api-tokens.ts';
import type { Store } from '../../store/store.ts';
import type { ApiTokenRecord, TokenBinding } from '../../store/token-store.ts';
import type { Caller } from '../caller.ts';
import { requireBinding } from './bindings.ts';
import { registeredClient, requireClient } from './clients.ts';

const maxTokenName = 120;

/** Valid tokens that one client may have. */
const maxTokens = 100;

export type TokenService = ReturnType<typeof createTokenService>;

/** API tokens, managed by their client or by the operator. */
export function createTokenService({
  store,
  events,
}: {
  readonly store: Pick<Store, 'clients' | 'tokens' | 'galleries'>;
  readonly events: Pick<Events, 'tokenCreated' | 'tokenRevoked'>;
}) {
  return {
    /**
     * @returns the token, which cannot be read again
     * @throws Refusal `denied` for a scope that the caller lacks, or when the client has too many tokens
     */
    async create(caller: Caller, { name, scopes, expiresInDays }: CreateTokenRequest) {
      await registeredClient(store, caller);
      const granted = grantedScopes(caller, scopes);
      const now = Date.now();
      const valid = (await store.tokens.list(caller.clientId)).filter((token) => isValid(token, now));
      if (valid.length >= maxTokens) {
        throw new Refusal('tooManyTokens', { count: valid.length });
      }
      const expiresAt = expiresInDays === undefined ? null : new Date(now + expiresInDays * dayMs);
      const { clientId } = caller;
      const { id, token } = await addApiToken(store, { clientId, name, expiresAt, scopes: granted });
      events.tokenCreated(caller, { token_id: id, scopes: granted.join(' ') });
      return { id, token, name, expiresAt, scopes: granted };
    },

    /** In the order of their creation. */
    async list(caller: Caller) {
      await registeredClient(store, caller);
      const tokens = await store.tokens.list(caller.clientId);
      return tokens.map((token) => ({ ...token, scopes: knownScopes(token.scopes) }));
    },

    /** @throws Refusal `tokenNotFound` */
    async revoke(caller: Caller, { tokenId }: RevokeTokenRequest): Promise<void> {
      await registeredClient(store, caller);
      if (!(await store.tokens.revoke(tokenId, new Date(), caller.clientId))) {
        throw new Refusal('tokenNotFound');
      }
      events.tokenRevoked(caller, { token_id: tokenId });
    },

    ...operatorTokens(store),
  };
}

/** They throw an OperatorError when they cannot be done. */
function operatorTokens(store: Pick<Store, 'clients' | 'tokens' | 'galleries'>) {
  return {
    /**
     * @param expiresAt null: never
     * @param granted default: `recognise`, or those that its service needs
     * @param binding the service that it is for; default: the service's own interface
     * @returns the token, which cannot be read again
     */
    async createFor(
      clientId: string,
      name: string,
      expiresAt: Date | null = null,
      granted?: readonly string[],
      binding?: TokenBinding,
    ) {
      await requireClient(store, clientId);
      if (name.trim() === '' || name.length > maxTokenName) {
        throw new OperatorError(`name: 1 to ${maxTokenName} characters are allowed`);
      }
      const scopes = binding
        ? await requireBinding(store, clientId, binding, granted)
        : (granted ?? defaultScopes);
      const record = { clientId, name, expiresAt, scopes, binding: binding ?? null };
      return { ...(await addApiToken(store, record)), expiresAt };
    },

    /** @param token of any client, or its id */
    async revokeAny(token: string): Promise<void> {
      const key = looksLikeApiToken(token) ? digestOf(token) : token;
      if (await store.tokens.revoke(key, new Date())) return;
      throw new OperatorError(
        'token: there is no API token of this value or id; list the tokens of its client',
      );
    },
  };
}

/** @returns its id, and the token, which cannot be read again */
async function addApiToken(
  { tokens }: Pick<Store, 'tokens'>,
  record: Omit<Parameters<Store['tokens']['add']>[0], 'id' | 'digest' | 'createdAt'>,
): Promise<{ id: string; token: string }> {
  const [token, id] = [newApiToken(), uuidv7()];
  await tokens.add({ ...record, id, digest: digestOf(token), createdAt: new Date() });
  return { id, token };
}

/** A token can only grant scopes that the caller has. */
function grantedScopes(
  { scopes: given }: Caller,
  requested: readonly Scope[] = defaultScopes,
): readonly Scope[] {
  const own = given ?? ordinaryScopes;
  const lacking = requested.find((scope) => !own.includes(scope));
  if (lacking !== undefined) {
    throw new Refusal('scopeNotHeld', { scope: lacking });
  }
  return allScopes.filter((scope) => requested.includes(scope));
}

/** A token that another version created may have scopes that are unknown here. */
function knownScopes(scopes: ApiTokenRecord['scopes']): readonly Scope[] {
  return scopes === null ? ordinaryScopes : allScopes.filter((scope) => scopes.includes(scope));
}

function isValid({ revokedAt, expiresAt }: ApiTokenRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}
