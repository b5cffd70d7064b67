import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointList, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { type CallEndpoint, callAsOperator, callOver, fetchBy } from '../../src/operations/operator-calls.ts';
import { databaseFile } from '../../src/store/data-directory.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { newDatabase, noPostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';

const pictures = await drawPictures();
const server = await startTestApp({ WAJAH_CALLS_PER_MINUTE: '60' });

/** Calls endpoints on the socket of the server. */
const asOperator = <T>(work: (call: CallEndpoint) => Promise<T>) =>
  callAsOperator({ dataDir: server.directory, database: null }, work);

describe("the operator's socket", () => {
  it('is open to the user who runs the server alone', () => {
    const socket = join(server.directory, 'operator.sock');
    expect([statSync(socket).mode & 0o777, statSync(server.directory).mode & 0o077]).toEqual([0o600, 0]);
  });

  it('acts for the client that the header names, without its quota of calls', async () => {
    const client = await server.client({ hits: 3 });
    const { used } = (await server.context.store.clients.get(client.id))!;
    const ani = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery, image: pictures.ani };
    await asOperator((call) => call(endpoints.enrolFace, ani, client.id));
    for (let calls = 0; calls < 4; calls += 1)
      await asOperator((call) => call(endpoints.listFaces, { facegallery_id: client.gallery }, client.id));
    const after = (await server.context.store.clients.get(client.id))!;
    expect([after.used.hits, after.used.faces]).toEqual([used.hits, used.faces + 1]);
    await server.context.events.settled();
    const [record] = await server.context.store.audit.list({ limit: 1, event: 'face_enrolled' });
    expect(record).toMatchObject({ clientId: client.id, facts: { by_operator: true } });
    const own = await client.enrol('budi', pictures.budi);
    expect(own.http).toBe(200);
    await server.context.events.settled();
    const [second] = await server.context.store.audit.list({ limit: 1, event: 'face_enrolled' });
    expect(second!.facts['by_operator']).toBeUndefined();
  });

  it('keeps the quota of faces, refuses an unknown client, and asks for one', async () => {
    const client = await server.client({ faces: 0 });
    const ani = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery, image: pictures.ani };
    await expect(asOperator((call) => call(endpoints.enrolFace, ani, client.id))).rejects.toThrow(
      /^n_face: .* used up/,
    );
    await expect(asOperator((call) => call(endpoints.listGalleries, {}, 'nobody'))).rejects.toThrow(
      'client_id: there is no client "nobody"; list the clients',
    );
    await expect(asOperator((call) => call(endpoints.listGalleries))).rejects.toThrow(/^X-Client/);
    const { clients } = await asOperator((call) => call(endpoints.listClients));
    expect(clients.map(({ client_id }: { client_id: string }) => client_id)).toContain(client.id);
  });

  it('is told the embedder of a gallery, which a client is not', async () => {
    const client = await server.client();
    await client.enrol('ani', pictures.ani);
    const told = await asOperator((call) => call(endpoints.describeGalleries, {}, client.id));
    const { pack, version, embedder } = server.context.engine.embeddingSpec;
    expect(told.facegalleries).toMatchObject([{ pack: `${pack} ${version}`, embedder }]);
    const { body } = await client.call(endpoints.describeGalleries);
    expect(body.facegalleries[0]).not.toHaveProperty('embedder');
  });

  it('is not limited in its rate', async () => {
    const client = await server.client();
    await asOperator(async (call) => {
      for (let calls = 0; calls < 100; calls += 1) await call(endpoints.getCounters, {}, client.id);
    });
    expect((await client.call(endpoints.getCounters)).http).toBe(200);
  });
});

it.each(
  endpointList.filter(({ auth }) => auth === 'token').map((endpoint) => [endpoint.id, endpoint] as const),
)('%s over the network takes the header for nothing', async (_, endpoint) => {
  const client = await server.client();
  const [method] = endpoint.methods;
  const headers = { 'x-client': client.id };
  const open = await server.app.inject({ method, url: endpoint.path, headers });
  expect([open.statusCode, open.json().error]).toEqual([401, 'tokenMissing']);
});

it('over the network a token is that of its own client, whatever the header says', async () => {
  const [one, other] = [await server.client(), await server.client()];
  const headers = { accesstoken: one.token, 'x-client': other.id };
  const listed = await server.app.inject({ url: endpoints.listGalleries.path, headers });
  expect(listed.json().facegallery_id).toEqual([one.gallery]);
});

it('without a server a command says how to start one', async () => {
  const directory = temporaryDirectory();
  const call = () =>
    callAsOperator({ dataDir: directory, database: null }, (it) => it(endpoints.listClients));
  await expect(call()).rejects.toThrow(/holds no installation/);
  await openSqliteStore(databaseFile(directory)).close();
  await expect(call()).rejects.toThrow(/^no server answers in .*: start it with `wajah serve`/);
});

it('a call ends with its signal', async () => {
  const calls = new AbortController();
  const client = await server.client();
  const init = { method: 'POST', headers: { 'x-client': client.id }, signal: calls.signal };
  await callAsOperator({ dataDir: server.directory, database: null }, async (_, fetch) => {
    const answer = fetch(`http://localhost${endpoints.listClients.path}`, init);
    calls.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    await expect(fetch('http://localhost/none', init)).rejects.toThrow(/abort/i);
  });
});

describe.skipIf(noPostgres)('servers of one database', () => {
  const settings = async () => ({
    WAJAH_DATABASE_URL: await newDatabase(),
    WAJAH_SECRET_KEY: 'ab'.repeat(32),
  });

  it('are asked in their data directory, the last one that was started', async () => {
    const [env, directory] = [await settings(), temporaryDirectory()];
    const of = loadConfig({ ...env, WAJAH_DATA_DIR: directory });
    const list = () => callAsOperator(of, (call) => call(endpoints.listClients));
    await expect(list()).rejects.toThrow(/no server answers/);
    const first = await startTestApp(env, { directory });
    const second = await startTestApp(env, { directory });
    await first.client();
    await first.close();
    expect((await list()).clients).toHaveLength(1);
    await second.close();
    await expect(list()).rejects.toThrow(/no server answers/);
  });

  it('run without a socket where the directory cannot be written', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const server = await startTestApp(await settings(), { directory: join(file, 'data') });
    expect(server.log()).toContain('commands do not reach this server: WAJAH_DATA_DIR');
    await server.close();
  });
});

it('a call is made again when the time is over that the app asks to wait for', async () => {
  const busy = { status: 503, headers: { 'retry-after': '0.01' }, body: '{"detail":"the queue is full"}' };
  const answers = [busy, busy, { status: 200, headers: {}, body: '{"status":"200"}' }];
  const call = callOver(fetchBy(async () => answers.shift() ?? { ...busy, headers: {} }));
  expect(await call(endpoints.listClients)).toEqual({ status: '200' });
  await expect(call(endpoints.listClients)).rejects.toThrow('the queue is full');
});
