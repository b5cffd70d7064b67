import { scopeOf } from '@wajah/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { AccountService } from '../../services/services.ts';
import { endpointOf } from './request-state.ts';

/** The token of a request: header `Accesstoken`, or `Authorization: Bearer`; undefined when there is none. */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['accesstoken'];
  const own = (typeof given === 'string' ? given : '').trim().replace(/^Bearer\s+/i, '');
  if (own !== '') return own;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

/** @throws Refusal `denied` when the token may do less than this endpoint does */
function requireScope(request: FastifyRequest): void {
  const endpoint = endpointOf(request);
  if (request.scopes === null || endpoint === undefined) return;
  const needed = scopeOf(endpoint);
  if (request.scopes.includes(needed)) return;
  const held = request.scopes.join(', ') || 'none';
  throw new Refusal('denied', `Accesstoken: the scope ${needed} is needed here, the token has ${held}`);
}

/** A hook that lets through who brings a valid token, before anything of the body is read. */
export function authenticate(accounts: Pick<AccountService, 'authenticate'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = tokenOf(request);
    if (token === undefined) {
      throw new Refusal('unauthorized', 'Accesstoken: the header is missing; send an access token');
    }
    // RFC 6750, section 3.1: a token that was sent and is refused is named so.
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
    const { clientId, scopes } = await accounts.authenticate(token);
    request.clientId = clientId;
    request.scopes = scopes;
    reply.removeHeader('www-authenticate');
    requireScope(request);
  };
}
