import { wordsOf } from '@wajah/contract/refusals';
import { webhookTypes } from '@wajah/contract/values';
import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import type { WebhookEndpoints } from '../services/webhooks/endpoints.ts';
import {
  type Answer,
  argument,
  call,
  command,
  json,
  oneOf,
  operation,
  option,
  pick,
  someOf,
  wholeNumber,
} from './command.ts';
import { type Columns, dayOf, printList } from './terminal.ts';

const clientId = argument('<client_id>');
const id = argument('<webhook_id>');
const webhook = z.object({ id: z.string() });

async function endpointOf(webhooks: WebhookEndpoints, id: string) {
  const endpoint = await webhooks.find(id);
  if (endpoint) return endpoint;
  throw new OperatorError(`There is no webhook ${id}; \`wajah webhook list <client_id>\` lists them`);
}

const listWebhooks = operation('listWebhooks', {
  input: z.object({ clientId: z.string() }),
  act: null,
  /** Without their secrets. */
  run: async ({ webhooks }, { clientId }) => {
    const shown = ['id', 'url', 'types', 'enabled', 'disabledReason', 'createdAt', 'dropped'] as const;
    return (await webhooks.list(clientId)).map((endpoint) => pick(endpoint, shown));
  },
});

const webhookColumns: Columns<Answer<typeof listWebhooks>[number]> = {
  id: ({ id }) => id,
  url: ({ url }) => url,
  types: ({ types }) => types?.join(' ') ?? 'all',
  state: ({ enabled, disabledReason }) => (enabled ? 'enabled' : `disabled ${disabledReason ?? ''}`.trim()),
  dropped: ({ dropped }) => String(dropped),
  created: ({ createdAt }) => dayOf(createdAt),
};

const listDeliveries = operation('listDeliveries', {
  input: webhook.extend({
    state: z.enum(['pending', 'delivered', 'dead']).nullable().default(null),
    limit: z.int().min(1).max(1000),
  }),
  act: null,
  /** Without what they say. */
  run: async ({ webhooks }, { id, state, limit }) =>
    (await (await endpointOf(webhooks, id)).deliveries(state, limit)).map((one) => ({
      id: one.eventId,
      type: one.type,
      state: one.state,
      attempts: one.attempts,
      createdAt: one.createdAt,
      nextAt: one.nextAt,
      error: one.error,
    })),
});

const deliveryColumns: Columns<Answer<typeof listDeliveries>[number]> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  state: ({ state }) => state,
  failures: ({ attempts }) => String(attempts),
  created: ({ createdAt }) => createdAt,
  error: ({ error }) => error ?? '',
};

/** The webhooks of clients, and their deliveries. */
export const webhookCommands = [
  command({
    name: 'webhook',
    heading: 'Clients and galleries:',
    line: 'send signed events of a client to a URL',
    about: 'send signed events of a client to a URL of it; see docs/webhooks.md',
  }),
  call({
    name: 'webhook create',
    about: 'create a webhook; prints the secret that signs its events, once',
    arguments: { clientId, url: argument('<url>') },
    options: {
      types: option(
        '--types <list>',
        `types of events, of ${webhookTypes.join(', ')} (default: all)`,
        someOf(webhookTypes),
      ),
      json,
    },
    calls: operation('createWebhook', {
      /** Types: null: all. */
      input: z.object({
        clientId: z.string(),
        url: z.string(),
        types: z.array(z.enum(webhookTypes)).min(1).nullable().default(null),
      }),
      act: ({ clientId }) => [clientId, {}],
      run: async ({ webhooks }, { clientId, url, types }) => {
        const { maxEndpoints, urlProblem } = await import('../services/webhooks/endpoints.ts');
        const problem = urlProblem(url);
        if (problem !== null) throw new OperatorError(`url: ${JSON.stringify(url)} ${wordsOf(problem)}`);
        const made = await webhooks.create(clientId, url, types);
        if (made === 'gone') throw new OperatorError(`There is no client ${clientId}`);
        if (made === 'full')
          throw new OperatorError(`${clientId} has ${maxEndpoints} webhooks, the most that are allowed`);
        return made;
      },
    }),
    print: ({ id, secret, on }, { json }, { out, note }) => {
      if (json) return out(JSON.stringify({ id, secret }));
      out(secret);
      note(`The webhook is ${id}. The secret is not shown again.`);
      if (!on) note('Nothing is sent while WAJAH_WEBHOOKS is off.');
    },
  }),
  call({
    name: 'webhook list',
    about: 'list the webhooks of a client, without their secrets',
    arguments: { clientId },
    options: { json },
    calls: listWebhooks,
    print: (webhooks, { clientId, json }, terminal) =>
      printList(terminal, webhooks, { json, columns: webhookColumns, empty: `${clientId} has no webhooks.` }),
  }),
  call({
    name: 'webhook rotate',
    about: 'replace the secret; the former one signs too for a day',
    arguments: { id },
    calls: operation('rotateWebhook', {
      input: webhook,
      act: ({ id }) => [null, { webhook_id: id }],
      run: async ({ webhooks }, { id }) => (await endpointOf(webhooks, id)).rotate(),
    }),
    print: ({ secret, formerUntil }, _, { out, note }) => {
      out(secret);
      note(`The former secret signs too until ${formerUntil}.`);
    },
  }),
  call({
    name: 'webhook delete',
    about: 'delete a webhook with its events',
    arguments: { id },
    calls: operation('deleteWebhook', {
      input: webhook,
      act: ({ id }) => [null, { webhook_id: id }],
      run: async ({ webhooks }, { id }) => (await endpointOf(webhooks, id)).remove(),
    }),
    print: (_, __, { out }) => out('Deleted.'),
  }),
  call({
    name: 'webhook test',
    about: 'send an event of the type webhook.test at once',
    arguments: { id },
    calls: operation('testWebhook', {
      input: webhook,
      act: null,
      /** @returns why it was not delivered; null: it was */
      run: async ({ webhooks }, { id }) => (await endpointOf(webhooks, id)).test(),
    }),
    print: (error, _, { out }) => {
      if (error !== null) throw new OperatorError(`Not delivered: ${error}`);
      out('Delivered.');
    },
  }),
  call({
    name: 'webhook deliveries',
    about: 'list events of a webhook, the newest first',
    arguments: { id },
    options: {
      state: option(
        '--state <state>',
        'only these: pending, delivered or dead',
        oneOf(['pending', 'delivered', 'dead']),
      ),
      limit: option('--limit <n>', 'how many', wholeNumber(1, 1000), 50),
      json,
    },
    calls: listDeliveries,
    print: (found, { json }, terminal) =>
      printList(terminal, found, { json, columns: deliveryColumns, empty: 'There are none.' }),
  }),
] as const;
