import { z } from 'zod';
import { endpoint } from '../../endpoints/endpoint.ts';
import { bareRequest, envelope, ok, trx } from '../../endpoints/envelope.ts';
import { name, optionalCount, optionalName, optionalWord, optionalWords } from '../../fields.ts';
import { webhookTypes } from './values.ts';

const deliveryStates = ['pending', 'delivered', 'dead'] as const;

const webhookId = name('Identifier of the webhook, from create-webhook or list-webhooks.');
const time = z.string().meta({ description: 'ISO 8601.' });
const secret = z.string().meta({
  description: 'Signs the events (Standard Webhooks); only this answer contains it.',
});

const maxUrl = 2000;
const createRequest = z.object({
  url: name('https URL that events are posted to, of a public address, without a user name.', maxUrl),
  types: optionalWords('Types of events that are sent. Default: all.', webhookTypes, 1),
  trx_id: trx,
});
const webhookRequest = z.object({ webhook_id: webhookId, trx_id: trx });
const updateRequest = z.object({
  webhook_id: webhookId,
  url: optionalName('Another https URL. Default: the present one.', maxUrl),
  types: optionalWords('Types of events that are sent. Default: the present ones.', webhookTypes, 1),
  trx_id: trx,
});
const deliveriesRequest = z.object({
  webhook_id: webhookId,
  state: optionalWord('Only events of this state; dead: given up.', deliveryStates),
  limit: optionalCount('Most events in the answer. Default 100.', 1, 1000),
  trx_id: trx,
});

const createAnswer = envelope.extend({
  webhook_id: z.string(),
  url: z.string(),
  types: z.array(z.enum(webhookTypes)).nullable().meta({ description: 'Null: all.' }),
  secret,
});
const listAnswer = envelope.extend({
  on: z.boolean().meta({ description: 'Whether this server sends webhooks (WAJAH_WEBHOOKS).' }),
  webhooks: z
    .array(
      z.object({
        webhook_id: z.string(),
        url: z.string(),
        types: z.array(z.enum(webhookTypes)).nullable().meta({ description: 'Null: all.' }),
        enabled: z
          .boolean()
          .meta({ description: 'false: its receiver has answered 410 Gone; update-webhook.' }),
        disabled_reason: z
          .string()
          .nullable()
          .meta({ description: 'Why no events are sent; null: they are.' }),
        dropped: z
          .int()
          .meta({ description: 'Events that were not kept, because too many waited for the webhook.' }),
        created_at: time,
      }),
    )
    .meta({ description: 'In the order of their creation, also those that the operator created.' }),
});
const rotateAnswer = envelope.extend({
  secret,
  former_until: time.meta({ description: 'Until then the former secret signs too, ISO 8601.' }),
});
const testAnswer = envelope.extend({
  delivered: z.boolean(),
  error: z.string().nullable().meta({ description: 'Why it was not delivered.' }),
});
/** An event on its way to a webhook. */
const delivery = z.object({
  event_id: z.string(),
  type: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int().meta({ description: 'Attempts that failed.' }),
  error: z.string().nullable().meta({ description: 'Of the last attempt.' }),
  created_at: time,
  next_at: time.meta({
    description: 'Of a pending event when it is sent next, else when it was done, ISO 8601.',
  }),
});
const deliveriesAnswer = envelope.extend({
  deliveries: z.array(delivery).meta({ description: 'The newest first.' }),
});

/** Field of an export of a person. */
export const webhookExport = {
  webhook_events: z
    .array(
      delivery.extend({
        webhook_id: z.string(),
        event: z.record(z.string(), z.unknown()).meta({ description: 'What is sent.' }),
      }),
    )
    .meta({
      description: 'Events about the user that wait; once sent or given up they do not name the user.',
    }),
};

export const webhookExportExample = { webhook_events: [] };

const common = { tag: 'client', hit: 'never' } as const;
const listed = { ...common, methods: ['GET', 'POST'] } as const;
const webhook_id = 'wh_019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11';
const url = 'https://example.com/wajah';
const shown = 'whsec_R2Vl…';
const at = '2026-01-31T12:00:00.000Z';

/** Webhooks that a client manages itself. */
export const webhookExtensions = {
  createWebhook: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/client/create-webhook',
    command: { usage: 'webhook create <client_id> <url>', options: { types: 'types <list>' } },
    access: 'webhooks',
    repeatable: false,
    audits: 'webhook_changed',
    summary: 'Creates a webhook of the client; only this answer contains its secret.',
    request: createRequest,
    answer: createAnswer,
    example: {
      request: { url, types: ['face.identified'] },
      answer: { ...ok, webhook_id, url, types: ['face.identified'], secret: shown },
    },
  }),
  listWebhooks: endpoint({
    ...listed,
    path: '/face-api/client/list-webhooks',
    command: 'webhook list <client_id>',
    access: 'webhooks',
    repeatable: true,
    audits: null,
    summary: 'Lists the webhooks of the client, without their secrets.',
    request: bareRequest,
    answer: listAnswer,
    example: {
      request: {},
      answer: {
        ...ok,
        on: true,
        webhooks: [
          { webhook_id, url, types: null, enabled: true, disabled_reason: null, dropped: 0, created_at: at },
        ],
      },
    },
  }),
  updateWebhook: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/client/update-webhook',
    access: 'webhooks',
    repeatable: false,
    audits: 'webhook_changed',
    summary:
      'Changes the URL or the events of a webhook; one that its receiver has stopped (410) is sent events again.',
    request: updateRequest,
    answer: envelope,
    refusals: ['webhookNotFound'],
    example: { request: { webhook_id, types: ['face.identified'] }, answer: ok },
  }),
  rotateWebhookSecret: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/client/rotate-webhook-secret',
    command: 'webhook rotate <webhook_id>',
    operator: { client: 'optional' },
    access: 'webhooks',
    repeatable: false,
    audits: 'webhook_changed',
    summary: 'Replaces the secret of a webhook; the former one signs too for a day.',
    request: webhookRequest,
    answer: rotateAnswer,
    refusals: ['webhookNotFound'],
    example: { request: { webhook_id }, answer: { ...ok, secret: shown, former_until: at } },
  }),
  testWebhook: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/client/test-webhook',
    command: 'webhook test <webhook_id>',
    operator: { client: 'optional' },
    access: 'webhooks',
    repeatable: false,
    audits: null,
    summary: 'Sends an event of the type webhook.test at once, and says whether it was delivered.',
    request: webhookRequest,
    answer: testAnswer,
    refusals: ['webhookNotFound'],
    example: { request: { webhook_id }, answer: { ...ok, delivered: false, error: 'answered 500' } },
  }),
  listWebhookDeliveries: endpoint({
    ...listed,
    path: '/face-api/client/list-webhook-deliveries',
    command: {
      usage: 'webhook deliveries <webhook_id>',
      options: { state: 'state <state>', limit: 'limit <n>' },
    },
    operator: { client: 'optional' },
    access: 'webhooks',
    repeatable: true,
    audits: null,
    summary: 'Lists the events of a webhook that wait, were delivered or were given up.',
    request: deliveriesRequest,
    answer: deliveriesAnswer,
    refusals: ['webhookNotFound'],
    example: {
      request: { webhook_id, state: 'dead', limit: 1 },
      answer: {
        ...ok,
        deliveries: [
          {
            event_id: '019a9f4e-8f7c-7d2a-9c1e-0242ac120002',
            type: 'face.identified',
            state: 'dead',
            attempts: 10,
            error: 'answered 500',
            created_at: at,
            next_at: at,
          },
        ],
      },
    },
  }),
  deleteWebhook: endpoint({
    ...common,
    methods: ['DELETE', 'POST'],
    path: '/face-api/client/delete-webhook',
    command: 'webhook delete <webhook_id>',
    operator: { client: 'optional' },
    access: 'webhooks',
    repeatable: false,
    audits: 'webhook_changed',
    summary: 'Deletes a webhook of the client, with the events that wait for it.',
    request: webhookRequest,
    answer: envelope,
    refusals: ['webhookNotFound'],
    example: { request: { webhook_id }, answer: ok },
  }),
};
