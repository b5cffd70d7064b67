import { endpointList, endpoints, operatorEndpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';
import { readyFields } from '../fixture.ts';

const engine = await sharedEngine();
const [server, pictures] = await Promise.all([
  startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_WEBHOOKS: 'true' }, { engine }),
  drawPictures(),
]);

/** The records that `work` leaves. Records are written in order, so that a last one of the operator ends the wait. */
async function recordsOf<T>(client: TestClient, work: () => Promise<T>) {
  const { events, store } = server.context;
  const last = async () =>
    (await events.observe('administered', { clientId: client.id, trxId: null }, { operation: 'last' }))!
      .number;
  const [before, result, after] = [await last(), await work(), await last()];
  const all = await store.audit.list({ limit: 100 });
  const own = all.filter(({ link }) => link!.number > before && link!.number < after);
  return {
    result,
    records: own.map(({ clientId, trxId, ...record }) => ({ ...record, client_id: clientId, trx_id: trxId })),
  };
}

/** A client that has enrolled `ani`. */
async function ownerOfAni(): Promise<TestClient> {
  const client = await server.client({}, true);
  expect((await client.enrol('ani', pictures.ani)).http).toBe(200);
  return client;
}

/** Their records have no client: it is erased, or the whole installation is concerned. */
const ofNobody = new Set(['eraseClient', 'rotateOpenidKeys']);

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
      // What comes of them is an event of its own.
      const caused: Readonly<Record<string, string>> = {
        createClient: 'client_registered',
        assignUnknown: 'face_enrolled',
        linkExpected: 'session_opened',
      };
      const further = caused[id];
      const own = events.filter((event) => event !== further);
      expect(own).toEqual(endpoint.audits === null ? [] : [endpoint.audits]);
      const erased = id === 'deleteClient';
      // The client that an act of an operator concerns; the operator is a fact.
      const operates = endpoint.scope === 'operate';
      const whom = ofNobody.has(id) ? null : operates ? (fields['client_id'] ?? client.id) : client.id;
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

/** Fields of what only the operator of the installation does. */
const acts: Readonly<Record<keyof typeof operatorEndpoints, (client: TestClient) => object>> = {
  setClientOperator: ({ id }) => ({ client_id: id, operator: true }),
  createSignInLink: ({ id }) => ({ client_id: id }),
  rotateSigningKey: () => ({}),
  setCohortMode: ({ id, gallery }) => ({ client_id: id, facegallery_id: gallery, action: 'off' }),
  checkGalleries: ({ id }) => ({ client_id: id, erase: true }),
  eraseCrops: ({ id, gallery }) => ({ client_id: id, facegallery_id: gallery }),
  recordBackup: () => ({ bytes: 1 }),
  installCalibration: ({ id, gallery }) => ({ client_id: id, facegallery_id: gallery, calibration: null }),
  measureImpostors: () => ({ embedding_spec: '{"pack":"other"}' }),
};

describe('the operator of the installation', () => {
  it.each(Object.values(operatorEndpoints).map((endpoint) => [endpoint.id, endpoint] as const))(
    'leaves one record by %s when it changes something, and is not served on the network',
    async (id, endpoint) => {
      const [client, bystander] = [await ownerOfAni(), await server.client()];
      const fields = acts[id as keyof typeof acts](client);
      const { records } = await recordsOf(bystander, () => server.operate(endpoint, fields));
      expect(records.map(({ event }) => event)).toEqual(endpoint.audits === null ? [] : [endpoint.audits]);
      for (const { facts } of records) expect(facts['by']).toBeUndefined();
      const { http, body } = await server.call(client.token, endpoint, fields);
      expect([http, body.error]).toEqual([404, 'routeNotFound']);
    },
  );

  it.each(tokenEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'leaves the record of %s as its own, when it acts for a client',
    async (id, endpoint) => {
      const client = await ownerOfAni();
      if (id === 'register') await client.call(endpoints.deleteClient);
      const fields: Record<string, unknown> = await readyFields(endpoint, client, pictures);
      if (id === 'createClient') fields['client_id'] = 'made-at-the-socket';
      const { records } = await recordsOf(client, () => server.operate(endpoint, fields, client.id));
      const own = records.filter(({ event }) => event === endpoint.audits);
      expect(own).toHaveLength(endpoint.audits === null ? 0 : 1);
      for (const { event, facts } of own)
        expect([facts['by'], facts['by_operator']]).toEqual([
          undefined,
          event === 'administered' ? undefined : true,
        ]);
    },
  );
});
