import { endpoints } from '@wajah/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOnStore } from '../../support/on-store.ts';
import { storeKinds } from '../../support/postgres.ts';
import { runWajah } from '../../support/run-wajah.ts';
import type { TestApp, TestClient } from '../../support/test-app.ts';

describe.each(storeKinds)('a sign-in link, with %s', (kind) => {
  let env: Record<string, string>;
  let server: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    ({ server, env } = await startOnStore(kind, { WAJAH_LOG_LEVEL: 'trace' }));
  });
  beforeEach(async () => {
    client = await server.client();
  });

  const link = (clientId = client.id, more: Record<string, string> = {}) =>
    runWajah({ ...env, ...more }, 'client', 'sign-in-link', clientId);
  const codeOf = (url: string) => url.split('/').at(-1) ?? '';
  const use = (code: string, clientId = client.id) =>
    server.call(undefined, endpoints.clientToken, { client_id: clientId, sign_in_code: code });

  it('issues a token once, and is in no log, trail or table', async () => {
    const { code, out } = await link();
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console#\/sign-in\/[\w@.-]+\/[\w-]{24}$/),
    ]);
    const { http, body } = await use(codeOf(out));
    expect(http).toBe(200);
    const { access_token: token } = body;
    expect((await server.call(token, endpoints.getCounters)).http).toBe(200);
    const again = await use(codeOf(out));
    expect([again.http, again.body.detail]).toEqual([401, expect.stringContaining('the link was used')]);
    const { audit, meta } = server.context.store;
    const records = await audit.list({ limit: 9, clientId: client.id });
    expect(records.find(({ event }) => event === 'administered')?.facts).toEqual({
      operation: 'create-sign-in-link',
    });
    const written = JSON.stringify([records, await meta.get('sign_in_link')]) + server.log();
    expect(written).not.toContain(codeOf(out));
  });

  it('leads to the address that browsers reach the server at', async () => {
    const { out } = await link(client.id, { WAJAH_PUBLIC_URL: 'https://faces.example/wajah/' });
    expect(out).toMatch(/^https:\/\/faces\.example\/wajah\/console#\/sign-in\//);
  });

  it('signs in one of concurrent callers', async () => {
    const code = codeOf((await link()).out);
    const answers = await Promise.all([1, 2, 3].map(() => use(code)));
    expect(answers.map(({ http }) => http).sort()).toEqual([200, 401, 401]);
  });

  it('is of one client, and ends with another link, a new password, or its time', async () => {
    const other = await server.client();
    const first = codeOf((await link()).out);
    expect((await use(first, other.id)).http).toBe(401);
    const second = codeOf((await link()).out);
    expect((await use(first)).http).toBe(401);
    await server.context.accounts.resetPassword(client.id);
    expect((await use(second)).http).toBe(401);
    const third = codeOf((await link()).out);
    const { meta } = server.context.store;
    const stored = JSON.parse((await meta.get('sign_in_link')) ?? '');
    await meta.set('sign_in_link', JSON.stringify({ ...stored, expiresAt: Date.now() - 1 }));
    expect((await use(third)).http).toBe(401);
    expect((await link('nobody')).notes).toContain('no client "nobody"');
  });

  it('is limited as logins are', async () => {
    const failures = [];
    for (let at = 0; at < 12; at += 1) failures.push((await use(`wrong-${at}`)).http);
    expect(failures).toContain(429);
  });
});
