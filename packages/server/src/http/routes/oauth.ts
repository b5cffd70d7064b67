import {
  type AskedScope,
  askedScopes,
  type Endpoint,
  endpoints,
  nameProblem,
  normaliseName,
  success,
} from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { AccountService, SignInLinks } from '../../services/accounts/ports.ts';
import { networkOf } from '../connections/connections.ts';
import { tokenOf } from '../plugins/auth.ts';
import { readRequest } from '../plugins/body.ts';
import { routeOf } from './route-of.ts';

/** Access tokens. A success is answered as in RFC 6749, without the envelope. */
export function oauthRoutes(
  app: FastifyInstance,
  { accounts, signInLinks }: { readonly accounts: AccountService; readonly signInLinks: SignInLinks },
): void {
  const post = (endpoint: Endpoint, handler: (request: FastifyRequest) => Promise<unknown>) =>
    app.route({ ...routeOf(endpoint), handler });

  const issue = async (request: FastifyRequest, fields: CredentialFields & ScopeField) => {
    return tokenView(await accounts.login(readCredentials(request, fields), askedBy(fields)));
  };

  post(endpoints.clientToken, async (request) => {
    const fields = readRequest(request, endpoints.clientToken);
    const { clientId, signInCode: code } = fields;
    if (code === undefined) return issue(request, fields);
    if (clientId === undefined) throw missing('client_id');
    const link = { clientId, code, address: networkOf(request.ip) };
    return tokenView(await signInLinks.use(link, askedBy(fields)));
  });

  post(endpoints.token, async (request) => {
    const fields = readRequest(request, endpoints.token);
    checkGrant(fields.grantType);
    return issue(request, fields);
  });

  post(endpoints.changePassword, async (request) => {
    const fields = readRequest(request, endpoints.changePassword);
    const { newPassword = '', revokeApiTokens } = fields;
    const asked = askedBy(fields);
    const change = { ...readCredentials(request, fields), newPassword, revokeApiTokens, asked };
    return tokenView(await accounts.changePassword(change, request.trxId));
  });

  post(endpoints.revokeToken, async (request) => {
    const fields = readRequest(request, endpoints.revokeToken);
    const token = tokenOf(request) ?? fields.token;
    if (token === undefined) throw new Refusal('tokenToRevokeMissing');
    if (fields.own) {
      await accounts.revokeOwn(token, request.trxId);
      return success(endpoints.revokeToken.message);
    }
    await accounts.revoke({ token, ...readCredentials(request, fields) }, request.trxId);
    return success(endpoints.revokeToken.message);
  });
}

function checkGrant(grant: string | undefined): void {
  if (grant === 'client_credentials') return;
  const error = grant === undefined ? 'invalid_request' : 'unsupported_grant_type';
  const found = phrase(grant === undefined ? 'nothing' : 'anotherOne');
  throw new Refusal('grantType', { found }, { error });
}

/** RFC 6749, section 5.1. */
function tokenView({
  accessToken,
  expiresIn,
  scopes,
}: {
  accessToken: string;
  expiresIn: number;
  scopes: readonly string[];
}) {
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: expiresIn,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}

interface ScopeField {
  readonly scope?: string | undefined;
}

function askedBy({ scope = '' }: ScopeField): AskedScope[] {
  const words = scope.split(/\s+/);
  return askedScopes.filter((one) => words.includes(one));
}

interface CredentialFields {
  readonly clientId?: string | undefined;
  readonly password?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/**
 * The client's credentials: from HTTP Basic (RFC 6749, section 2.3.1), else from the body.
 * @throws Refusal `malformed` naming the missing field
 */
function readCredentials(request: FastifyRequest, fields: CredentialFields) {
  const basic = readBasic(request.headers.authorization);
  const clientId = basic?.clientId ?? fields.clientId;
  const password = basic?.password ?? fields.password ?? fields.clientSecret;
  if (clientId === undefined) throw missing('client_id');
  if (password === undefined) throw missing('password');
  return { clientId, password, address: networkOf(request.ip) };
}

function missing(field: string): Refusal {
  return new Refusal('credentialMissing', { field });
}

function readBasic(header: string | undefined): { clientId: string; password: string } | undefined {
  const encoded = /^Basic\s+([\w+/=-]+)\s*$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw new Refusal('basicMalformed');
  const clientId = normaliseName(percentDecode(text.slice(0, colon)));
  const problem = nameProblem(clientId);
  if (problem !== null) {
    const problems = [phrase('fieldProblem', { field: 'client_id', problem })];
    throw new Refusal('fieldsMalformed', { problems });
  }
  return { clientId, password: percentDecode(text.slice(colon + 1)) };
}

/** RFC 6749 percent-encodes both parts; many programs do not. */
function percentDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
