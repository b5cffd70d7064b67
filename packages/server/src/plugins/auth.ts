import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import type { AccountService } from '../services/services.ts';

/** The token of a request: header `Accesstoken`, or `Authorization: Bearer`; undefined when there is none. */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['accesstoken'];
  const own = (typeof given === 'string' ? given : '').trim().replace(/^Bearer\s+/i, '');
  if (own !== '') return own;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
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
    request.clientId = (await accounts.authenticate(token)).clientId;
    reply.removeHeader('www-authenticate');
  };
}
