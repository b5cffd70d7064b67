import type { FeatureParts, OpenFeature } from '../../feature.ts';
import { periodically } from '../../lib/periodic.ts';
import { dayMs, hourMs } from '../../lib/time.ts';
import { createClientWebhooks } from './client-webhooks.ts';
import { type DeliveryLimits, deliveryLimits, startDispatcher } from './delivery.ts';
import { createWebhookEndpoints } from './endpoints.ts';
import { deliveryAttempts, measureOutbox } from './metrics.ts';
import { createOutbox, createWanted } from './outbox.ts';
import type { WebhookEndpoints } from './ports.ts';
import { toldView, webhookRoutes } from './routes.ts';
import { createWebhookStore } from './store.ts';
import { createWebhookVault } from './vault.ts';

/** How long events are kept, days: their receivers may ask what happened. Retries end after two. */
const keptDays = 7;

/** Signed events of clients, sent to their endpoints. */
export function openWebhooks(parts: FeatureParts): OpenFeature & { readonly webhooks: WebhookEndpoints } {
  const { config, masterKey, registry, logger: log } = parts;
  const { on } = config.webhooks;
  const store = parts.store.part('webhooks', createWebhookStore);
  const wanted = createWanted();
  const limits = { ...deliveryLimits, ...(parts.overrides['webhooks'] as Partial<DeliveryLimits>) };
  const opened = {
    store,
    vault: createWebhookVault(masterKey),
    config: { ...config.webhooks, ...limits },
    wanted,
    log,
  };
  measureOutbox(store, registry);
  const attempts = deliveryAttempts(registry);
  const dispatcher = on ? startDispatcher({ ...opened, attempts }) : undefined;
  const outbox = on ? createOutbox({ ...opened, onWritten: dispatcher?.wake }) : undefined;
  const webhooks = createWebhookEndpoints({ ...opened, onChanged: wanted.changed });
  const prune = () => store.prune(new Date(Date.now() - keptDays * dayMs));
  const pruning = periodically(prune, hourMs, log, 'old webhook events were not removed');
  return {
    webhooks,
    subscriber: outbox,
    traces: {
      category: {
        data: 'events for webhooks, of recognitions too, with user_id',
        of: 'people whom a call names or finds',
        kept: on,
        erased: `when they are sent or given up, after ${keptDays} days at the latest`,
      },
      field: 'webhook_events',
      list: async ({ clientId, userId }) => (await store.listOf(clientId, userId)).map(toldView),
      erase: ({ clientId, userId }) => store.forget(clientId, userId),
    },
    mount: (mount, { events }) =>
      webhookRoutes(mount, createClientWebhooks({ store: parts.store, config, events, webhooks })),
    async close() {
      await pruning.stop();
      await outbox?.settled();
      await dispatcher?.stop();
    },
  };
}
