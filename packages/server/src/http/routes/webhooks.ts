import { endpoints } from '@wajah/contract';
import type { ClientWebhooks } from '../../services/webhooks/ports.ts';
import { deliveryView, webhookView } from '../views/records.ts';
import type { Mount } from './ports.ts';

/** Webhooks of the client. */
export function webhookRoutes(
  mount: Mount,
  { clientWebhooks: webhooks }: { readonly clientWebhooks: ClientWebhooks },
): void {
  mount(endpoints.createWebhook, async (caller, request) => {
    const { id, url, types, secret } = await webhooks.create(caller, request);
    return { webhook_id: id, url, types: types && [...types], secret };
  });

  mount(endpoints.listWebhooks, async (caller) => ({
    on: webhooks.on,
    webhooks: (await webhooks.list(caller)).map(webhookView),
  }));

  mount(endpoints.updateWebhook, webhooks.update);

  mount(endpoints.rotateWebhookSecret, async (caller, request) => {
    const { secret, formerUntil } = await webhooks.rotate(caller, request);
    return { secret, former_until: formerUntil.toISOString() };
  });

  mount(endpoints.testWebhook, async (caller, request) => {
    const error = await webhooks.test(caller, request);
    return { delivered: error === null, error };
  });

  mount(endpoints.listWebhookDeliveries, async (caller, request) => ({
    deliveries: (await webhooks.deliveries(caller, request)).map(deliveryView),
  }));

  mount(endpoints.deleteWebhook, webhooks.remove);
}
