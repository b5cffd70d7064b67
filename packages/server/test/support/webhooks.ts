import type { openWebhooks } from '../../src/features/webhooks/open.ts';
import { createWebhookStore } from '../../src/features/webhooks/store.ts';
import type { Context } from '../../src/server/context.ts';
import type { Store } from '../../src/store/ports/store.ts';

/** The endpoints of clients in a server. */
export function webhooksOf({ features }: Pick<Context, 'features'>) {
  const found = features.find((feature) => 'webhooks' in feature) as unknown;
  return (found as ReturnType<typeof openWebhooks>).webhooks;
}

export const webhookStore = (store: Store) => store.part('webhooks', createWebhookStore);
