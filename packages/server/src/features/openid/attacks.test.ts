import { request as httpRequest } from 'node:http';
import { endpoints } from '@wajah/contract';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { filmOf } from '../../../test/support/film.ts';
import { newClient } from '../../../test/support/liveness-sessions.ts';
import {
  type App,
  authorization,
  callback,
  newApp,
  newBrowser,
  pageCalls,
  perform,
  signIn,
  startOpenid,
} from '../../../test/support/openid.ts';

const [ani, budi] = [await filmOf('ani'), await filmOf('budi')];
const started = await startOpenid();
const { server, issuer } = started;

/** A client with ani and budi, and an app of it. */
async function prepared(more: object = {}) {
  const client = await newClient(server);
  await client.enrol('ani', await ani.frame('face front', 9));
  await client.enrol('budi', await budi.frame('face front', 9));
  return { client, app: await newApp(started, client, more) };
}

const hint = { login_hint: 'ani' };
const denied = { error: 'access_denied', error_description: 'The person was not recognised.' };
const told = ({ searchParams }: URL) => Object.fromEntries(searchParams);
const exchange = (app: App, { back, checks }: Pick<Awaited<ReturnType<typeof signIn>>, 'back' | 'checks'>) =>
  oidc.authorizationCodeGrant(app.config, back, checks);
const refused = (error: string) => expect.objectContaining({ error });

describe('an authorization request is refused', () => {
  it.each([
    ['another address', { redirect_uri: 'https://evil.example/callback' }],
    ['an address with more behind it', { redirect_uri: `${callback}/more` }],
    ['an address with a query', { redirect_uri: `${callback}?next=1` }],
    ['an address in other letters', { redirect_uri: 'https://APP.example/callback' }],
    ['an address without TLS', { redirect_uri: callback.replace('https', 'http') }],
    ['an address that goes up', { redirect_uri: `${callback}/../callback` }],
    ['an address with a user name', { redirect_uri: callback.replace('//', '//app.example@') }],
    ['an address with a fragment', { redirect_uri: `${callback}#` }],
    ['no address', { redirect_uri: '' }],
    ['an unknown app', { client_id: 'app_unknown' }],
  ])('without a redirect: %s', async (_, parameters) => {
    const { app } = await prepared();
    const { url } = await authorization(app, { ...hint, ...parameters });
    const answer = await newBrowser().open(url);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toContain('text/plain');
  });

  it.each<[string, Record<string, string>, string]>([
    ['the implicit flow', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['the hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['a challenge that is the verifier', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no person before the camera', { prompt: 'none' }, 'login_required'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a request at an address', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
  ])('%s', async (_, parameters, error) => {
    const { app } = await prepared();
    const { url } = await authorization(app, { ...hint, ...parameters });
    const location = (await newBrowser().open(url)).headers.get('location')!;
    expect(location.replace('#', '?')).toContain(`error=${error}`);
  });

  it('with a parameter twice', async () => {
    const { app } = await prepared();
    const { url } = await authorization(app, hint);
    for (const name of ['login_hint', 'state', 'nonce', 'code_challenge', 'redirect_uri', 'client_id']) {
      const twice = new URL(url);
      twice.searchParams.append(name, name === 'login_hint' ? 'budi' : url.searchParams.get(name)!);
      const answer = await newBrowser().open(twice);
      const location = answer.headers.get('location');
      // Without one address and one app there is nowhere to lead to.
      if (['redirect_uri', 'client_id'].includes(name)) {
        expect([name, answer.status, location]).toEqual([name, 400, null]);
        expect(await answer.text()).toContain('invalid_request');
      } else expect(told(new URL(location!))).toMatchObject({ error: 'invalid_request', iss: issuer });
    }
  });

  it('without PKCE, of a public app; of a confidential one without a nonce too', async () => {
    const bare = { ...hint, code_challenge: '', code_challenge_method: '' };
    const ask = async (app: App, parameters: Record<string, string>) => {
      const { url } = await authorization(app, parameters);
      for (const [name, value] of [...url.searchParams]) if (value === '') url.searchParams.delete(name);
      return (await newBrowser().open(url)).headers.get('location')!;
    };
    const { client, app } = await prepared();
    const open = await newApp(started, client, { public: true });
    expect(await ask(open, bare)).toContain('error=invalid_request');
    expect(await ask(app, { ...bare, nonce: '' })).toContain('error=invalid_request');
    expect(await ask(app, bare)).toContain('/openid/sign-in/');
    expect(await ask(app, { ...hint, nonce: '' })).toContain('/openid/sign-in/');
  });
});

describe('a code', () => {
  it('is good once; the second use ends what the first was given', async () => {
    const { app } = await prepared();
    const done = await signIn(app, ani, hint);
    const { access_token } = await exchange(app, done);
    await expect(exchange(app, done)).rejects.toEqual(refused('invalid_grant'));
    await expect(oidc.fetchUserInfo(app.config, access_token, 'ani')).rejects.toThrow();
  });

  it('is good for one of two calls at a time', async () => {
    const { app } = await prepared();
    const done = await signIn(app, ani, hint);
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => exchange(app, done)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('is of no use with another verifier, another secret, another address, or to another app', async () => {
    const { client, app } = await prepared();
    const others = [await newApp(started, client), (await prepared()).app];
    const done = await signIn(app, ani, hint);
    const { back, checks } = done;
    const verifier = { ...checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
    await expect(exchange(app, { back, checks: verifier })).rejects.toEqual(refused('invalid_grant'));
    for (const other of others) await expect(exchange(other, done)).rejects.toEqual(refused('invalid_grant'));
    const code = back.searchParams.get('code')!;
    const post = async (fields: Record<string, string>, more = '') => {
      const basic = { grant_type: 'authorization_code', code, redirect_uri: callback, client_id: app.id };
      const body =
        new URLSearchParams({ ...basic, code_verifier: checks.pkceCodeVerifier, ...fields }) + more;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await fetch(`${issuer}/openid/token`, { method: 'POST', headers, body });
      return [answer.status, (await answer.json()).error];
    };
    expect(await post({ client_secret: 'wrong' })).toEqual([401, 'invalid_client']);
    expect(await post({})).toEqual([401, 'invalid_client']);
    const client_secret = app.secret!;
    const elsewhere = { client_secret, redirect_uri: 'https://evil.example/' };
    expect(await post(elsewhere)).toEqual([400, 'invalid_grant']);
    expect(await post({ client_secret, code_verifier: '' })).toEqual([400, 'invalid_grant']);
    expect(await post({ client_secret }, `&code=${code}`)).toEqual([400, 'invalid_request']);
    expect(await post({ client_secret })).toEqual([200, undefined]);
  });

  it('is not taken from another provider: the answer names its issuer', async () => {
    const { app } = await prepared();
    const { back, checks } = await signIn(app, ani, hint);
    back.searchParams.set('iss', 'https://evil.example');
    await expect(exchange(app, { back, checks })).rejects.toThrow();
  });
});

describe('a person', () => {
  it('who is another one is not signed in, with the words of every failure', async () => {
    const { app } = await prepared();
    const browser = newBrowser();
    const { url, checks } = await authorization(app, hint);
    const page = await browser.follow(url);
    let judged = await perform(browser, page, budi);
    while (judged.tries_left > 0) judged = await perform(browser, page, budi);
    const back = await browser.follow(judged.redirect_url);
    expect(told(back)).toEqual({ ...denied, state: checks.expectedState, iss: issuer });
  });

  it('whom nobody has enrolled, or who is suspended, sees the same page, and fails with the same words', async () => {
    const { client, app } = await prepared();
    await client.call(endpoints.suspendPerson, { user_id: 'budi', facegallery_id: client.gallery });
    for (const login_hint of ['budi', 'nobody']) {
      const { back, checks } = await signIn(app, budi, { login_hint });
      expect(told(back)).toEqual({ ...denied, state: checks.expectedState, iss: issuer });
      await server.forgetFrames();
    }
  });

  it('whose name was changed on the way is not named to the app', async () => {
    const { app } = await prepared();
    const browser = newBrowser();
    const { url, checks } = await authorization(app, hint);
    url.searchParams.set('login_hint', 'budi');
    const judged = await perform(browser, await browser.follow(url), budi);
    const tokens = await exchange(app, { back: await browser.follow(judged.redirect_url), checks });
    expect(tokens.claims()!.sub).toBe('budi');
  });

  it('without a name is refused by an app that identifies nobody, and a name that cannot be one', async () => {
    const { app } = await prepared();
    for (const parameters of [{}, { login_hint: 'a\u0000b' }, { login_hint: 'x'.repeat(200) }]) {
      const { url } = await authorization(app, parameters);
      expect(told(await newBrowser().follow(url))).toMatchObject(denied);
    }
  });

  it('who is suspended or erased between session and token, or later, is not told', async () => {
    const { client, app } = await prepared();
    const browser = newBrowser();
    const judge = async () => {
      const { url } = await authorization(app, hint);
      const judged = await perform(browser, await browser.follow(url), ani);
      await server.forgetFrames();
      return judged.redirect_url as string;
    };
    const { access_token } = await exchange(app, await signIn(app, ani, hint));
    await server.forgetFrames();
    const person = { user_id: 'ani', facegallery_id: client.gallery };
    const suspended = await judge();
    await client.call(endpoints.suspendPerson, person);
    expect(told(await browser.follow(suspended))).toMatchObject(denied);
    await expect(oidc.fetchUserInfo(app.config, access_token, 'ani')).rejects.toThrow();
    await client.call(endpoints.resumePerson, person);
    const erased = await judge();
    await client.call(endpoints.erasePerson, { user_id: 'ani' });
    // The sign-in has named them, and is erased with them.
    expect((await browser.open(erased)).status).toBe(400);
    await expect(oidc.fetchUserInfo(app.config, access_token, 'ani')).rejects.toThrow();
  });

  it('is not told when suspended between code and token', async () => {
    const { client, app } = await prepared();
    const done = await signIn(app, ani, hint);
    await client.call(endpoints.suspendPerson, { user_id: 'ani', facegallery_id: client.gallery });
    await expect(exchange(app, done)).rejects.toEqual(refused('invalid_grant'));
  });
});

describe('the page of a sign-in', () => {
  it('is worth nothing in the browser of somebody else', async () => {
    const { app } = await prepared();
    const { url } = await authorization(app, hint);
    const [attacker, victim] = [newBrowser(), newBrowser()];
    const page = await attacker.follow(url);
    const { call, session_id } = pageCalls(victim, page);
    expect(await call(endpoints.beginLivenessSession)).toMatchObject({ status: '401' });
    // Nor at the address of links, for which it has no secret.
    const link = await server.call('cookie', endpoints.beginLivenessSession, { session_id });
    expect(link.body.status).toBe('401');
    const done = new URL(page.href.replace(/\/page.*/, '/done'));
    expect((await victim.open(done)).status).toBe(400);
    expect(told(await attacker.follow(done))).toMatchObject(denied);
  });

  it('is worth nothing to who has passed its link on: the app knows the browser that it has led there', async () => {
    const { app } = await prepared();
    const [attackers, victims] = [await authorization(app, hint), await authorization(app, hint)];
    const victim = newBrowser();
    const judged = await perform(victim, await victim.follow(attackers.url), ani);
    const back = await victim.follow(judged.redirect_url);
    expect(back.href).toMatch(callback);
    // The victim's browser is led back, with what the app gave to that of the attacker.
    await expect(exchange(app, { back, checks: victims.checks })).rejects.toThrow('invalid response');
    const { expectedState: _, ...checks } = victims.checks;
    back.searchParams.set('state', victims.checks.expectedState);
    const forged = { back, checks: { ...checks, expectedState: victims.checks.expectedState } };
    await expect(exchange(app, forged)).rejects.toEqual(refused('invalid_grant'));
  });

  it('begins a session of its own where somebody has put cookies into the browser', async () => {
    const { app } = await prepared();
    const [attacker, victim] = [newBrowser(), newBrowser()];
    const planted = await attacker.follow((await authorization(app, hint)).url);
    victim.cookies.set('_session /', { value: 'planted', path: '/' });
    for (const [name, cookie] of attacker.cookies) victim.cookies.set(name, cookie);
    const { url, checks } = await authorization(app, hint);
    const page = await victim.follow(url);
    expect(page.hash).not.toBe(planted.hash);
    const judged = await perform(victim, page, ani);
    expect(judged.liveness).toBe('passed');
    const back = await victim.follow(judged.redirect_url);
    expect((await exchange(app, { back, checks })).claims()!.sub).toBe('ani');
    const done = new URL(planted.href.replace(/\/page.*/, '/done'));
    expect(told(await attacker.follow(done))).toMatchObject(denied);
  });

  describe('of a server with https', async () => {
    const issuer = 'https://faces.example';
    const { server: secure, port } = await startOpenid('a data directory', { WAJAH_PUBLIC_URL: issuer });
    /** Where an address of the server is reached here. */
    const here = (address: string) => new URL(address.replace(issuer, `http://127.0.0.1:${port}`));
    const begin = async () => {
      const client = await newClient(secure);
      const { app_id } = await secure.operate(endpoints.createOpenidApp, {
        client_id: client.id,
        facegallery_id: client.gallery,
        redirect_uris: [callback],
      });
      const parameters = { client_id: String(app_id), redirect_uri: callback, response_type: 'code' };
      const url = here(`${issuer}/openid/auth`);
      url.search = String(new URLSearchParams({ ...parameters, scope: 'openid', nonce: 'n', ...hint }));
      const browser = newBrowser();
      const { headers } = await browser.open(url);
      return { browser, location: headers.get('location')!, cookies: headers.getSetCookie() };
    };

    it('has cookies that no script reads, and no other site sends along with its own requests', async () => {
      const { location, cookies } = await begin();
      expect(location).toMatch(`${issuer}/openid/sign-in/`);
      expect(cookies.length).toBeGreaterThan(1);
      for (const cookie of cookies)
        expect(cookie).toMatch(/^(?=.*; secure)(?=.*; httponly)(?=.*; samesite=lax)(?!.*; domain=)/i);
    });

    it('is worth nothing in a browser into which another host of the domain has put its cookies', async () => {
      const { browser: attacker, location } = await begin();
      const victim = newBrowser();
      // A browser takes cookies of this prefix from the server alone.
      for (const [name, cookie] of attacker.cookies)
        if (!name.startsWith('__Host-')) victim.cookies.set(name, cookie);
      expect(victim.cookies.size).toBe(attacker.cookies.size - 1);
      const resume = here(location.replace('/sign-in/', '/auth/'));
      expect((await victim.open(here(location))).status).toBe(400);
      expect((await victim.open(resume)).status).toBe(400);
      const begun = await attacker.open(here(location));
      expect(begun.status).toBe(303);
      const page = here(begun.headers.get('location')!);
      expect(await pageCalls(victim, page).call(endpoints.beginLivenessSession)).toMatchObject({
        status: '401',
      });
      const { steps } = await pageCalls(attacker, page).call(endpoints.beginLivenessSession);
      expect(steps).not.toEqual([]);
    });
  });

  it('makes no call of another session, or of another sign-in of the browser', async () => {
    const { app } = await prepared();
    const browser = newBrowser();
    const pages = [];
    for (const login_hint of ['ani', 'budi']) {
      pages.push(await browser.follow((await authorization(app, { login_hint })).url));
    }
    const [one, other] = pages.map((page) => pageCalls(browser, page));
    const foreign = { session_id: other!.session_id };
    expect(await one!.call(endpoints.beginLivenessSession, foreign)).toMatchObject({ status: '418' });
    const moved = pageCalls(browser, new URL(pages[1]!.href.replace(/#.*/, pages[0]!.hash)));
    expect(await moved.call(endpoints.beginLivenessSession)).toMatchObject({ status: '418' });
    // The session of budi does not sign ani in.
    const judged = await perform(browser, pages[1]!, budi);
    expect(judged.liveness).toBe('passed');
    const done = new URL(pages[0]!.href.replace(/\/page.*/, '/done'));
    expect(told(await browser.follow(done))).toMatchObject(denied);
    expect((await browser.follow(judged.redirect_url)).searchParams.has('code')).toBe(true);
  });

  it('ends a sign-in once', async () => {
    const { app } = await prepared();
    const { judged, browser } = await signIn(app, ani, hint);
    expect((await browser.open(judged.redirect_url)).status).toBe(400);
  });

  it('is shown in no frame, nor is what leads to it', async () => {
    const { app } = await prepared();
    const browser = newBrowser();
    const { url } = await authorization(app, hint);
    const page = await browser.follow(url);
    for (const address of [page, url, new URL(page.href.replace(/\/page.*/, ''))]) {
      const { headers } = await browser.open(address);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('begins anew at each authorization, also for the same browser and another person', async () => {
    const { app } = await prepared();
    const { browser } = await signIn(app, ani, hint);
    await server.forgetFrames();
    for (const more of [{}, { max_age: '3600' }, { prompt: 'login' }]) {
      const { url } = await authorization(app, { login_hint: 'budi', ...more });
      expect((await browser.follow(url)).pathname).toContain('/page');
    }
    const done = await signIn(app, budi, { login_hint: 'budi' }, browser);
    expect((await exchange(app, done)).claims()!.sub).toBe('budi');
  });
});

it('the addresses of the provider are those that browsers use, whatever a request names', async () => {
  const { app } = await prepared();
  const { url } = await authorization(app, hint);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  const location = await new Promise<string | undefined>((resolve, reject) => {
    httpRequest(url, { headers }, (answer) => resolve(answer.resume().headers.location))
      .on('error', reject)
      .end();
  });
  expect(location).toMatch(new RegExp(`^${issuer}/openid/sign-in/`));
  const found = await fetch(`${issuer}/.well-known/openid-configuration`, { headers });
  expect(JSON.stringify(await found.json())).not.toContain('evil');
});
