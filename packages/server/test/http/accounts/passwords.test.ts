import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOnStore } from '../../support/on-store.ts';
import { storeKinds } from '../../support/postgres.ts';
import { runWajah } from '../../support/run-wajah.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import type { TestApp, TestClient } from '../../support/test-app.ts';

describe.each(storeKinds)('passwords, with %s', (kind) => {
  let env: Record<string, string>;
  let server: TestApp;
  let client: TestClient;
  let apiToken: string;

  beforeAll(async () => {
    ({ server, env } = await startOnStore(kind, { WAJAH_LOG_LEVEL: 'trace' }));
  });
  beforeEach(async () => {
    client = await server.client();
    apiToken = (await client.call(endpoints.createApiToken, { name: 'door', scopes: ['read'] })).body.token;
  });

  const reset = (...args: string[]) => runWajah(env, 'client', 'reset-password', client.id, ...args);
  const login = async (password: string) =>
    (await server.call(undefined, endpoints.clientToken, { client_id: client.id, password })).http;
  const works = async (token: string) => (await server.call(token, endpoints.getCounters)).http;

  function passwordFile(line: string, mode = 0o600): string {
    const file = join(temporaryDirectory(), 'password');
    writeFileSync(file, line, { mode });
    return file;
  }

  describe('client reset-password', () => {
    it('prints a new password, once, and revokes the tokens of this client', async () => {
      const other = await server.client();
      const { code, out, notes } = await reset();
      expect([code, notes]).toEqual([
        0,
        `client_id: ${client.id}\nThe password is not shown again.\nTokens of the client are revoked.`,
      ]);
      expect(out).toMatch(/^[\w-]{32}$/);
      expect([await login(client.password), await login(out)]).toEqual([401, 200]);
      for (const token of [client.token, client.diagnosticsToken, apiToken]) {
        const { http, body } = await server.call(token, endpoints.getCounters);
        expect([http, body.error]).toEqual([401, 'tokenRevoked']);
      }
      expect([await works(other.token), await login(out)]).toEqual([200, 200]);
      const records = await server.context.store.audit.list({ limit: 9, clientId: client.id });
      expect(records.find(({ event }) => event === 'administered')?.facts).toEqual({
        operation: 'reset-password',
        tokens: 'revoked',
      });
      expect(JSON.stringify(records) + server.log()).not.toContain(out);
    });

    it('keeps the tokens when it is told to', async () => {
      const { out } = await reset('--keep-tokens', '--json');
      const { client_id, password } = JSON.parse(out);
      expect([client_id, await login(password), await login(client.password)]).toEqual([client.id, 200, 401]);
      expect([await works(client.token), await works(apiToken)]).toEqual([200, 200]);
    });

    it('takes the first line of a private file, with its blanks, and does not print it', async () => {
      const { code, out, notes } = await reset('--password-file', passwordFile(' Kata Sandi 9 \r\nmore\n'));
      expect([code, out, notes]).toEqual([
        0,
        '',
        `client_id: ${client.id}\nTokens of the client are revoked.`,
      ]);
      expect([await login(' Kata Sandi 9 '), await login('Kata Sandi 9')]).toEqual([200, 401]);
      expect(server.log()).not.toContain('Kata Sandi 9');
    });

    it('changes nothing for a short password, a file that others read or that is not there', async () => {
      const refused = await Promise.all([
        reset('--password-file', passwordFile('short\n')),
        reset('--password-file', passwordFile('a long password\n', 0o644)),
        reset('--password-file', '/nowhere/password'),
        runWajah(env, 'client', 'reset-password', 'nobody'),
      ]);
      expect(refused.map(({ code, out }) => [code, out])).toEqual(refused.map(() => [1, '']));
      expect(refused.map(({ notes }) => notes).join('\n')).toMatch(
        /it has 5 characters.*\n.*mode 644.*\n.*does not exist.*\n.*no client "nobody"/,
      );
      expect([await login(client.password), await works(client.token)]).toEqual([200, 200]);
    });

    it('gives no password to a client of another issuer', async () => {
      const { quota } = (await server.context.store.clients.get(client.id))!;
      const clientId = `of another issuer, ${kind}`.replace(/[^a-z]/gi, '-');
      await server.context.store.clients.create({ clientId, passwordHash: null, quota });
      const { code, notes } = await runWajah(env, 'client', 'reset-password', clientId);
      expect([code, notes]).toEqual([1, expect.stringContaining('has no password')]);
    });

    it('refuses the token of a login that the new password overtakes', async () => {
      const { accounts, issuer, store } = server.context;
      const before = (await store.clients.get(client.id))!;
      const { accessToken } = await issuer.issue(before);
      await reset();
      await expect(accounts.authenticate(accessToken)).rejects.toMatchObject({ status: 'unauthorized' });
    });
  });

  describe('a client', () => {
    const change = (fields: object = {}) =>
      server.call(undefined, endpoints.changePassword, {
        client_id: client.id,
        password: client.password,
        new_password: ' kata sandi baru ',
        ...fields,
      });

    it('changes its password, which revokes its access tokens', async () => {
      const other = await server.client();
      const { http, body, headers } = await change();
      expect([http, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 86_400 });
      expect([await login(client.password), await login(' kata sandi baru ')]).toEqual([401, 200]);
      for (const token of [client.token, client.diagnosticsToken])
        expect((await server.call(token, endpoints.getCounters)).body.error).toBe('tokenRevoked');
      expect([await works(body.access_token), await works(apiToken), await works(other.token)]).toEqual([
        200, 200, 200,
      ]);
      await server.context.events.settled();
      const records = await server.context.store.audit.list({ limit: 9, clientId: client.id });
      const [record] = records.filter(({ event }) => event === 'password_changed');
      expect(record?.facts).toEqual({ api_tokens: 'kept' });
      expect(JSON.stringify(records) + server.log()).not.toMatch(/kata sandi baru/);
    });

    it('revokes its API tokens too when it says so, and keeps the scope that it asks for', async () => {
      const { body } = await change({ revoke_api_tokens: true, scope: 'diagnostics' });
      expect([body.scope, await works(body.access_token), await works(apiToken)]).toEqual([
        'diagnostics',
        200,
        401,
      ]);
      const { scopes } = await server.context.accounts.authenticate(body.access_token);
      expect(scopes).toContain('diagnostics');
    });

    it('needs the present password, and learns nothing of who exists', async () => {
      const wrong = await change({ password: 'a wrong password' });
      const nobody = await change({ client_id: 'nobody-here' });
      expect([wrong.http, wrong.body.error_code]).toEqual([401, 'wrongCredentials']);
      expect({ ...nobody.body, trx_id: '' }).toEqual({ ...wrong.body, trx_id: '' });
      for (const new_password of [undefined, 'seven 7', 'x'.repeat(1025)]) {
        const { http, body } = await change({ new_password });
        expect([http, body.error_code]).toEqual([400, 'newPasswordLength']);
      }
      expect([await login(client.password), await works(client.token)]).toEqual([200, 200]);
    });

    it('is limited in guesses together with logins', async () => {
      const failures = 10;
      const guesses: number[] = [];
      for (let i = 0; i <= failures; i++)
        guesses.push(
          i % 2 === 0 ? (await change({ password: `guess ${i}` })).http : await login(`guess ${i}`),
        );
      expect(guesses).toEqual([...Array.from({ length: failures }, () => 401), 429]);
      expect((await change()).http).toBe(429);
    });

    it('changes it once, of concurrent calls', async () => {
      const both = await Promise.all([
        change({ new_password: 'password one' }),
        change({ new_password: 'password two' }),
      ]);
      expect(both.map(({ http }) => http).sort()).toEqual([200, 401]);
      const [first, second] = [await login('password one'), await login('password two')];
      expect([first, second].sort()).toEqual([200, 401]);
      const token = both.find(({ http }) => http === 200)!.body.access_token;
      expect(await works(token)).toBe(200);
    });
  });
});
