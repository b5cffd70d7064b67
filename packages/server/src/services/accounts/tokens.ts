import { scopes as allScopes, type Scope } from '@wajah/contract';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import { digestOf, newApiToken } from '../../security/tokens/api-tokens.ts';
import type { ApiTokenRecord } from '../../store/token-store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Caller } from '../services.ts';
import { registeredClient } from './clients.ts';

/** Living tokens of one client. */
const mostTokens = 100;
const dayMs = 24 * 60 * 60 * 1000;

/** A token as its client sees it. */
export interface OwnToken extends Pick<ApiTokenRecord, 'id' | 'name' | 'expiresAt'> {
  readonly scopes: readonly Scope[];
}

export interface ListedToken
  extends OwnToken,
    Pick<ApiTokenRecord, 'createdAt' | 'lastUsedAt' | 'revokedAt'> {}

/** API tokens as their client manages them. */
export interface TokenService {
  /**
   * @param scopes undefined: those of the caller
   * @returns the token, which is shown only now
   * @throws Refusal `denied` for a scope that the caller lacks, or when there are too many tokens
   */
  create(
    caller: Caller,
    input: { name: string; scopes: readonly Scope[] | undefined; days: number | undefined },
  ): Promise<OwnToken & { readonly token: string }>;
  /** In the order in which they were made. */
  list(caller: Caller): Promise<ListedToken[]>;
  /** @throws Refusal `tokenNotFound` */
  revoke(caller: Caller, id: string): Promise<void>;
}

export function createTokenService({
  store,
  events,
}: Pick<ServiceDependencies, 'store' | 'events'>): TokenService {
  return {
    async create(caller, { name, scopes, days }) {
      await registeredClient(store, caller);
      const granted = grantedTo(caller, scopes);
      const now = Date.now();
      const living = (await store.tokens.list(caller.clientId)).filter((token) => isAlive(token, now));
      if (living.length >= mostTokens) {
        throw new Refusal(
          'denied',
          `name: you have ${living.length} tokens, the most there may be; revoke one`,
        );
      }
      const [token, id] = [newApiToken(), uuidv7()];
      const expiresAt = days === undefined ? null : new Date(now + days * dayMs);
      const { clientId } = caller;
      const kept = { id, clientId, name, digest: digestOf(token), createdAt: new Date(now), expiresAt };
      await store.tokens.add({ ...kept, scopes: granted });
      events.tokenCreated(caller, { token_id: id, scopes: (granted ?? allScopes).join(' ') });
      return { id, token, name, expiresAt, scopes: granted ?? allScopes };
    },

    async list(caller) {
      await registeredClient(store, caller);
      const tokens = await store.tokens.list(caller.clientId);
      return tokens.map((token) => ({ ...token, scopes: known(token.scopes) }));
    },

    async revoke(caller, id) {
      await registeredClient(store, caller);
      if (!(await store.tokens.revoke(id, new Date(), caller.clientId))) {
        throw new Refusal('tokenNotFound', 'token_id: you have no token of this id; list your tokens');
      }
      events.tokenRevoked(caller, { token_id: id });
    },
  };
}

/** Nobody gives more than they have. @returns null: everything */
function grantedTo({ scopes: own }: Caller, asked: readonly Scope[] | undefined): readonly Scope[] | null {
  if (!own) return asked === undefined ? null : [...new Set(asked)];
  const lacking = asked?.find((scope) => !own.includes(scope));
  if (lacking === undefined) return allScopes.filter((scope) => (asked ?? own).includes(scope));
  throw new Refusal('denied', `scopes: your token may not ${lacking} itself, so it cannot let another`);
}

/** What a token holds that was made by another version may be unknown here. */
function known(scopes: ApiTokenRecord['scopes']): readonly Scope[] {
  return scopes === null ? allScopes : allScopes.filter((scope) => scopes.includes(scope));
}

function isAlive({ revokedAt, expiresAt }: ApiTokenRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}
