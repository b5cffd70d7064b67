import { endpoints } from '@wajah/contract';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { filmOf } from '../../../test/support/film.ts';
import { newClient } from '../../../test/support/liveness-sessions.ts';
import { newApp, signIn, startOpenid } from '../../../test/support/openid.ts';
import { noPostgres, storeKinds } from '../../../test/support/postgres.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { startTestApp } from '../../../test/support/test-app.ts';
import { createOpenidStore } from './store.ts';

const ani = await filmOf('ani');
const minuteMs = 60_000;

const jwksOf = async (address: string): Promise<JSONWebKeySet> =>
  (await fetch(`${address}/openid/jwks`)).json();
const kidsOf = async (address: string) => (await jwksOf(address)).keys.map(({ kid }) => kid);

/** Whether an app that reads the keys now takes a token; it is not asked whether the token has expired. */
async function isVerified(issuer: string, token: string): Promise<boolean> {
  const keys = createLocalJWKSet(await jwksOf(issuer));
  return jwtVerify(token, keys, { issuer, currentDate: new Date(0) }).then(
    () => true,
    () => false,
  );
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(storeKinds)('keys that sign ID tokens, on %s', async (kind) => {
  const { server, issuer } = await startOpenid(kind);
  const rotate = (fields: object = {}) =>
    server.operate(endpoints.rotateOpenidKeys, fields) as unknown as Promise<{
      signs_from: string;
      former_until: string;
    }>;
  const prepared = async (more: object = {}) => {
    const client = await newClient(server);
    await client.enrol('ani', await ani.frame('face front', 9));
    const app = await newApp({ server, issuer }, client, more);
    oidc.enableNonRepudiationChecks(app.config);
    const token = async () => {
      await server.forgetFrames();
      const { back, checks } = await signIn(app, ani, { login_hint: 'ani' });
      return (await oidc.authorizationCodeGrant(app.config, back, checks)).id_token!;
    };
    return { client, token };
  };
  const kidOf = (token: string) => decodeProtectedHeader(token).kid!;

  it('are replaced at once where they were stolen', async () => {
    const { token } = await prepared();
    const first = await token();
    const { signs_from, former_until } = await rotate({ at_once: true });
    expect(former_until).toBe(signs_from);
    expect(await isVerified(issuer, first)).toBe(false);
    expect(await kidsOf(issuer)).toHaveLength(2);
    // This app has read the keys less than a minute ago, and does not ask again; another one does.
    await expect(token()).rejects.toThrow('no applicable keys');
    expect(await isVerified(issuer, await (await prepared()).token())).toBe(true);
  });

  it('are replaced by operators only, which is in the audit trail', async () => {
    const { client } = await prepared();
    const before = await kidsOf(issuer);
    const { body } = await client.call(endpoints.rotateOpenidKeys, {});
    expect(body.status).toBe('403');
    expect(await kidsOf(issuer)).toEqual(before);
    await rotate();
    const [record] = await server.context.store.audit.list({ event: 'administered', limit: 1 });
    expect(record!.facts).toMatchObject({ operation: 'rotate-openid-keys', at_once: false });
  });

  it('of two calls at a time both are kept', async () => {
    await rotate({ at_once: true });
    await Promise.all([rotate(), rotate()]);
    expect(await kidsOf(issuer)).toHaveLength(6);
    const keys = server.context.store.part('test', createOpenidStore);
    expect(await keys.replaceKeys('signing', Buffer.from('others'), Buffer.from('x'))).toBe(false);
  });

  // The last two, since the clock is put forward, and back.
  it('are published, then sign, then are the only ones, while apps verify each token that is valid', async () => {
    const apps = [await prepared(), await prepared({ id_token_alg: 'EdDSA' })];
    const tokens = async () => [await apps[0]!.token(), await apps[1]!.token()];
    const verified = (of: readonly string[]) => Promise.all(of.map((token) => isVerified(issuer, token)));
    await rotate({ at_once: true });
    const before = await kidsOf(issuer);
    const first = await tokens();
    expect(first.map(kidOf)).toEqual(before);
    const told = await rotate();
    const published = await kidsOf(issuer);
    expect(published).toEqual([...before, expect.any(String), expect.any(String)]);
    expect(JSON.stringify(await jwksOf(issuer))).not.toMatch(/"d"|signsFrom|until/);
    expect((await tokens()).map(kidOf)).toEqual(before);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(told.signs_from) });
    const second = await tokens();
    expect(second.map(kidOf)).toEqual(published.slice(2));
    expect(Date.parse(told.former_until) - Date.parse(told.signs_from)).toBe(65 * minuteMs);
    vi.setSystemTime(Date.parse(told.former_until) - 1000);
    expect(await verified([...first, ...second])).toEqual([true, true, true, true]);
    vi.setSystemTime(Date.parse(told.former_until));
    expect(await verified([...first, ...second])).toEqual([false, false, true, true]);
    // Erased, not only hidden: at an earlier time they are not there again.
    vi.useRealTimers();
    expect(await kidsOf(issuer)).toEqual(published.slice(2));
  });

  it('are replaced twice within the hour: each signs in its turn, and verifies as long as its tokens', async () => {
    await rotate({ at_once: true });
    const [rsa] = await kidsOf(issuer);
    const [one, two] = [await rotate(), await rotate()];
    const kids = await kidsOf(issuer);
    expect(kids).toHaveLength(6);
    expect(kids[0]).toBe(rsa);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(two.signs_from) });
    expect(await kidsOf(issuer)).toHaveLength(6);
    vi.setSystemTime(Date.parse(one.former_until));
    expect(await kidsOf(issuer)).not.toContain(rsa);
    vi.setSystemTime(Date.parse(two.former_until));
    expect(await kidsOf(issuer)).toHaveLength(2);
  });
});

it.skipIf(noPostgres)('servers of a database publish and sign with the same keys at once', async () => {
  const { server, issuer, env } = await startOpenid('PostgreSQL');
  const other = await startTestApp({ ...env, WAJAH_DATA_DIR: temporaryDirectory() });
  const address = await other.app.listen({ host: '127.0.0.1', port: 0 });
  for (const fields of [{}, { at_once: true }]) {
    await server.operate(endpoints.rotateOpenidKeys, fields);
    const kids = await kidsOf(address);
    expect(kids).toEqual(await kidsOf(issuer));
    expect(kids).toHaveLength('at_once' in fields ? 2 : 4);
  }
});
