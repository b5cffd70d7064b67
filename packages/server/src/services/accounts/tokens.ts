import { scopes as allScopes, defaultScopes, ordinaryScopes, type Scope } from '@wajah/contract';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import { dayMs } from '../../lib/time.ts';
import { digestOf, looksLikeApiToken, newApiToken } from '../../security/tokens/api-tokens.ts';
import type { ApiTokenRecord, NewApiToken, TokenBinding, TokenStore } from '../../store/ports/tokens.ts';
import type { Caller } from '../caller.ts';
import type { ServiceParts } from '../parts.ts';
import { requireBinding } from './bindings.ts';
import { registeredClient } from './clients.ts';
import type { BoundTokenRequest, TokenService } from './ports.ts';

/** Valid tokens that one client may have. */
const maxTokens = 100;

/** API tokens, managed by their client or by the operator. */
export function createTokenService({ store, events }: ServiceParts<'store' | 'events'>): TokenService {
  return {
    async create(caller, { name, scopes, expiresInDays, ...bound }) {
      await registeredClient(store, caller);
      const binding = bindingOf(bound);
      const granted = binding
        ? await requireBinding(store, caller.clientId, binding, scopes)
        : grantedScopes(caller, scopes);
      if (binding?.service === 'gallery') grantedScopes(caller, granted);
      const now = Date.now();
      const valid = (await store.tokens.list(caller.clientId)).filter((token) => isValid(token, now));
      if (valid.length >= maxTokens) {
        throw new Refusal('tooManyTokens', { count: valid.length });
      }
      const expiresAt = expiresInDays === undefined ? null : new Date(now + expiresInDays * dayMs);
      const { clientId } = caller;
      const { id, token } = await addApiToken(store.tokens, {
        clientId,
        name,
        expiresAt,
        scopes: granted,
        binding,
      });
      const service = binding && { service: binding.service };
      events.observe('token_created', caller, { token_id: id, scopes: granted.join(' '), ...service });
      return { id, token, name, expiresAt, scopes: granted };
    },

    async list(caller) {
      await registeredClient(store, caller);
      const tokens = await store.tokens.list(caller.clientId);
      return tokens.map((token) => ({ ...token, scopes: inOrder(token.scopes) }));
    },

    async revoke(caller, { tokenId }) {
      const { clientId, isOperator } = caller;
      if (!isOperator) await registeredClient(store, caller);
      const id =
        isOperator && looksLikeApiToken(tokenId) ? (await store.tokens.find(digestOf(tokenId)))?.id : tokenId;
      if (id === undefined || !(await store.tokens.revoke(id, new Date(), clientId || undefined)))
        throw new Refusal('tokenNotFound');
      events.observe('token_revoked', caller, { token_id: id });
    },
  };
}

function bindingOf({
  compreface,
  facegalleryId,
}: Pick<BoundTokenRequest, 'compreface' | 'facegalleryId'>): TokenBinding | null {
  if (compreface !== undefined) return { service: compreface, galleryId: facegalleryId ?? null };
  return facegalleryId === undefined ? null : { service: 'gallery', galleryId: facegalleryId };
}

/** @returns its id, and the token, which cannot be read again @throws Refusal `galleryNotFound` when it went meanwhile */
async function addApiToken(
  tokens: TokenStore,
  record: Omit<NewApiToken, 'id' | 'digest' | 'createdAt'>,
): Promise<{ id: string; token: string }> {
  const [token, id] = [newApiToken(), uuidv7()];
  if (!(await tokens.add({ ...record, id, digest: digestOf(token), createdAt: new Date() })))
    throw new Refusal('galleryNotFound');
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
  return inOrder(requested);
}

function inOrder(scopes: readonly Scope[]): readonly Scope[] {
  return allScopes.filter((scope) => scopes.includes(scope));
}

function isValid({ revokedAt, expiresAt }: ApiTokenRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}
