import type { WebhookDelivery, WebhookEndpoint } from '../../store/webhook-store.ts';

/** An endpoint without its secret. */
export function webhookView({
  id,
  url,
  types,
  enabled,
  disabledReason,
  dropped,
  createdAt,
}: WebhookEndpoint) {
  return {
    webhook_id: id,
    ...{ url, types: types && [...types], enabled, dropped },
    disabled_reason: disabledReason,
    created_at: createdAt.toISOString(),
  };
}

/** A delivery without what it says. */
export function deliveryView({
  eventId,
  createdAt,
  nextAt,
  ...delivery
}: Omit<WebhookDelivery, 'endpoint' | 'payload'>) {
  const { type, state, attempts, error } = delivery;
  return {
    event_id: eventId,
    ...{ type, state, attempts, error },
    created_at: createdAt.toISOString(),
    next_at: nextAt.toISOString(),
  };
}
