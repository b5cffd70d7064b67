import { randomBytes } from 'node:crypto';
import { endpoints } from '@wajah/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../../client/src/features/webhooks.ts';
import { freePort, newDatabase, noPostgres } from '../../../test/support/postgres.ts';
import { drawPictures, startTestApp, type TestApp, type TestClient } from '../../../test/support/test-app.ts';
import { startReceiver } from '../../../test/support/webhook-receiver.ts';
import { webhooksOf } from '../../../test/support/webhooks.ts';

const settings = {
  WAJAH_WEBHOOKS: 'true',
  WAJAH_WEBHOOK_NETWORKS: '127.0.0.1',
};
const limits = { features: { webhooks: { attempts: 3, retrySeconds: 0.05 } } };

const pictures = await drawPictures();

/** Creates a webhook as the operator, also while they are off. */
async function createWebhook(server: TestApp, clientId: string, url: string, types: null = null) {
  const made = await webhooksOf(server.context).create(clientId, url, types);
  if (typeof made === 'string') throw new Error(made);
  return made;
}
const deliveries = async (server: TestApp, id: string) =>
  (await webhooksOf(server.context).find(id))!.deliveries(null, 10);

const shared = async () => ({
  WAJAH_DATABASE_URL: await newDatabase(),
  WAJAH_SECRET_KEY: randomBytes(32).toString('hex'),
});

describe.each([
  ['SQLite', false, async () => ({})],
  ['PostgreSQL', noPostgres, shared],
] as const)('webhooks: %s', (_, skipped, environment) => {
  describe.skipIf(skipped)('are', () => {
    let server: TestApp;
    let client: TestClient;
    let who: { user_id: string; facegallery_id: string };
    beforeAll(async () => {
      server = await startTestApp({ ...settings, ...(await environment()) }, { limits });
    });
    beforeEach(async () => {
      client = await server.client();
      who = { user_id: 'ani', facegallery_id: client.gallery };
    });

    const enrol = () => client.enrol('ani', pictures.ani, { user_name: 'Ani', trx_id: 't-1' });
    const create = (url: string, types: string[] | null = null) =>
      createWebhook(server, client.id, url, types as null);

    it('signed, about every kind of event, without pictures', async () => {
      const receiver = await startReceiver();
      const { id, secret } = await create(receiver.url);
      const { facegallery_id } = who;
      let calls = 0;
      /** The event is in the store when the answer is there. */
      const tells = async (answer: Promise<unknown>) => {
        await answer;
        calls += 1;
        const written = await deliveries(server, id);
        expect(written).toHaveLength(calls);
      };
      await tells(enrol());
      await tells(enrol());
      await tells(client.call(endpoints.verifyFace, { ...who, image: pictures.aniAgain }));
      await tells(client.call(endpoints.identifyFace, { facegallery_id, image: pictures.aniAgain }));
      await tells(client.call(endpoints.identifyFace, { facegallery_id, image: pictures.budi }));
      const required = { angle: 'face left', spoof_detection: false };
      const probe = { ...who, image: pictures.budi, face_parameters: required };
      await tells(client.call(endpoints.verifyLiveness, probe));
      await expect.poll(() => receiver.received.length).toBe(6);
      await client.call(endpoints.deleteFace, { ...who, trx_id: 't-2' });
      await expect.poll(() => receiver.received.length).toBe(7);
      const events = await Promise.all(
        receiver.received.map(({ text, headers }) => verifyWebhook(text, headers, secret)),
      );
      const ofType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
      expect(ofType('face.enrolled')).toEqual([{ ...who, trx_id: 't-1', mode: 'new' }]);
      expect(ofType('call.refused')).toMatchObject([
        { ...who, status: '409', endpoint: endpoints.enrolFace.path },
      ]);
      expect(ofType('face.verified')).toMatchObject([{ ...who, verified: true }]);
      expect(ofType('face.identified')).toMatchObject([
        { ...who, identified: true, candidates: 1 },
        { facegallery_id, identified: false },
      ]);
      expect(ofType('liveness.failed')).toMatchObject([
        { ...who, way: 'single', reasons: ['angle', 'user'] },
      ]);
      expect(ofType('face.erased')).toEqual([{ ...who, trx_id: 't-2', reason: 'deleted' }]);
      for (const { text } of receiver.received) expect(text.length).toBeLessThan(600);
      expect(new Set(events.map((event) => event.id)).size).toBe(7);
      const { categories } = (await client.call(endpoints.getProcessingRecords)).body;
      const kept = categories.find(({ data }: { data: string }) => data.startsWith('events for webhooks'));
      expect(kept).toMatchObject({ kept: true });
    });

    it('about a quota of calls that is nearly used up, and used up, once each', async () => {
      const receiver = await startReceiver();
      const { id, secret } = await create(receiver.url, ['quota.reached']);
      await server.context.store.clients.setQuota(client.id, { hits: 20 });
      const calls = Array.from({ length: 30 }, () => client.call(endpoints.listGalleries));
      const refused = (await Promise.all(calls)).filter(({ http }) => http === 403);
      expect(refused.length).toBeGreaterThanOrEqual(10);
      expect(await deliveries(server, id)).toHaveLength(2);
      await expect.poll(() => receiver.received.length).toBe(2);
      const events = await Promise.all(
        receiver.received.map(({ text, headers }) => verifyWebhook(text, headers, secret)),
      );
      // Concurrent calls write their events in any order.
      const shareOf = (data: object) => ('percent' in data ? Number(data.percent) : 0);
      const byShare = events.map(({ data }) => data).sort((a, b) => shareOf(a) - shareOf(b));
      expect(byShare).toEqual([
        { quota: 'n_api_hits', percent: 80, used: 16, limit: 20 },
        { quota: 'n_api_hits', percent: 100, used: 20, limit: 20 },
      ]);
    });

    it('sent only to the client that they are of, of the types that it wants', async () => {
      const [all, some, others] = [await startReceiver(), await startReceiver(), await startReceiver()];
      await create(all.url);
      await create(some.url, ['face.verified']);
      const other = await server.client();
      await createWebhook(server, other.id, others.url);
      await enrol();
      await client.call(endpoints.verifyFace, { ...who, image: pictures.aniAgain });
      await expect.poll(() => all.types().sort()).toEqual(['face.enrolled', 'face.verified']);
      await expect.poll(() => some.types()).toEqual(['face.verified']);
      expect(others.received).toEqual([]);
    });

    it('tried again until they are given up', async () => {
      const receiver = await startReceiver();
      const { id } = await create(receiver.url);
      receiver.answer((_, response) => void response.writeHead(500).end('a stack trace'));
      await enrol();
      const states = async () =>
        (await deliveries(server, id)).map(({ state, attempts, error }) => [state, attempts, error]);
      await expect.poll(states).toEqual([['dead', 3, 'answered 500']]);
      expect(receiver.received).toHaveLength(3);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    });

    it('delivered after the receiver was restarted', async () => {
      const delivery = { attempts: 1000, retrySeconds: 0.05 };
      const stubborn = await startTestApp(
        { ...settings, ...(await environment()) },
        { limits: { features: { webhooks: delivery } } },
      );
      const calling = await stubborn.client();
      const receiver = await startReceiver(await freePort());
      const { id } = await createWebhook(stubborn, calling.id, receiver.url);
      await receiver.close();
      await calling.enrol('ani', pictures.ani);
      await expect.poll(async () => (await deliveries(stubborn, id))[0]?.error).toContain('ECONNREFUSED');
      const again = await startReceiver(receiver.port);
      await calling.enrol('ani', pictures.ani);
      await expect.poll(() => again.types()).toContain('face.enrolled');
    });

    it('erased with the user, delivered or not, but for the one that tells it', async () => {
      const receiver = await startReceiver();
      const { id } = await create(receiver.url);
      receiver.answer((_, response) => void response.writeHead(500).end());
      await enrol();
      const kept = async () => (await deliveries(server, id)).map(({ type }) => type);
      expect(await kept()).toEqual(['face.enrolled']);
      await client.call(endpoints.deleteFace, who);
      expect(await kept()).toEqual(['face.erased']);
    });
  });
});

describe('a webhook', async () => {
  const server = await startTestApp(settings, { limits });
  const client = await server.client();
  const create = async (url: string) => (await createWebhook(server, client.id, url)).id;
  const outcome = async (url: string) => {
    const id = await create(url);
    const { error } = await server.operate(endpoints.testWebhook, { webhook_id: id });
    await server.operate(endpoints.deleteWebhook, { webhook_id: id });
    return error;
  };

  it('follows no redirect', async () => {
    const [receiver, target] = [await startReceiver(), await startReceiver()];
    receiver.answer((_, response) => void response.writeHead(302, { location: target.url }).end());
    expect(await outcome(receiver.url)).toBe('answered 302');
    expect(target.received).toEqual([]);
  });

  it('waits for a slow receiver no longer than its timeout', async () => {
    const impatient = await startTestApp(settings, {
      limits: { features: { webhooks: { timeoutMs: 300 } } },
    });
    const { id: clientId } = await impatient.client();
    const receiver = await startReceiver();
    receiver.answer(() => {});
    const { id } = await createWebhook(impatient, clientId, receiver.url);
    const tested = await impatient.operate(endpoints.testWebhook, { webhook_id: id });
    expect(tested).toMatchObject({ delivered: false, error: 'no answer in 300 ms' });
  });

  it.each([
    'https://127.0.0.2/',
    'https://2130706434/',
    'https://0x7f.2/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'https://0.0.0.0/',
    'https://100.64.0.1/',
  ])('does not reach %s', async (url) => {
    expect(await outcome(url)).toContain('private or special network');
  });

  it('does not use http outside of the networks that the operator allows', async () => {
    expect(await outcome('http://93.184.216.34/')).toContain('use https');
  });

  it('is disabled by a receiver that answers 410', async () => {
    const receiver = await startReceiver();
    const id = await create(receiver.url);
    receiver.answer((_, response) => void response.writeHead(410).end());
    await client.call(endpoints.listFaces, { facegallery_id: 'none' });
    const found = async () => (await webhooksOf(server.context).list(client.id)).find((one) => one.id === id);
    await expect
      .poll(found)
      .toMatchObject({ enabled: false, disabledReason: expect.stringContaining('410') });
  });
});

it('nothing is written or sent while webhooks are off', async () => {
  const receiver = await startReceiver();
  const server = await startTestApp();
  const client = await server.client();
  const { id } = await createWebhook(server, client.id, receiver.url);
  await client.call(endpoints.listFaces, { facegallery_id: 'none' });
  expect(await deliveries(server, id)).toEqual([]);
  expect(receiver.received).toEqual([]);
});
