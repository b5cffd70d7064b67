import { endpoints } from '@wajah/contract';
import type { Mount } from '../../http/routes/ports.ts';
import { wire } from '../../http/views/wire.ts';
import type { ClientWebhooks, WebhookDelivery } from './ports.ts';

/** Webhooks of the client. */
export function webhookRoutes(mount: Mount, webhooks: ClientWebhooks): void {
  mount(endpoints.createWebhook, async (caller, request) => {
    const { id, ...created } = await webhooks.create(caller, request);
    return { webhook_id: id, ...wire(created) };
  });

  mount(endpoints.listWebhooks, async (caller) => ({
    on: webhooks.on,
    webhooks: (await webhooks.list(caller)).map(({ id, secret: _, ...webhook }) => ({
      webhook_id: id,
      ...wire(webhook),
    })),
  }));

  mount(endpoints.updateWebhook, webhooks.update);

  mount(endpoints.rotateWebhookSecret, async (caller, request) =>
    wire(await webhooks.rotate(caller, request)),
  );

  mount(endpoints.testWebhook, async (caller, request) => {
    const error = await webhooks.test(caller, request);
    return { delivered: error === null, error };
  });

  mount(endpoints.listWebhookDeliveries, async (caller, request) => ({
    deliveries: wire(await webhooks.deliveries(caller, request)),
  }));

  mount(endpoints.deleteWebhook, webhooks.remove);
}

/** An event about a person, as an export shows it. */
export const toldView = ({ endpoint, payload, ...delivery }: WebhookDelivery) => ({
  webhook_id: endpoint,
  ...wire(delivery),
  event: JSON.parse(payload),
});
