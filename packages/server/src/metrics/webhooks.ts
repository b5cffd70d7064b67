import { Counter, type Registry } from 'prom-client';
import type { DeliveryObserver } from '../services/webhooks/dispatcher.ts';

/** Adds the count of attempts to deliver webhooks. */
export function webhookMetrics(registry: Registry): DeliveryObserver {
  const attempts = new Counter({
    name: 'wajah_webhook_deliveries_total',
    help: 'Attempts to deliver a webhook event: delivered, failed (it is tried again), dead (it is given up)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['delivered', 'failed', 'dead']) attempts.inc({ outcome }, 0);
  return { attempted: (outcome) => attempts.inc({ outcome }) };
}
