import { endpoints, ordinaryScopes } from '@wajah/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { startOnStore } from '../../support/on-store.ts';
import { storeKinds } from '../../support/postgres.ts';
import { runWajah } from '../../support/run-wajah.ts';
import { drawPictures, type TestApp, type TestClient } from '../../support/test-app.ts';

const { listClients, createClient, setClientQuota, resetClientPassword, eraseClient } = endpoints;
const all = [listClients, createClient, setClientQuota, resetClientPassword, eraseClient] as const;
const pictures = await drawPictures();

describe.each(storeKinds)('operators, with %s', (kind) => {
  let env: Record<string, string>;
  let server: TestApp;
  let operator: TestClient;

  beforeAll(async () => {
    ({ server, env } = await startOnStore(kind, { WAJAH_LOG_LEVEL: 'trace' }));
    operator = await server.client({}, true);
  });

  const login = (client_id: string, password: string, scope?: string) =>
    server.call(undefined, endpoints.clientToken, { client_id, password, ...(scope && { scope }) });
  const listed = async (client_id: string) => {
    const { body } = await operator.call(listClients);
    return (body.clients as { client_id: string }[]).find((one) => one.client_id === client_id);
  };

  it('create, list, limit and erase clients, whose secrets are shown once', async () => {
    const made = await operator.call(createClient, { client_id: 'door', n_face: 5, n_api_hits: -1 });
    expect(made.body).toMatchObject({ status: '200', client_id: 'door', password: expect.any(String) });
    const { access_token: token } = (await login('door', made.body.password)).body;
    await server.call(token, endpoints.enrolFace, {
      user_id: 'ani',
      user_name: 'Ani',
      facegallery_id: 'door@trial',
      image: pictures.ani,
    });
    expect(await listed('door')).toMatchObject({
      registered: true,
      operator: false,
      has_password: true,
      limits: { n_api_hits: 2_147_483_647, n_face: 5 },
      used: { n_face: 1, n_facegallery: 1 },
    });
    const again = await operator.call(createClient, { client_id: 'door' });
    expect([again.http, again.body.status, again.body.detail]).toEqual([
      409,
      '427',
      'client_id: door exists already; choose another name',
    ]);
    await operator.call(setClientQuota, { client_id: 'door', n_face: '7' });
    expect(await listed('door')).toMatchObject({ limits: { n_api_hits: 2_147_483_647, n_face: 7 } });
    // What was read can be written.
    await operator.call(setClientQuota, { client_id: 'door', n_api_hits: 2_147_483_647 });
    expect((await server.context.store.clients.get('door'))?.quota.hits).toBe(-1);

    const erased = await operator.call(eraseClient, { client_id: 'door' });
    expect(erased.body).toMatchObject({
      n_facegallery: 1,
      n_face: 1,
      receipt: { number: expect.any(Number) },
    });
    expect(await listed('door')).toBeUndefined();
    expect((await server.call(token, endpoints.getCounters)).http).toBe(401);
    const gone = await operator.call(eraseClient, { client_id: 'door' });
    expect([gone.http, gone.body.status]).toEqual([404, '426']);
    expect(server.log()).not.toContain(made.body.password);
  });

  it('leave their acts in the audit trail, with who acted, and no secret', async () => {
    await operator.call(createClient, { client_id: 'audited', trx_id: 'by-hand' });
    await operator.call(setClientQuota, { client_id: 'audited', n_face: 5 });
    const { body } = await operator.call(resetClientPassword, { client_id: 'audited' });
    const of = async (clientId?: string) =>
      (await server.context.store.audit.list({ limit: 9, clientId, event: 'administered' })).map(
        ({ facts, trxId }) => ({ ...facts, trxId }),
      );
    const records = await of('audited');
    expect(records).toMatchObject([
      { operation: 'reset-password', by: operator.id, tokens: 'revoked' },
      { operation: 'set-quota', by: operator.id, faces: 5 },
      { operation: 'create-client', by: operator.id, trxId: 'by-hand' },
    ]);
    expect(JSON.stringify(records)).not.toContain(body.password);
    await operator.call(eraseClient, { client_id: 'audited' });
    expect(await of('audited')).toEqual([]);
    expect(await of()).toContainEqual(
      expect.objectContaining({ operation: 'delete-client', by: operator.id, galleries: 1, faces: 0 }),
    );
  });

  it('see counts of other clients alone: no gallery, no person', async () => {
    const other = await server.client();
    await other.enrol('ani', pictures.ani, { user_name: 'Ani Lestari' });
    const { body } = await operator.call(listClients);
    expect(JSON.stringify(body)).not.toMatch(/@trial|Ani Lestari|"ani"/);
    const asked = { facegallery_id: other.gallery, user_id: 'ani' };
    for (const endpoint of [endpoints.listFaces, endpoints.describeFace])
      expect((await operator.call(endpoint, asked)).body.status).toBe('416');
  });

  it.each(all)('$id is refused to everybody else', async (endpoint) => {
    const client = await server.client();
    const fields = { client_id: 'somebody' };
    const held = await login(client.id, client.password, 'diagnostics operate');
    expect(held.body.scope).toBe('diagnostics');
    for (const token of [client.token, held.body.access_token]) {
      const { http, body } = await server.call(token, endpoint, fields);
      expect([http, body.status, body.error]).toEqual([403, '403', 'scopeMissing']);
      expect(body.params.needed).toBe('operate');
    }
    // Not asked for, or of an API token that names none.
    const plain = await login(operator.id, operator.password);
    const apiToken = await operator.call(endpoints.createApiToken, { name: 'all', scopes: ordinaryScopes });
    for (const token of [plain.body.access_token, apiToken.body.token])
      expect((await server.call(token, endpoint, fields)).body.error).toBe('scopeMissing');
    // An operator no longer: the scope of a token is not enough.
    const former = await server.client({}, true);
    expect((await former.call(listClients)).http).toBe(200);
    expect((await runWajah(env, 'client', 'set-operator', former.id, 'no')).code).toBe(0);
    const refused = await former.call(endpoint, fields);
    expect([refused.http, refused.body.error]).toEqual([403, 'operatorOnly']);
    expect(await listed('somebody')).toBeUndefined();
  });

  it('are changed by commands alone: none is made, taken over or removed over HTTP', async () => {
    const second = await server.client({}, true);
    for (const { id } of [second, operator]) {
      for (const endpoint of [resetClientPassword, eraseClient]) {
        const { http, body } = await operator.call(endpoint, { client_id: id });
        expect([http, body.error]).toEqual([403, 'clientIsOperator']);
      }
    }
    await operator.call(createClient, { client_id: 'would-be', operator: true });
    expect(await listed('would-be')).toMatchObject({ operator: false });
    expect((await login(second.id, second.password)).http).toBe(200);
  });

  it('read the list page by page, and are told what is malformed', async () => {
    const { body } = await operator.call(listClients);
    const names: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = (await operator.call(listClients, { limit: 2, ...(after && { after }) })).body;
      names.push(...page.clients.map((one: { client_id: string }) => one.client_id));
      if (page.next_after === null) break;
      after = page.next_after;
    }
    expect(names).toEqual(body.clients.map((one: { client_id: string }) => one.client_id));
    for (const [endpoint, fields, detail] of [
      [createClient, { client_id: 'a b' }, /^client_id: "a b" is not allowed/],
      [createClient, { client_id: 'new', n_facegallery: 0 }, /^n_facegallery: 0 leaves no room/],
      [createClient, { client_id: 'new', n_face: -2 }, /^n_face/],
      [setClientQuota, { client_id: operator.id }, /^n_api_hits, n_face, n_facegallery/],
    ] as const) {
      const { http, body: refusal } = await operator.call(endpoint, fields);
      expect([http, refusal.detail]).toEqual([400, expect.stringMatching(detail)]);
    }
    const unknown = await operator.call(setClientQuota, { client_id: 'none', n_face: 1 });
    expect([unknown.http, unknown.body.status]).toEqual([404, '426']);
  });

  it('act as commands do, in one place', async () => {
    const { code, out } = await runWajah(env, 'client', 'create', 'by-command', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([0, { client_id: 'by-command' }]);
    const twice = await runWajah(env, 'client', 'create', 'by-command');
    expect(twice.notes).toMatch(/client_id: by-command exists already/);
    expect((await runWajah(env, 'client', 'delete', 'nobody', '--yes')).notes).toMatch(
      /client_id: there is no client "nobody"; list the clients/,
    );
    expect(await listed('by-command')).toMatchObject({ registered: true });
  });
});
