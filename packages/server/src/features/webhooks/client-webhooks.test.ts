import { endpoints } from '@wajah/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../../client/src/features/webhooks.ts';
import { startTestApp, type TestClient } from '../../../test/support/test-app.ts';
import { startReceiver } from '../../../test/support/webhook-receiver.ts';

const { createWebhook, listWebhooks, updateWebhook, rotateWebhookSecret, testWebhook, deleteWebhook } =
  endpoints;
const { listWebhookDeliveries, verifyFace } = endpoints;

let client: TestClient;
const server = await startTestApp(
  { WAJAH_WEBHOOKS: 'true', WAJAH_WEBHOOK_NETWORKS: '127.0.0.1' },
  { limits: { features: { webhooks: { attempts: 1 } } } },
);
beforeEach(async () => {
  client = await server.client();
});

const refuse = () => client.call(verifyFace, { user_id: 'ani', facegallery_id: client.gallery, image: '' });

it('a client creates, tests, changes and deletes a webhook, and replaces its secret', async () => {
  const receiver = await startReceiver();
  const made = await client.call(createWebhook, { url: receiver.url, types: 'call.refused' });
  expect(made.body).toMatchObject({
    status: '200',
    types: ['call.refused'],
    secret: expect.stringMatching(/^whsec_/),
  });
  const { webhook_id, secret } = made.body;
  const listed = { webhook_id, url: receiver.url, types: ['call.refused'], enabled: true, dropped: 0 };
  const { body } = await client.call(listWebhooks);
  expect(body.webhooks).toMatchObject([listed]);
  expect(JSON.stringify(body)).not.toContain('secret"');

  expect((await client.call(testWebhook, { webhook_id })).body).toMatchObject({
    delivered: true,
    error: null,
  });
  const rotated = (await client.call(rotateWebhookSecret, { webhook_id })).body;
  await refuse();
  await expect.poll(() => receiver.types()).toEqual(['webhook.test', 'call.refused']);
  const { text, headers } = receiver.received[1]!;
  for (const one of [secret, rotated.secret])
    expect(await verifyWebhook(text, headers, one)).toMatchObject({ type: 'call.refused' });

  await client.call(updateWebhook, { webhook_id, types: 'face.erased' });
  await refuse();
  const changed = { ...listed, types: ['face.erased'] };
  expect((await client.call(listWebhooks)).body.webhooks).toMatchObject([changed]);
  const other = await startReceiver();
  await client.call(updateWebhook, { webhook_id, url: other.url });
  expect((await client.call(listWebhooks)).body.webhooks).toMatchObject([{ ...changed, url: other.url }]);
  const { body: refused } = await client.call(updateWebhook, { webhook_id, url: 'https://10.1.2.3/' });
  expect(refused).toMatchObject({ status: '400', detail: expect.stringContaining('sends nothing to') });
  await client.call(testWebhook, { webhook_id });
  expect(other.types()).toEqual(['webhook.test']);
  expect((await client.call(deleteWebhook, { webhook_id })).body.status).toBe('200');
  expect((await client.call(listWebhooks)).body.webhooks).toEqual([]);
  expect(receiver.received).toHaveLength(2);
});

it('a client sees which events were given up, and ends the stop of a receiver that answered 410', async () => {
  const receiver = await startReceiver();
  receiver.answer((_, response) => void response.writeHead(500).end());
  const { webhook_id } = (await client.call(createWebhook, { url: receiver.url })).body;
  await refuse();
  const dead = async () =>
    (await client.call(listWebhookDeliveries, { webhook_id, state: 'dead' })).body.deliveries;
  await expect.poll(dead).toMatchObject([{ error: 'answered 500', attempts: 1 }]);
  receiver.answer((_, response) => void response.writeHead(410).end());
  await refuse();
  const listed = async () => (await client.call(listWebhooks)).body.webhooks;
  await expect
    .poll(listed)
    .toMatchObject([{ enabled: false, disabled_reason: expect.stringContaining('410') }]);
  receiver.answer((_, response) => void response.writeHead(204).end());
  await client.call(updateWebhook, { webhook_id });
  expect(await listed()).toMatchObject([{ enabled: true, disabled_reason: null, types: null }]);
  const before = receiver.received.length;
  await refuse();
  await expect.poll(() => receiver.received.length).toBe(before + 1);
});

it('a webhook of another client does not exist', async () => {
  const { webhook_id } = (await client.call(createWebhook, { url: 'https://example.com/' })).body;
  const other = await server.client();
  for (const endpoint of [updateWebhook, rotateWebhookSecret, testWebhook, deleteWebhook])
    expect((await other.call(endpoint, { webhook_id })).body.status).toBe('425');
  expect((await other.call(listWebhookDeliveries, { webhook_id })).body.status).toBe('425');
  expect((await client.call(listWebhooks)).body.webhooks).toMatchObject([{ webhook_id, enabled: true }]);
});

it.each([
  ['ftp://example.com/', 'is no https URL'],
  ['example.com', 'is no https URL'],
  ['https://user:secret@example.com/', 'has a user name or password'],
  ['https://10.1.2.3/', 'sends nothing to'],
  ['https://0x7f.2/', 'sends nothing to'],
])('%s is refused', async (url, problem) => {
  const { http, body } = await client.call(createWebhook, { url });
  expect([http, body.status]).toEqual([400, '400']);
  expect(body.detail).toContain(problem);
});

it('there are at most 10 of a client, and 10 tests in a minute', async () => {
  const made = await Promise.all(
    Array.from({ length: 14 }, () => client.call(createWebhook, { url: 'https://localhost/' })),
  );
  expect(made.filter(({ http }) => http === 200)).toHaveLength(10);
  const refused = made.find(({ http }) => http === 403);
  expect(refused?.body.detail).toContain('you have 10 webhooks, the maximum');
  const { webhook_id } = made.find(({ http }) => http === 200)!.body;
  const tests = await Promise.all(Array.from({ length: 12 }, () => client.call(testWebhook, { webhook_id })));
  expect(tests.filter(({ body }) => body.status === '200')).toHaveLength(10);
  expect(tests.find(({ body }) => body.status === '429')?.headers['retry-after']).toBeDefined();
});

describe('a server:', () => {
  it('that sends no webhooks says so', async () => {
    const off = await startTestApp({ WAJAH_WEBHOOK_NETWORKS: '127.0.0.1' });
    const one = await off.client();
    const { http, body } = await one.call(createWebhook, { url: 'https://example.com/' });
    expect([http, body.status]).toEqual([403, '403']);
    expect(body.detail).toContain('WAJAH_WEBHOOKS=true');
  });

  it('one without networks reaches none of its own', async () => {
    const on = await startTestApp({ WAJAH_WEBHOOKS: 'true' });
    const one = await on.client();
    const receiver = await startReceiver();
    const http = await one.call(createWebhook, { url: `http://localhost:${receiver.port}/` });
    expect(http.body.detail).toContain('is no https URL');
    const { webhook_id } = (await one.call(createWebhook, { url: 'https://localhost/' })).body;
    const { body } = await one.call(testWebhook, { webhook_id });
    expect(body).toMatchObject({ delivered: false, error: expect.stringContaining('private') });
    expect(receiver.received).toEqual([]);
  });
});
