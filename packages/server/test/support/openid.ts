import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Endpoint, endpoints } from '@wajah/contract';
import * as oidc from 'openid-client';
import { expect } from 'vitest';
import type { Film } from './film.ts';
import { startOnStore } from './on-store.ts';
import { freePort } from './postgres.ts';
import type { TestApp, TestClient } from './test-app.ts';

/** Where the apps of tests have people led back to. */
export const callback = 'https://app.example/callback';

/** A server that signs people in, at an address of this machine. */
export async function startOpenid(kind = 'a data directory', settings: Record<string, string> = {}) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const { server, env } = await startOnStore(kind, {
    WAJAH_OPENID: 'true',
    WAJAH_PUBLIC_URL: issuer,
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
    ...settings,
  });
  await server.app.listen({ host: '127.0.0.1', port });
  return { server, issuer, port, env };
}

/** A request as a browser makes it for a page, which `fetch` of Node says it is not. */
async function navigate(url: URL, { method = 'GET', headers = {}, body }: Sent): Promise<Response> {
  const sent = request(url, {
    method,
    headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate', ...headers },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => [name, value] as [string, string]),
  );
  return new Response(await text(answer), { status: answer.statusCode!, headers: pairs });
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A browser: it keeps cookies, and follows no redirect by itself. */
export function newBrowser() {
  const cookies = new Map<string, { value: string; path: string }>();
  return {
    cookies,
    async open(address: string | URL, init: Sent = {}): Promise<Response> {
      const url = new URL(address);
      const sent = [...cookies]
        .filter(([, { path }]) => `${url.pathname}/`.startsWith(path.replace(/\/?$/, '/')))
        .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`);
      const headers = { ...init.headers, ...(sent.length > 0 && { cookie: sent.join('; ') }) };
      const answer = await navigate(url, { ...init, headers });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
        if (value === '') cookies.delete(`${name} ${path}`);
        else cookies.set(`${name} ${path}`, { value, path });
      }
      return answer;
    },
    /** Follows redirects until the page of a session, or an address of another host. */
    async follow(address: string | URL): Promise<URL> {
      for (let url = new URL(address), n = 0; ; n++) {
        const answer = await this.open(url);
        const location = answer.headers.get('location');
        if (location === null || n > 9) throw new Error(`${answer.status} ${url}: ${await answer.text()}`);
        url = new URL(location, url);
        if (url.pathname.endsWith('/page') || url.href.startsWith(callback)) return url;
      }
    },
  };
}

export type Browser = ReturnType<typeof newBrowser>;

/** The calls of the page of a session, as its script makes them. */
export function pageCalls(browser: Browser, page: URL) {
  const [session_id = '', secret = ''] = page.hash.slice(1).split('.');
  const call = async (endpoint: Endpoint, fields: object = {}) => {
    const url = new URL(endpoint.path.slice(1), page);
    const headers = { 'content-type': 'application/json', accesstoken: secret };
    const body = JSON.stringify({ session_id, ...fields });
    return (await browser.open(url, { method: 'POST', headers, body })).json();
  };
  return { session_id, call };
}

/** Does the steps of a session on its page. @returns the judgement */
export async function perform(browser: Browser, page: URL, film: Film) {
  const { call } = pageCalls(browser, page);
  const { steps } = await call(endpoints.beginLivenessSession);
  return call(endpoints.submitLivenessSession, { frames: await film.frames(steps) });
}

/** Registers an app, and configures a program for it. */
export async function newApp(
  { server, issuer }: { readonly server: TestApp; readonly issuer: string },
  client: TestClient,
  more: {
    readonly id_token_alg?: string;
    readonly public?: boolean;
    readonly redirect_uris?: string[];
  } & object = {},
) {
  const made = await server.operate(endpoints.createOpenidApp, {
    client_id: client.id,
    facegallery_id: client.gallery,
    redirect_uris: [callback],
    ...more,
  });
  const { app_id, app_secret } = made as { app_id: string; app_secret: string | null };
  const secret = app_secret === null ? oidc.None() : oidc.ClientSecretBasic(app_secret);
  const options = { execute: [oidc.allowInsecureRequests] };
  const config = await oidc.discovery(
    new URL(issuer),
    app_id,
    { id_token_signed_response_alg: more.id_token_alg ?? 'RS256' },
    secret,
    options,
  );
  return { id: app_id, secret: app_secret, config };
}

export type App = Awaited<ReturnType<typeof newApp>>;

/** Where an app leads a browser, and what it checks afterwards. */
export async function authorization(
  { config }: Pick<App, 'config'>,
  parameters: Record<string, string> = {},
) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedNonce, expectedState] = [oidc.randomNonce(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
    state: expectedState,
    ...parameters,
  });
  return { url, checks: { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true } };
}

/** A whole sign-in. @returns where the browser is led back to, and what the app checks */
export async function signIn(
  app: App,
  film: Film,
  parameters: Record<string, string>,
  browser = newBrowser(),
) {
  const { url, checks } = await authorization(app, parameters);
  const page = await browser.follow(url);
  const judged = await perform(browser, page, film);
  expect(judged).toMatchObject({ status: '200' });
  return { back: await browser.follow(judged.redirect_url), checks, judged, browser };
}
