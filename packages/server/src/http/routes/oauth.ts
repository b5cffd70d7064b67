import { type Endpoint, endpoints, success } from '@wajah/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { AppServices } from '../../services/app-services.ts';
import { tokenOf } from '../plugins/auth.ts';
import { readCredentials } from '../plugins/basic.ts';
import { readRequest } from '../plugins/body.ts';
import { tokenView } from '../views/oauth.ts';
import { routeOf } from './mount.ts';

/** Passwords are short. */
const bodyLimit = 64 * 1024;

/** Tokens for clients. The good answers are those of RFC 6749, not the envelope. */
export function oauthRoutes(app: FastifyInstance, { accounts }: Pick<AppServices, 'accounts'>): void {
  const post = (endpoint: Endpoint, handler: (request: FastifyRequest) => Promise<unknown>) =>
    app.route({ ...routeOf(app, endpoint), bodyLimit, handler });

  post(endpoints.clientToken, async (request) => {
    const credentials = readCredentials(request, readRequest(request, endpoints.clientToken));
    return tokenView(await accounts.login(credentials));
  });

  post(endpoints.token, async (request) => {
    const fields = readRequest(request, endpoints.token);
    checkGrant(fields.grant_type);
    return tokenView(await accounts.login(readCredentials(request, fields)));
  });

  post(endpoints.revokeToken, async (request) => {
    const fields = readRequest(request, endpoints.revokeToken);
    const token = tokenOf(request) ?? fields.token;
    if (token === undefined) throw new Refusal('unauthorized', 'Accesstoken: the header is missing');
    await accounts.revoke({ token, ...readCredentials(request, fields) });
    return success(endpoints.revokeToken.message);
  });
}

function checkGrant(grant: string | undefined): void {
  if (grant === 'client_credentials') return;
  const error = grant === undefined ? 'invalid_request' : 'unsupported_grant_type';
  const found = grant === undefined ? 'nothing' : 'another one';
  throw new Refusal('malformed', `grant_type: found ${found}; allowed is client_credentials`, { error });
}
