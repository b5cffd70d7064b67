import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { createWebhookVault } from '../security/vaults/row-vaults.ts';
import type { Keys } from '../security/vaults/sealing.ts';
import { createWebhookAdministration } from '../services/webhooks/administration.ts';
import { deliveryAttempts, startDispatcher } from '../services/webhooks/delivery.ts';
import { createOutbox } from '../services/webhooks/outbox.ts';
import type { Store } from '../store/store.ts';
import type { DisposableStack } from './disposable-stack.ts';

/** Opens what writes and sends events for the endpoints of clients. */
export function openWebhooks(
  stack: DisposableStack,
  { webhooks: store }: Store,
  masterKeys: Keys,
  { webhooks: config }: Config,
  registry: Registry,
  log: Logger,
) {
  const vault = createWebhookVault(...masterKeys);
  const outbox = config.on
    ? stack.adopt(createOutbox({ store, limit: config.outbox, log }), (it) => it.settled())
    : undefined;
  return {
    webhookVault: vault,
    outbox,
    webhooks: createWebhookAdministration({
      ...{ store, vault, config },
      onChanged: () => outbox?.wanted.changed(),
    }),
    /** Commands leave the sending to the server. */
    startSending() {
      const attempts = deliveryAttempts(registry);
      if (!outbox) return;
      const dispatcher = startDispatcher({ store, vault, config, attempts, wanted: outbox.wanted, log });
      outbox.onWritten(dispatcher.wake);
      stack.adopt(dispatcher, (it) => it.stop());
    },
  };
}
