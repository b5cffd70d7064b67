import { Counter, Gauge, type Registry } from 'prom-client';
import { inTime } from '../../lib/deadline.ts';
import { onceIn } from '../../lib/periodic.ts';
import { storeTimeoutMs } from '../../metrics/server.ts';
import type { OutboxUse, WebhookStore } from './ports.ts';

const gauges: readonly [name: string, help: string, value: (use: OutboxUse) => number][] = [
  ['pending', 'Webhook events that wait to be delivered', ({ pending }) => pending],
  ['dead', 'Webhook events that were given up and are kept', ({ dead }) => dead],
  ['dropped', 'Webhook events that were not kept because the outbox was full', ({ dropped }) => dropped],
  [
    'oldest_seconds',
    'Age of the oldest webhook event that waits; 0: none waits',
    ({ oldest }) => (oldest === null ? 0 : (Date.now() - oldest.getTime()) / 1000),
  ],
];

/** Adds what is measured of the outbox when `/metrics` is read: NaN while the store does not answer. */
export function measureOutbox(store: Pick<WebhookStore, 'use'>, registry: Registry): void {
  const use = onceIn(() =>
    inTime(
      store.use().catch(() => null),
      storeTimeoutMs,
      () => null,
    ),
  );
  for (const [name, help, value] of gauges) {
    const gauge: Gauge = new Gauge({
      name: `wajah_webhook_${name}`,
      help,
      registers: [registry],
      async collect() {
        const known = await use();
        gauge.set(known ? value(known) : Number.NaN);
      },
    });
  }
}

/** Adds the count of attempts to deliver webhooks. */
export function deliveryAttempts(registry: Registry): Counter<'outcome'> {
  const attempts = new Counter({
    name: 'wajah_webhook_deliveries_total',
    help: 'Attempts to deliver a webhook event: delivered, failed (it is tried again), dead (it is given up)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['delivered', 'failed', 'dead']) attempts.inc({ outcome }, 0);
  return attempts;
}
