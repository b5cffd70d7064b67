import {
  defaultScopes,
  type Endpoint,
  endpointList,
  endpoints,
  operatorEndpoints,
  ordinaryScopes,
  scopeMeanings,
  scopes,
} from '@wajah/contract';
import { describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { textOf } from '../../../src/config/finding.ts';
import { padInstallCommands, padPackMissing } from '../../../src/config/findings.ts';
import { drawPictures, startTestApp } from '../../support/test-app.ts';
import { goodFields, tokenEndpoints } from '../fixture.ts';

const { createApiToken, listApiTokens, revokeApiToken } = endpoints;

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);

describe('API tokens', () => {
  it('are shown once, work, are listed without their secret, and stop working when revoked', async () => {
    const client = await server.client();
    const made = await client.call(createApiToken, {
      name: ' front door ',
      scopes: ordinaryScopes,
      expires_in_days: '30',
    });
    const { token, token_id, ...rest } = made.body;
    expect(rest).toMatchObject({ status: '200', name: 'front door', scopes: ordinaryScopes });
    const days = (Date.parse(rest.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);
    expect((await server.call(token, endpoints.listGalleries)).http).toBe(200);

    const listed = await client.call(listApiTokens);
    expect(listed.body.tokens).toMatchObject([{ token_id, name: 'front door', expires_at: rest.expires_at }]);
    expect(Date.parse(listed.body.tokens[0].last_used_at)).toBeGreaterThan(Date.now() - 60_000);
    expect(JSON.stringify(listed.body)).not.toContain(token.slice(4));
    expect(server.log()).not.toContain(token.slice(4));

    expect((await client.call(revokeApiToken, { token_id })).body.status).toBe('200');
    expect((await server.call(token, endpoints.listGalleries)).http).toBe(401);
    const [revoked] = (await client.call(listApiTokens)).body.tokens;
    expect(Date.parse(revoked.revoked_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('expire', async () => {
    const client = await server.client();
    const { token } = (
      await client.call(createApiToken, { name: 'short', scopes: ['read'], expires_in_days: 1 })
    ).body;
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + 86_400_001);
      const { http, body } = await server.call(token, endpoints.listGalleries);
      expect([http, body.detail]).toEqual([401, expect.stringMatching(/expired/)]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of a gallery identify faces there and do nothing else, and expire when they are not used', async () => {
    const client = await server.client();
    await client.enrol('ani', pictures.ani);
    await client.call(endpoints.createGallery, { facegallery_id: 'other' });
    const screen = { name: 'screen', facegallery_id: client.gallery, expires_in_days: 7 };
    const { token, token_id, scopes: held } = (await client.call(createApiToken, screen)).body;
    expect(held).toEqual(['recognise']);
    const identify = (facegallery_id: string) =>
      server.call(token, endpoints.identifyFace, { facegallery_id, image: pictures.aniAgain });
    expect((await identify(client.gallery)).body).toMatchObject({ return: [{ user_id: 'ani' }] });
    expect((await identify('other')).body).toMatchObject({ status: '403', error: 'tokenOfGallery' });
    for (const endpoint of tokenEndpoints.filter(({ id }) => id !== 'identifyFace')) {
      const { http, body } = await server.call(
        token,
        endpoint,
        goodFields(endpoint, client.gallery, pictures),
      );
      expect([endpoint.id, http, body.error]).toEqual([endpoint.id, 403, 'tokenOfGallery']);
    }
    // The client's own token ends within the test.
    const manager = (await client.call(createApiToken, { name: 'm', scopes: ['manage'] })).body.token;
    const listed = async () => (await server.call(manager, listApiTokens)).body.tokens[0];
    expect(await listed()).toMatchObject({ token_id, facegallery_id: client.gallery });
    expect(await listed()).not.toHaveProperty('compreface');
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      // Three weeks, looked at every six days.
      for (const _ of [1, 2, 3]) {
        vi.setSystemTime(Date.now() + 6 * 86_400_000);
        expect((await identify(client.gallery)).http).toBe(200);
        await expect
          .poll(async () => Date.parse((await listed()).expires_at) - Date.now())
          .toBeCloseTo(7 * 86_400_000, -5);
      }
      vi.setSystemTime(Date.now() + 7 * 86_400_000 + 1);
      expect((await identify(client.gallery)).http).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of a gallery end with it, and not those of others', async () => {
    const [client, other] = [await server.client(), await server.client()];
    await other.call(endpoints.createGallery, { facegallery_id: client.gallery });
    const screen = { name: 'screen', facegallery_id: client.gallery };
    const { token, token_id } = (await client.call(createApiToken, screen)).body;
    const kept = (await client.call(createApiToken, { ...screen, facegallery_id: undefined })).body.token;
    const ofOther = (await other.call(createApiToken, screen)).body.token;
    const identify = (of: string, facegallery_id = client.gallery) =>
      server.call(of, endpoints.identifyFace, { facegallery_id, image: pictures.ani });
    expect((await client.call(endpoints.deleteGallery, screen)).http).toBe(200);
    const { http, body } = await identify(token);
    expect([http, body.error]).toEqual([401, 'tokenRevoked']);
    await client.call(endpoints.createGallery, { facegallery_id: client.gallery });
    await client.enrol('ani', pictures.ani);
    expect((await identify(token)).body.error).toBe('tokenRevoked');
    expect((await identify(kept)).http).toBe(200);
    expect((await identify(ofOther)).http).not.toBe(401);
    const [listed] = (await client.call(listApiTokens)).body.tokens;
    expect(listed).toMatchObject({ token_id, revoked_at: expect.any(String) });
  });

  it('of a gallery need one, take no scopes, and are given by who may identify', async () => {
    const client = await server.client();
    const none = await client.call(createApiToken, { name: 'x', facegallery_id: 'none' });
    expect(none.body).toMatchObject({ error: 'galleryNotFound' });
    const screen = { name: 'x', facegallery_id: client.gallery };
    const scoped = await client.call(createApiToken, { ...screen, scopes: ['read'] });
    expect(scoped.body).toMatchObject({ status: '400', error: 'scopesOfGallery' });
    const manager = (await client.call(createApiToken, { name: 'm', scopes: ['manage'] })).body.token;
    expect((await server.call(manager, createApiToken, screen)).body).toMatchObject({
      error: 'scopeNotHeld',
      params: { scope: 'recognise' },
    });
  });

  it('belong to one client', async () => {
    const [owner, other] = [await server.client(), await server.client()];
    const { token_id, token } = (await owner.call(createApiToken, { name: 'mine', scopes: ['read'] })).body;
    expect((await other.call(listApiTokens)).body.tokens).toEqual([]);
    const foreign = await other.call(revokeApiToken, { token_id });
    const none = await other.call(revokeApiToken, { token_id: 'none' });
    expect([foreign.http, foreign.body.status]).toEqual([404, '422']);
    expect({ ...foreign.body, trx_id: '' }).toEqual({ ...none.body, trx_id: '' });
    expect((await server.call(token, endpoints.listGalleries)).http).toBe(200);
    // A token is revoked by its id only, not by its secret or digest.
    expect((await other.call(revokeApiToken, { token_id: token })).http).toBe(404);
  });

  it('give access to the endpoints of their scopes only', async () => {
    const client = await server.client();
    await client.enrol('ani', pictures.ani);
    // Those that would take away what the others need come last.
    const last = ['deleteFace', 'deleteGallery', 'deleteClient'];
    const rank = ({ id }: Endpoint) => last.indexOf(id);
    const ordered = tokenEndpoints.toSorted((a, b) => rank(a) - rank(b));
    for (const scope of ordinaryScopes) {
      const made = await client.call(createApiToken, { name: scope, scopes: [scope] });
      expect(made.body.scopes).toEqual([scope]);
      for (const endpoint of ordered.filter((one) => one.scope !== scope)) {
        const fields = goodFields(endpoint, client.gallery, pictures);
        const { http, body } = await server.call(made.body.token, endpoint, fields);
        expect([endpoint.id, http, body.status]).toEqual([endpoint.id, 403, '403']);
        expect(body.detail).toContain(`the scope ${endpoint.scope} is needed`);
      }
    }
    const reader = await client.call(createApiToken, { name: 'r', scopes: 'read,recognise' });
    for (const { id } of [endpoints.listFaces, endpoints.identifyFace, endpoints.getCounters]) {
      const endpoint = endpoints[id as 'listFaces'];
      const fields = goodFields(endpoint, client.gallery, pictures);
      expect((await server.call(reader.body.token, endpoint, fields)).body.status).toBe('200');
    }
  });

  it('cannot create a token with more scopes than their own', async () => {
    const client = await server.client();
    const manager = (await client.call(createApiToken, { name: 'm', scopes: ['manage', 'read'] })).body.token;
    const more = await server.call(manager, createApiToken, { name: 'x', scopes: ['read', 'enrol'] });
    expect([more.http, more.body.status]).toEqual([403, '403']);
    expect(more.body.detail).toMatch(/^scopes: .*enrol/);
    const usual = await server.call(manager, createApiToken, { name: 'x' });
    expect([usual.http, usual.body.params]).toEqual([403, { scope: 'recognise' }]);
  });

  it('have the scope diagnostics only when it is named, by a caller who has it', async () => {
    const client = await server.client();
    const named = { name: 'd', scopes: ['recognise', 'diagnostics'] };
    const refused = await client.call(createApiToken, named);
    expect([refused.http, refused.body.detail]).toEqual([
      403,
      expect.stringMatching(/^scopes: .*diagnostics/),
    ]);
    const granted = await server.call(client.diagnosticsToken, createApiToken, named);
    expect(granted.body.scopes).toEqual(['recognise', 'diagnostics']);
  });

  it('have the scope recognise where none is named, whoever creates them', async () => {
    const client = await server.client();
    const { store } = server.context;
    for (const token of [client.token, client.diagnosticsToken]) {
      const { body } = await server.call(token, createApiToken, { name: 'by the client' });
      expect(body.scopes).toEqual(defaultScopes);
      const { http } = await server.call(body.token, endpoints.listGalleries);
      expect(http).toBe(403);
    }
    await server.operate(createApiToken, { name: 'by the operator' }, client.id);
    const stored = await store.tokens.list(client.id);
    expect(stored.map(({ scopes }) => scopes)).toEqual(stored.map(() => defaultScopes));
    expect(stored).toHaveLength(3);
  });

  it('access tokens have the scope diagnostics only when it is asked for', async () => {
    const { id: client_id, password } = await server.client();
    for (const endpoint of [endpoints.clientToken, endpoints.token]) {
      const login = { client_id, password, grant_type: 'client_credentials' };
      expect((await server.call(undefined, endpoint, login)).body).not.toHaveProperty('scope');
      const other = await server.call(undefined, endpoint, { ...login, scope: 'face' });
      expect(other.body).not.toHaveProperty('scope');
      const { body } = await server.call(undefined, endpoint, { ...login, scope: 'face diagnostics' });
      expect(body.scope).toBe('diagnostics');
      const read = await server.context.accounts.authenticate(body.access_token);
      expect(read.scopes).toContain('diagnostics');
    }
  });

  it('are limited to 100 valid ones a client', async () => {
    const client = await server.client();
    const one = () => client.call(createApiToken, { name: 'one of many' });
    const made = await Promise.all(Array.from({ length: 100 }, one));
    expect(made.every(({ http }) => http === 200)).toBe(true);
    const { http, body } = await one();
    expect([http, body.detail]).toEqual([403, expect.stringMatching(/100 tokens/)]);
    await client.call(revokeApiToken, { token_id: made[0]!.body.token_id });
    expect((await one()).http).toBe(200);
  });
});

describe('scopes', () => {
  it('are defined for every endpoint that needs a token, and none is unused', () => {
    const manage = endpointList.filter((one) => one.scope === 'manage');
    // A new endpoint needs a decision on its scope.
    expect(manage.map(({ id }) => id).sort()).toEqual([
      'createApiToken',
      'createGallery',
      'deleteClient',
      'deleteGallery',
      'listApiTokens',
      'register',
      'revokeApiToken',
      'updateGallery',
    ]);
    expect(new Set(tokenEndpoints.map(({ scope }) => scope))).toEqual(
      new Set([...ordinaryScopes, 'operate']),
    );
    expect(Object.keys(scopeMeanings)).toEqual([...scopes]);
  });
});

describe('the status of the server', () => {
  it('is for operator clients only: demo and those created with that right', async () => {
    const other = await server.client();
    const refused = await other.call(endpoints.getStatus);
    expect([refused.http, refused.body.detail]).toEqual([403, expect.stringMatching(/operator/)]);
    await server.operate(operatorEndpoints.setClientOperator, { client_id: other.id, operator: true });
    expect((await other.call(endpoints.getStatus)).http).toBe(200);
    await server.operate(operatorEndpoints.setClientOperator, { client_id: other.id, operator: false });
    expect((await other.call(endpoints.getStatus)).http).toBe(403);
  });

  it('reports version, store, packs and load', async () => {
    const operator = await server.client({}, true);
    await operator.enrol('ani', pictures.ani);
    await operator.call(endpoints.identifyFace, { facegallery_id: operator.gallery, image: pictures.ani });
    const { body } = await operator.call(endpoints.getStatus);
    expect(body).toMatchObject({
      node: process.versions.node,
      embedder: 'mobilefacenet-ms1m',
      engine: { workers: 1, alive: 1, restarts: 0, running: 0, queued: 0, queue: 64, busy: 0 },
      store: { kind: 'sqlite', migration: expect.any(Number) },
      settings: { keep_face_crops: 'gallery', event_days: 30, compat: 'off' },
    });
    expect(body.configuration).toContainEqual({
      name: 'WAJAH_ENGINE_DEADLINE_MS',
      group: 'Engine',
      unit: 'ms',
      value: expect.any(Number),
      default: 10_000,
      changed: expect.any(Boolean),
    });
    expect(body.configuration).toContainEqual({
      name: 'WAJAH_ENGINE_WORKERS',
      group: 'Engine',
      value: 1,
      default: expect.any(Number),
      changed: expect.any(Boolean),
    });
    expect(body.packs).toMatchObject([{ id: 'builtin', in_use: true }]);
    const missing = padPackMissing(loadConfig({}));
    expect(body.findings).toEqual([missing]);
    expect(body.pad).toEqual({ pack: 'none', notice: textOf(missing), install: [...padInstallCommands] });
    expect(body.packs[0].version).not.toBe('');
    expect(body.memory.galleries_loaded).toBeGreaterThan(0);
    expect(body.memory.match_used).toBeGreaterThan(0);
    expect(body.memory.rss).toBeGreaterThan(body.memory.heap_used);
    expect(body.store.bytes).toBeGreaterThan(10_000);
    expect(body.clients).toBe((await server.context.store.clients.list()).length);
    expect(JSON.stringify(body)).not.toMatch(/password|secret|\/tmp\//i);
  });
});
