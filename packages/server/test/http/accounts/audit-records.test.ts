import { endpointList, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import type { AdminOperations, OperationInput } from '../../../src/operations/table.ts';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';
import { readyFields } from '../fixture.ts';

const engine = await sharedEngine();
const [server, pictures] = await Promise.all([
  startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_WEBHOOKS: 'true' }, { engine }),
  drawPictures(),
]);

const listed = { since: null, before: null, clientId: null, event: null, limit: 100 };

/** The records that `work` leaves. Records are written in order, so that a last one of the operator ends the wait. */
async function recordsOf<T>(client: TestClient, work: () => Promise<T>) {
  const { admin } = server.context;
  const last = async () => {
    await admin.setQuota({ clientId: client.id, quota: {} });
    const [newest] = await admin.listAudit({ ...listed, limit: 1 });
    return newest!.number!;
  };
  const [before, result, after] = [await last(), await work(), await last()];
  const all = await admin.listAudit(listed);
  return { result, records: all.filter(({ number }) => number! > before && number! < after) };
}

/** A client that has enrolled `ani`. */
async function ownerOfAni(): Promise<TestClient> {
  const client = await server.client({}, true);
  expect((await client.enrol('ani', pictures.ani)).http).toBe(200);
  return client;
}

const tokenEndpoints = endpointList.filter(({ auth }) => auth === 'token');

describe.each(tokenEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  'a call of %s',
  (id, endpoint) => {
    it('leaves one record when it writes or judges a face, and none otherwise', async () => {
      const client = await ownerOfAni();
      // A registered client changes nothing by registering again.
      if (id === 'register') await client.call(endpoints.deleteClient);
      const fields: Record<string, unknown> = await readyFields(endpoint, client, pictures);
      const { result, records } = await recordsOf(client, () => client.call(endpoint, fields));
      expect(result.http).toBe(200);
      const events = records.map(({ event }) => event);
      // A new client is registered, which is an event of its own.
      const own = id === 'createClient' ? events.filter((event) => event !== 'client_registered') : events;
      expect(own).toEqual(endpoint.audits === null ? [] : [endpoint.audits]);
      const erased = id === 'deleteClient';
      // The client that an act of an operator concerns; the operator is a fact.
      const operates = endpoint.scope === 'operate';
      const whom = id === 'eraseClient' ? null : operates ? fields['client_id'] : client.id;
      for (const { trx_id, client_id, facts } of records.filter(({ event }) => event === endpoint.audits)) {
        expect([trx_id, client_id]).toEqual(erased ? [null, null] : [`good-${id}`, whom]);
        expect(facts['by']).toBe(operates ? client.id : undefined);
      }
    });

    it('leaves one record when it is refused', async () => {
      const client = await server.client({}, true);
      const { result, records } = await recordsOf(client, () =>
        server.app.inject({
          method: endpoint.methods[0],
          url: endpoint.path,
          headers: { accesstoken: client.token, 'content-type': 'application/json', 'x-trx-id': 'bad' },
          payload: '{',
        }),
      );
      expect(result.statusCode).toBe(400);
      const facts = { refusal: 'malformed', route: endpoint.path };
      expect(records).toMatchObject([{ event: 'refused', trx_id: 'bad', client_id: client.id, facts }]);
    });
  },
);

it('a token that is revoked by the password of its client is recorded', async () => {
  const client = await server.client();
  const body = { client_id: client.id, password: client.password, trx_id: 'by-password' };
  const { result, records } = await recordsOf(client, () =>
    server.call(client.token, endpoints.revokeToken, body),
  );
  expect(result.http).toBe(200);
  expect(records).toMatchObject([{ event: 'token_revoked', client_id: client.id, trx_id: 'by-password' }]);
});

/** Inputs of the operator's acts, and of what only reads. */
type Inputs = {
  readonly [O in keyof AdminOperations]?: (
    client: TestClient,
    token: { readonly id: string; readonly gallery: number },
  ) => OperationInput<O>;
};

const spec = '{"pack":"other"}';
const time = '2026-01-31T00:00:00.000Z';
const none = { clientId: null, galleryId: null };
const acts: Inputs = {
  createClient: () => ({ clientId: 'made-by-the-operator', quota: {} }),
  setQuota: ({ id }) => ({ clientId: id, quota: { hits: 5 } }),
  setOperator: ({ id }) => ({ clientId: id, operator: true }),
  resetPassword: ({ id }) => ({ clientId: id }),
  createSignInLink: ({ id }) => ({ clientId: id }),
  createToken: ({ id }) => ({ clientId: id, name: 'door', days: null }),
  revokeToken: (_, { id }) => ({ token: id }),
  setGalleryThreshold: ({ id, gallery }) => ({ clientId: id, galleryId: gallery, threshold: 0.7 }),
  setGalleryLiveness: ({ id, gallery }) => ({ clientId: id, galleryId: gallery, required: false }),
  setGalleryConsent: ({ id, gallery }) => ({ clientId: id, galleryId: gallery, required: false }),
  setGalleryRetention: ({ id, gallery }) => ({ clientId: id, galleryId: gallery, days: 7 }),
  setGalleryCohort: ({ id, gallery }) => ({ clientId: id, galleryId: gallery, mode: 'frozen' }),
  installCalibration: ({ id, gallery }) => ({ clientId: id, galleryId: gallery, calibration: null }),
  beginMigration: (_, { gallery }) => ({ gallery, embeddingSpec: spec }),
  eraseCrops: ({ id, gallery }) => ({ clientId: id, galleryId: gallery }),
  deleteClient: ({ id }) => ({ clientId: id }),
};
const reads: Inputs = {
  listClients: () => ({}),
  listTokens: ({ id }) => ({ clientId: id }),
  listGalleries: ({ id }) => ({ clientId: id }),
  findGalleries: () => none,
  measureImpostors: () => ({ ...none, embeddingSpec: spec }),
  nextFaces: (_, { gallery }) => ({ gallery, embeddingSpec: spec, after: 0, limit: 1 }),
  listAudit: () => ({ ...listed, limit: 1 }),
  readAudit: () => ({ after: 0, limit: 1 }),
  describeAudit: () => ({}),
  listExpiring: () => ({ ...none, days: 30, limit: 1, cursor: null }),
  processingRecords: ({ id }) => ({ clientId: id, from: time, to: time }),
};
/**
 * Tested with what they need: keys, a backup, people, webhooks; a migration's batches belong to its
 * record.
 */
const elsewhere = [
  'checkGalleries',
  'createWebhook',
  'deleteWebhook',
  'erasePerson',
  'exportPerson',
  'findDuplicates',
  'listDeliveries',
  'listWebhooks',
  'recordBackup',
  'rotateSigningKey',
  'rotateWebhook',
  'storeTemplates',
  'suspendPerson',
  'testWebhook',
  'updatePerson',
];

describe('the operator', () => {
  it.each([
    ...Object.keys(acts).map((name) => [name as keyof AdminOperations, 1] as const),
    ...Object.keys(reads).map((name) => [name as keyof AdminOperations, 0] as const),
  ])('leaves by %s %i record', async (name, count) => {
    const { admin, store } = server.context;
    const [client, bystander] = [await server.client(), await server.client()];
    const { id } = await admin.createToken({ clientId: client.id, name: 'a', days: null });
    const gallery = (await store.galleries.get(client.id, client.gallery))!.id;
    const input = { ...acts, ...reads }[name]!(client, { id, gallery });
    const run = admin[name] as (given: unknown) => Promise<unknown>;
    const { records } = await recordsOf(bystander, () => run(input));
    const operation = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const own = records.filter(({ event }) => event === 'administered');
    expect(own.map(({ facts }) => facts['operation'])).toEqual(count === 0 ? [] : [operation]);
    // A new client is registered as well.
    expect(records.length - own.length).toBe(name === 'createClient' ? 1 : 0);
  });

  it('has no other operation', () => {
    const tested = [...Object.keys(acts), ...Object.keys(reads), ...elsewhere];
    expect(tested.sort()).toEqual(Object.keys(server.context.admin).sort());
  });
});
