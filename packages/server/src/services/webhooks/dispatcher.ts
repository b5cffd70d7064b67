import type { Config } from '../../config/config.ts';
import { periodically } from '../../lib/periodic.ts';
import type { WebhookVault } from '../../security/vaults/webhook-vault.ts';
import type { WebhookEndpoint, WebhookStore } from '../../store/webhook-store.ts';
import { deliver } from './deliver.ts';
import type { Outbox } from './outbox.ts';

/** Time between two looks into the outbox, milliseconds: other servers write too, and retries come due. */
const pollMs = 1000;
/** Longest time until a retry, seconds. */
const maxBackoffSeconds = 12 * 60 * 60;
/** A lease outlives the answer's time limit by this, milliseconds: the name is resolved in it, too. */
const leaseGraceMs = 15_000;

/** Receives outcomes of attempts. It must not throw. */
export interface DeliveryObserver {
  attempted(outcome: 'delivered' | 'failed' | 'dead'): void;
}

interface DispatcherDependencies {
  readonly store: WebhookStore;
  readonly vault: Pick<WebhookVault, 'open'>;
  readonly config: Config['webhooks'];
  readonly observer: DeliveryObserver;
  /** Is told which events endpoints want. */
  readonly wanted: Pick<Outbox['wanted'], 'look'>;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * Sends the deliveries whose time has come: of each endpoint one at a time and the oldest first, of several endpoints
 * beside each other. After a failure the endpoint is left alone until the next look.
 */
export function startDispatcher(deps: DispatcherDependencies) {
  const { store, wanted, log } = deps;
  const busy = new Map<string, Promise<void>>();
  let stopped = false;
  const serve = async (endpoint: WebhookEndpoint) => {
    try {
      while (!stopped && (await deliverNext(deps, endpoint)));
    } catch (error) {
      log.warn({ endpoint: endpoint.id, reason: String(error) }, 'webhook deliveries are interrupted');
    } finally {
      busy.delete(endpoint.id);
    }
  };
  const look = async () => {
    const found = wanted.look();
    const endpoints = await store.enabled(new Date());
    found(endpoints);
    for (const endpoint of endpoints)
      if (endpoint.due && !busy.has(endpoint.id) && !stopped) busy.set(endpoint.id, serve(endpoint));
  };
  const looking = periodically(look, pollMs, log, 'the webhook outbox cannot be read');
  return {
    /** Looks at once. */
    wake: looking.run,
    /** Waits for the attempts under way. */
    async stop(): Promise<void> {
      stopped = true;
      await looking.stop();
      await Promise.all(busy.values());
    },
  };
}

/** @returns whether further deliveries should be tried now */
async function deliverNext(deps: DispatcherDependencies, endpoint: WebhookEndpoint): Promise<boolean> {
  const { store, config, observer, log } = deps;
  const until = new Date(Date.now() + config.timeoutMs + leaseGraceMs);
  const delivery = await store.lease(endpoint.id, new Date(), until);
  if (!delivery) return false;
  const { error, gone } = await deliver(deps, endpoint, delivery.eventId, delivery.payload);
  const failures = delivery.attempts + 1;
  const next = error === null || gone || failures >= config.attempts ? null : retryAt(failures, config);
  await store.settle(delivery, new Date(), next, error);
  observer.attempted(error === null ? 'delivered' : next ? 'failed' : 'dead');
  if (error === null) return true;
  log.warn(
    { endpoint: endpoint.id, webhook_id: delivery.eventId, failures, reason: error },
    'a webhook was not delivered',
  );
  if (gone) await store.setEnabled(endpoint.id, false, 'the receiver answered 410 Gone');
  return false;
}

/** Exponential backoff, a quarter of it drawn at random so that retries of many events spread. */
function retryAt(failures: number, { retrySeconds }: Config['webhooks']): Date {
  const seconds = Math.min(maxBackoffSeconds, retrySeconds * 4 ** (failures - 1));
  return new Date(Date.now() + seconds * 1000 * (0.75 + Math.random() / 4));
}
