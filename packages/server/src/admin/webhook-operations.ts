import type { WebhookAdministration } from '../services/webhooks/administration.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../store/webhook-store.ts';
import type { AdminInput } from './inputs.ts';

/** An endpoint without its secret. */
export type WebhookSummary = ReturnType<typeof endpointSummary>;
/** A delivery without what it says. */
export type DeliverySummary = ReturnType<typeof deliverySummary>;

/** Operations on webhooks. */
export function webhookOperations(webhooks: WebhookAdministration) {
  return {
    createWebhook: ({ clientId, url, types }: AdminInput<'createWebhook'>) =>
      webhooks.create(clientId, url, types),
    listWebhooks: async ({ clientId }: AdminInput<'listWebhooks'>) =>
      (await webhooks.list(clientId)).map(endpointSummary),
    rotateWebhook: async ({ id }: AdminInput<'rotateWebhook'>) => {
      const { secret, formerUntil } = await webhooks.rotate(id);
      return { secret, formerUntil: formerUntil.toISOString() };
    },
    setWebhook: ({ id, enabled }: AdminInput<'setWebhook'>) => webhooks.setEnabled(id, enabled),
    deleteWebhook: ({ id }: AdminInput<'deleteWebhook'>) => webhooks.remove(id),
    /** @returns why it was not delivered; null: it was */
    testWebhook: ({ id }: AdminInput<'testWebhook'>) => webhooks.test(id),
    /** @returns how many events are sent again */
    replayWebhook: ({ id, eventId, since, state }: AdminInput<'replayWebhook'>) =>
      webhooks.replay(id, {
        ...(eventId !== null && { eventId }),
        ...(since !== null && { since: new Date(since) }),
        ...(state !== null && { state }),
      }),
    listDeliveries: async ({ id, state, limit }: AdminInput<'listDeliveries'>) =>
      (await webhooks.deliveries(id, state, limit)).map(deliverySummary),
  };
}

function endpointSummary({ id, url, types, enabled, disabledReason, createdAt, dropped }: WebhookEndpoint) {
  return { id, url, types, enabled, disabledReason, createdAt: createdAt.toISOString(), dropped };
}

function deliverySummary({ eventId, type, createdAt, state, attempts, nextAt, error }: WebhookDelivery) {
  const times = { createdAt: createdAt.toISOString(), nextAt: nextAt.toISOString() };
  return { id: eventId, type, state, attempts, ...times, error };
}
