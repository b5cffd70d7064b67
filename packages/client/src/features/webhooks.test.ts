import { expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from './webhooks.ts';

/** The example of the specification of Standard Webhooks. */
const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  now: new Date(1_614_265_330_000),
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};
const { secret, body, now, headers } = example;
const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

it('accepts the example of the specification, with headers of fetch and of Node', async () => {
  for (const given of [headers, new Headers(headers)])
    expect(await verifyWebhook(body, given, secret, { now })).toEqual({ test: 2432232314 });
  expect(await verifyWebhook(new TextEncoder().encode(body), headers, secret, { now })).toBeTruthy();
});

it('accepts one of several signatures and one of several secrets', async () => {
  const several = { ...headers, 'webhook-signature': `v1,AAAA v2,xyz ${headers['webhook-signature']}` };
  expect(await verifyWebhook(body, several, [other, secret], { now })).toBeTruthy();
});

it.each([
  ['a changed body', `${body} `, headers, secret],
  ['another id', body, { ...headers, 'webhook-id': 'msg_2' }, secret],
  ['another secret', body, headers, other],
  ['a missing header', body, { ...headers, 'webhook-id': undefined }, secret],
  ['a signature that is not base64', body, { ...headers, 'webhook-signature': 'v1,***' }, secret],
  ['a secret that is none', body, headers, 'not a secret!'],
])('refuses %s', async (_, text, given, key) => {
  await expect(verifyWebhook(text, given, key, { now })).rejects.toThrow(WebhookError);
});

it('refuses what is older or newer than the tolerance', async () => {
  for (const seconds of [-301, 301]) {
    const clock = new Date(now.getTime() + seconds * 1000);
    await expect(verifyWebhook(body, headers, secret, { now: clock })).rejects.toThrow('300 s');
    expect(await verifyWebhook(body, headers, secret, { now: clock, tolerance: 400 })).toBeTruthy();
  }
});
