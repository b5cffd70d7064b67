import type { Config } from '../../config/config.ts';
import type { WebhookVault } from '../../security/vaults/webhook-vault.ts';
import type { WebhookEndpoint } from '../../store/webhook-store.ts';
import { type Attempt, send } from './send.ts';
import { signedHeaders } from './signature.ts';

interface DeliverDependencies {
  readonly vault: Pick<WebhookVault, 'open'>;
  readonly config: Pick<Config['webhooks'], 'networks' | 'clientNetworks' | 'timeoutMs'>;
}

/** Signs a body and posts it to an endpoint, which reaches the networks of who created it. Never rejects for the network. */
export function deliver(
  { vault, config: { networks, clientNetworks, timeoutMs } }: DeliverDependencies,
  endpoint: WebhookEndpoint,
  eventId: string,
  body: string,
): Promise<Attempt> {
  const secrets = vault.open(endpoint, endpoint.secret);
  const headers = signedHeaders(secrets, eventId, new Date(), body);
  const reached = secrets.byClient ? clientNetworks : networks;
  return send(endpoint.url, body, headers, { networks: reached, timeoutMs });
}
