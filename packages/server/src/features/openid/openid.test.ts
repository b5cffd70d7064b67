import { createHash } from 'node:crypto';
import { endpoints } from '@wajah/contract';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { filmOf } from '../../../test/support/film.ts';
import { serveHttp } from '../../../test/support/http-server.ts';
import { newClient } from '../../../test/support/liveness-sessions.ts';
import {
  authorization,
  newApp,
  newBrowser,
  perform,
  signIn,
  startOpenid,
} from '../../../test/support/openid.ts';
import { noPostgres, storeKinds } from '../../../test/support/postgres.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { startTestApp } from '../../../test/support/test-app.ts';
import { createOpenidStore } from './store.ts';

const ani = await filmOf('ani');

describe.each(storeKinds)('an app on %s', async (kind) => {
  const started = await startOpenid(kind);
  const { server, issuer } = started;
  const prepared = async (more: object = {}) => {
    const client = await newClient(server);
    await client.enrol('ani', await ani.frame('face front', 9));
    return { client, app: await newApp(started, client, more) };
  };
  const rows = (client_id: string) =>
    server.context.store.part('test', (db) => ({
      states: () => db.all<object>('SELECT * FROM openid_states WHERE client_id = $1', client_id),
      apps: () => db.all<object>('SELECT * FROM openid_apps WHERE client_id = $1', client_id),
    }));

  it('signs a person in whom it names, with a new session', async () => {
    const { app } = await prepared();
    const before = Math.floor(Date.now() / 1000);
    const { back, checks } = await signIn(app, ani, { login_hint: 'ani' });
    const tokens = await oidc.authorizationCodeGrant(app.config, back, checks);
    expect(tokens.claims()).toMatchObject({
      iss: issuer,
      aud: app.id,
      sub: 'ani',
      name: 'name of ani',
      amr: ['face'],
      acr: 'urn:wajah:liveness-session',
    });
    expect(tokens.claims()!.auth_time).toBeGreaterThanOrEqual(before);
    expect(tokens).not.toHaveProperty('refresh_token');
    const told = await oidc.fetchUserInfo(app.config, tokens.access_token, 'ani');
    expect(told).toMatchObject({ sub: 'ani', name: 'name of ani' });
  });

  it('is posted the answer where it asks for that, by the only script that the page allows', async () => {
    const { app } = await prepared();
    const browser = newBrowser();
    const { url } = await authorization(app, { login_hint: 'ani', response_mode: 'form_post' });
    const judged = await perform(browser, await browser.follow(url), ani);
    const resumed = (await browser.open(judged.redirect_url)).headers.get('location')!;
    const answer = await browser.open(resumed);
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(await answer.text()) ?? [];
    const digest = createHash('sha256').update(script).digest('base64');
    expect(answer.headers.get('content-security-policy')).toContain(`script-src 'none' 'sha256-${digest}'`);
  });

  it('is public, and its ID tokens are signed with EdDSA', async () => {
    const { app } = await prepared({ public: true, id_token_alg: 'EdDSA' });
    expect(app.secret).toBeNull();
    oidc.enableNonRepudiationChecks(app.config);
    const { back, checks } = await signIn(app, ani, { login_hint: 'ani' });
    const { id_token = '' } = await oidc.authorizationCodeGrant(app.config, back, checks);
    expect(JSON.parse(Buffer.from(id_token.split('.')[0]!, 'base64url').toString()).alg).toBe('EdDSA');
  });

  it('has whoever stands before the camera identified, where it is registered so', async () => {
    const { app } = await prepared({ identify: true });
    oidc.enableNonRepudiationChecks(app.config);
    const { back, checks } = await signIn(app, ani, {});
    expect((await oidc.authorizationCodeGrant(app.config, back, checks)).claims()!.sub).toBe('ani');
    await server.forgetFrames();
    const stranger = await signIn(app, await filmOf('citra'), {});
    expect(stranger.back.searchParams.get('error')).toBe('access_denied');
  });

  it('leaves nothing that a reader of the store could use, and nothing of who is erased', async () => {
    const { client, app } = await prepared();
    const { back, checks, browser } = await signIn(app, ani, { login_hint: 'ani' });
    const tokens = await oidc.authorizationCodeGrant(app.config, back, checks);
    await browser.follow((await authorization(app, { login_hint: 'ani' })).url);
    const { states, apps } = rows(client.id);
    const stored = await states();
    expect(stored.length).toBeGreaterThanOrEqual(4);
    const text = [...stored, ...(await apps())]
      .flatMap((row) => Object.values(row))
      .map((value) =>
        typeof value === 'string' || typeof value === 'number' ? value : Buffer.from(value ?? []),
      )
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))
      .join(' ');
    for (const secret of [back.searchParams.get('code')!, tokens.access_token, app.secret!])
      expect(text).not.toContain(secret);
    for (const row of stored) expect(row).toMatchObject({ user_id: 'ani' });
    await client.call(endpoints.deleteFace, { user_id: 'ani', facegallery_id: client.gallery });
    expect(await states()).toEqual([]);
  });

  it('is listed and deleted by the operator, with its tokens; and goes with its client', async () => {
    const { client, app } = await prepared();
    const { back, checks } = await signIn(app, ani, { login_hint: 'ani' });
    const { access_token } = await oidc.authorizationCodeGrant(app.config, back, checks);
    const list = () => server.operate(endpoints.listOpenidApps, { client_id: client.id });
    const shown = { app_id: app.id, facegallery_id: client.gallery, public: false, identify: false };
    expect((await list())['apps']).toMatchObject([shown]);
    expect(JSON.stringify(await list())).not.toContain(app.secret);
    await server.operate(endpoints.deleteOpenidApp, { app_id: app.id });
    expect((await list())['apps']).toEqual([]);
    await expect(oidc.fetchUserInfo(app.config, access_token, 'ani')).rejects.toThrow();
    const url = (await authorization(app, { login_hint: 'ani' })).url;
    expect((await newBrowser().open(url)).status).toBe(400);
    await newApp(started, client);
    await server.operate(endpoints.eraseClient, { client_id: client.id });
    const { states, apps } = rows(client.id);
    expect([await states(), await apps()]).toEqual([[], []]);
  });

  it('ends with its gallery: one that is created under that name has none', async () => {
    const { client, app } = await prepared();
    const { back, checks } = await signIn(app, ani, { login_hint: 'ani' });
    const gallery = { facegallery_id: client.gallery };
    await client.call(endpoints.deleteGallery, gallery);
    await client.call(endpoints.createGallery, gallery);
    await client.enrol('ani', await ani.frame('face front', 9));
    await expect(oidc.authorizationCodeGrant(app.config, back, checks)).rejects.toThrow();
    const { states, apps } = rows(client.id);
    expect([await states(), await apps()]).toEqual([[], []]);
    const { url } = await authorization(app, { login_hint: 'ani' });
    expect((await newBrowser().open(url)).status).toBe(400);
  });

  it('is registered for addresses of https, or of this machine, and a gallery that there is', async () => {
    const { client, app } = await prepared();
    const make = (fields: object) =>
      server.operate(endpoints.createOpenidApp, {
        client_id: client.id,
        facegallery_id: client.gallery,
        redirect_uris: ['http://localhost:3000/callback'],
        ...fields,
      });
    for (const uri of [
      'http://app.example/',
      'https://a:b@app.example/',
      'https://*.app.example/callback',
      'https://app.example/#x',
      'app://x',
      '',
    ])
      await expect(make({ redirect_uris: [uri] }), uri).rejects.toThrow();
    await expect(make({ redirect_uris: [] })).rejects.toThrow();
    await expect(make({ facegallery_id: 'none' })).rejects.toThrow();
    await expect(make({ client_id: 'none' })).rejects.toThrow();
    await expect(server.operate(endpoints.deleteOpenidApp, { app_id: 'none' })).rejects.toThrow();
    const { body } = await client.call(endpoints.createOpenidApp, { client_id: client.id });
    expect(body.status).toBe('403');
    expect(app.config.serverMetadata().registration_endpoint).toBeUndefined();
  });

  it('finds the same keys at each start, and removes what has expired', async () => {
    const { client, app } = await prepared();
    await newBrowser().follow((await authorization(app, { login_hint: 'ani' })).url);
    const { states } = rows(client.id);
    expect(await states()).toHaveLength(1);
    await server.context.store.part('test', createOpenidStore).prune(new Date(Date.now() + 3_600_000));
    expect(await states()).toEqual([]);
    const jwks = async (address: string) => (await fetch(`${address}/openid/jwks`)).json();
    const { keys } = await jwks(issuer);
    expect(keys.map(({ alg }: { alg: string }) => alg)).toEqual(['RS256', 'EdDSA']);
    expect(JSON.stringify(keys)).not.toContain('"d"');
    await server.close();
    const again = await startTestApp({ ...started.env }, { directory: started.env['WAJAH_DATA_DIR']! });
    expect((await again.app.inject('/openid/jwks')).json().keys).toEqual(keys);
  });
});

/** A proxy that takes `/wajah` away. @param inside where the next request goes */
async function startProxy(inside: () => string): Promise<string> {
  const { url } = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const {
      host: _,
      connection: __,
      'transfer-encoding': ___,
      'content-length': ____,
      ...headers
    } = request.headers;
    const answer = await fetch(inside() + request.url!.replace(/^\/wajah/, ''), {
      method: request.method!,
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const passed = ['location', 'content-type'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, {
      'set-cookie': answer.headers.getSetCookie(),
      ...Object.fromEntries(passed),
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return `${url}/wajah`;
}

it('a server below a path, which a proxy takes away, is known by its whole address', async () => {
  let inside = '';
  const issuer = await startProxy(() => inside);
  const { server, port } = await startOpenid('a data directory', { WAJAH_PUBLIC_URL: `${issuer}/` });
  inside = `http://127.0.0.1:${port}`;
  const client = await newClient(server);
  await client.enrol('ani', await ani.frame('face front', 9));
  const app = await newApp({ server, issuer }, client);
  for (const [name, address] of Object.entries(app.config.serverMetadata()))
    if (name.endsWith('_endpoint') || name === 'jwks_uri') expect(address, name).toMatch(`${issuer}/openid/`);
  const { back, checks, browser } = await signIn(app, ani, { login_hint: 'ani' });
  for (const { path } of browser.cookies.values()) expect(path).toMatch(/^\/($|wajah\/openid\/)/);
  const tokens = await oidc.authorizationCodeGrant(app.config, back, checks);
  expect(tokens.claims()).toMatchObject({ iss: issuer, sub: 'ani' });
});

it.skipIf(noPostgres)('each request of a sign-in may reach another server of the database', async () => {
  const servers: string[] = [];
  let requests = 0;
  const issuer = await startProxy(() => servers[requests++ % servers.length]!);
  const { server, env, port } = await startOpenid('PostgreSQL', { WAJAH_PUBLIC_URL: issuer });
  const other = await startTestApp({ ...env, WAJAH_DATA_DIR: temporaryDirectory() });
  servers.push(`http://127.0.0.1:${port}`, await other.app.listen({ host: '127.0.0.1', port: 0 }));
  const client = await newClient(server);
  await client.enrol('ani', await ani.frame('face front', 9));
  const app = await newApp({ server, issuer }, client);
  oidc.enableNonRepudiationChecks(app.config);
  for (const _ of servers) {
    const { back, checks } = await signIn(app, ani, { login_hint: 'ani' });
    const tokens = await oidc.authorizationCodeGrant(app.config, back, checks);
    expect(tokens.claims()).toMatchObject({ iss: issuer, sub: 'ani' });
    await server.forgetFrames();
    requests += 1;
  }
});

it('without a public address the server does not start; switched off, it answers nothing of it', async () => {
  await expect(startTestApp({ WAJAH_OPENID: 'true' })).rejects.toThrow('WAJAH_OPENID needs WAJAH_PUBLIC_URL');
  const open = { WAJAH_OPENID: 'true', WAJAH_PUBLIC_URL: 'http://faces.example' };
  await expect(startTestApp(open)).rejects.toThrow('WAJAH_OPENID needs WAJAH_PUBLIC_URL');
  const { app } = await startTestApp({ WAJAH_PUBLIC_URL: 'https://faces.example' });
  expect((await app.inject('/.well-known/openid-configuration')).statusCode).toBe(404);
});
