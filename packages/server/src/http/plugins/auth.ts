import { scopeOf } from '@wajah/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { Authentication } from '../../services/accounts/authentication.ts';
import type { QuotaService } from '../../services/accounts/clients.ts';
import { endpointOf } from './request-state.ts';

/** The token of a request: header `Accesstoken`, or `Authorization: Bearer`; undefined when there is none. */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['accesstoken'];
  const own = (typeof given === 'string' ? given : '').trim().replace(/^Bearer\s+/i, '');
  if (own !== '') return own;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

/** @throws Refusal `denied` when the token lacks the scope of the endpoint */
function requireScope(request: FastifyRequest): void {
  const endpoint = endpointOf(request);
  if (request.scopes === null || endpoint === undefined) return;
  const needed = scopeOf(endpoint);
  if (request.scopes.includes(needed)) return;
  const held = request.scopes.join(', ') || 'none';
  throw new Refusal('denied', `Accesstoken: the scope ${needed} is needed here, the token has ${held}`);
}

/** A hook that requires a valid token before the body is read. */
export function authenticate(accounts: Pick<Authentication, 'authenticate'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = tokenOf(request);
    if (token === undefined) {
      throw new Refusal('unauthorized', 'Accesstoken: the header is missing; send an access token');
    }
    // RFC 6750, section 3.1: the error of a token that was sent.
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
    const { clientId, scopes } = await accounts.authenticate(token);
    request.clientId = clientId;
    request.scopes = scopes;
    reply.removeHeader('www-authenticate');
    requireScope(request);
  };
}

/** Takes one hit from the client's quota; the envelope returns it when the call is refused as busy. */
export async function takeHit(request: FastifyRequest, quotas: QuotaService): Promise<void> {
  if (request.clientId === null) return;
  await quotas.take(request.clientId);
  request.hitTaken = true;
}

/** As `takeHit`, for calls that are answered also when the quota is used up. */
export async function takeHitIfLeft(request: FastifyRequest, quotas: QuotaService): Promise<void> {
  if (request.clientId !== null) request.hitTaken = await quotas.takeIfLeft(request.clientId);
}
