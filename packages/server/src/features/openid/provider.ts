import type { IncomingMessage, ServerResponse } from 'node:http';
import { idTokenAlgorithms } from '@wajah/contract/features/openid';
import type { JWK } from 'jose';
import { importOptional } from '../../errors.ts';
import { minuteMs } from '../../lib/time.ts';
import { createAdapters, type Payload } from './adapter.ts';
import { idTokenMs } from './keys.ts';
import type { OpenidApp, OpenidStore } from './ports.ts';
import type { OpenidVaults } from './vault.ts';

/** What an ID token says of a person who has passed a liveness session and was recognised in it (RFC 8176). */
export const proof = { acr: 'urn:wajah:liveness-session', amr: ['face'] };

/** What apps are told of every sign-in that fails: an attacker learns nothing. */
export const denied = 'The person was not recognised.';

/** How long a sign-in may take, seconds: the link of a session and its last try. */
const signInSeconds = (15 * minuteMs) / 1000;
const tokenSeconds = 600;

/** Paths of the provider below that of the server. */
export const paths = {
  base: '/openid',
  signIn: '/openid/sign-in',
  discovery: ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
} as const;

/**
 * Whoever may set cookies for the domain of the server, from another host of it, could put those of a sign-in of his own into
 * the browser of somebody else. A cookie with this prefix only the server itself sets (RFC 6265bis), over https alone.
 */
const hostCookieName = (uid: string) => `__Host-wajah-${uid}`;
const hostCookie = (uid: string) =>
  `${hostCookieName(uid)}=1; path=/; secure; httponly; samesite=lax; max-age=${signInSeconds}`;

/** Whether the server has begun a sign-in in the browser of a request, as far as that can be told. */
export function isBegunThere({ headers }: IncomingMessage, issuer: string, uid: string): boolean {
  const cookies = headers.cookie?.split(/; */) ?? [];
  return !issuer.startsWith('https:') || cookies.includes(`${hostCookieName(uid)}=1`);
}

/** A sign-in under way, as the provider stores it. */
export interface Interaction {
  readonly uid: string;
  readonly params: NonNullable<Payload['params']>;
  result?: { readonly attempt?: Attempt };
  persist(): Promise<unknown>;
}

/** The liveness session of a sign-in. */
export interface Attempt {
  readonly sessionId: string;
  /** Null: whoever it is, is identified. */
  readonly userId: string | null;
  /** Nobody can be signed in by it: the person is unknown, or may not be matched. */
  readonly isVain: boolean;
}

/** What is used of `oidc-provider`. */
export interface Provider {
  proxy: boolean;
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  on(event: string, listener: (...args: never[]) => void): unknown;
}

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

interface Context {
  readonly res: ServerResponse;
  type: string;
  body: string;
  readonly oidc: {
    readonly route: string;
    readonly client: { readonly clientId: string; readonly clientAuthMethod: string };
    readonly params?: { readonly nonce?: string };
    readonly account?: { readonly accountId: string };
    readonly provider: { readonly Grant: new (of: object) => Grant };
  };
}

interface Library {
  readonly Provider: new (issuer: string, configuration: object) => Provider;
  readonly errors: Readonly<Record<'AccessDenied' | 'InvalidGrant', new (description: string) => Error>>;
}

interface Dependencies {
  readonly issuer: string;
  readonly store: OpenidStore;
  readonly vaults: OpenidVaults;
  /** @returns the name of a person of the gallery of an app who may be matched now; null: nobody */
  nameOf(appId: string, userId: string): Promise<string | null>;
  readonly log: { error(fields: object, message: string): void };
}

/** A provider, with what answers its requests, which is made once. */
export interface OpenProvider {
  readonly provider: Provider;
  readonly callback: ReturnType<Provider['callback']>;
}

/** Loads the library. @returns what makes the provider that signs with keys */
export async function openProviders(deps: Dependencies): Promise<(keys: readonly JWK[]) => OpenProvider> {
  const { issuer, log } = deps;
  const missing = 'WAJAH_OPENID needs the package oidc-provider, which is not installed';
  const library = (await importOptional('oidc-provider', missing)) as Library;
  const common = configurationOf(deps, library);
  return (keys) => {
    const provider = new library.Provider(issuer, { ...common, jwks: { keys } });
    provider.proxy = true;
    provider.on('server_error', (_ctx: never, err: never) => log.error({ err }, 'unexpected error'));
    provider.on('error', (err: never) => log.error({ err }, 'unexpected error'));
    return { provider, callback: provider.callback() };
  };
}

const off = { enabled: false };

/** Of every installation. */
const configuration = {
  acrValues: [proof.acr],
  claims: { openid: ['sub', 'acr', 'amr', 'auth_time'], profile: ['name'] },
  // Apps read the name out of the ID token, without a further call.
  conformIdTokenClaims: false,
  scopes: ['openid', 'profile'],
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  allowOmittingSingleRegisteredRedirectUri: false,
  enabledJWA: { idTokenSigningAlgValues: idTokenAlgorithms },
  features: {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    resourceIndicators: off,
    rpInitiatedLogout: off,
  },
  pkce: { required: needsPkce },
  discovery: { ui_locales_supported: ['en', 'id'] },
  routes: {
    authorization: `${paths.base}/auth`,
    token: `${paths.base}/token`,
    userinfo: `${paths.base}/userinfo`,
    jwks: `${paths.base}/jwks`,
    end_session: `${paths.base}/end`,
  },
  ttl: {
    AccessToken: tokenSeconds,
    AuthorizationCode: 60,
    Grant: tokenSeconds,
    IdToken: idTokenMs / 1000,
    Interaction: signInSeconds,
    Session: 60,
  },
  clientBasedCORS: () => false,
  expiresWithSession: () => false,
  loadExistingGrant: grantAll,
  renderError,
};

function configurationOf(deps: Dependencies, library: Library) {
  const { store, vaults, issuer } = deps;
  const metadataOf = (app: OpenidApp) => metadata(app, vaults);
  const consumed = () => new library.errors.InvalidGrant('authorization code already consumed');
  return {
    ...configuration,
    adapter: createAdapters({ store, vaults, metadataOf, consumed }),
    interactions: {
      url({ res }: Context, { uid }: Interaction) {
        if (issuer.startsWith('https:')) res.appendHeader('set-cookie', hostCookie(uid));
        return `${issuer}${paths.signIn}/${uid}`;
      },
    },
    findAccount: accountFinder(deps, library),
  };
}

/** A confidential app may send a nonce instead, which binds the ID token to its browser. */
function needsPkce({ oidc }: Context, { clientAuthMethod }: Context['oidc']['client']): boolean {
  return clientAuthMethod === 'none' || oidc.params?.nonce === undefined;
}

function metadata({ id, clientId, secret, redirectUris, idTokenAlg }: OpenidApp, vaults: OpenidVaults) {
  return {
    client_id: id,
    ...(secret && { client_secret: vaults.secret.open({ clientId, id }, secret) }),
    token_endpoint_auth_method: secret ? 'client_secret_basic' : 'none',
    redirect_uris: redirectUris,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    id_token_signed_response_alg: idTokenAlg,
  };
}

/** Also between session and token a person may be erased or suspended, or end their consent. */
function accountFinder({ nameOf }: Dependencies, { errors }: Library) {
  return async ({ oidc }: Context, userId: string) => {
    const name = await nameOf(oidc.client.clientId, userId);
    if (name !== null) return { accountId: userId, claims: async () => ({ sub: userId, name }) };
    if (oidc.route === 'resume') throw new errors.AccessDenied(denied);
    return undefined;
  };
}

/** The operator has registered the app: people consent to the recognition, and each sign-in is their own act. */
async function grantAll({ oidc }: Context): Promise<Grant> {
  const of = { clientId: oidc.client.clientId, accountId: oidc.account?.accountId };
  const grant = new oidc.provider.Grant(of);
  grant.addOIDCScope('openid profile');
  await grant.save();
  return grant;
}

/** Where there is no address that a person may be led back to. */
function renderError(
  ctx: Context,
  { error, error_description: text = '' }: Readonly<Record<string, string>>,
): void {
  ctx.type = 'text';
  ctx.body = `${error}: ${text}\n`;
}
