import { randomBytes } from 'node:crypto';
import { type Phrase, phrase } from '@wajah/contract/refusals';
import { uuidv7 } from 'uuidv7';
import type { Config } from '../../config/config.ts';
import { dayMs } from '../../lib/time.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import { type DeliveryLimits, deliver, secretPrefix } from './delivery.ts';
import { payloadOf } from './outbox.ts';
import type { ManagedEndpoint, WebhookEndpoint, WebhookEndpoints, WebhookStore } from './ports.ts';
import type { WebhookVault } from './vault.ts';

/** Endpoints of one client at most. */
export const maxEndpoints = 10;
const maxUrl = 2000;

interface Dependencies {
  readonly store: WebhookStore;
  readonly vault: WebhookVault;
  readonly config: Config['webhooks'] & DeliveryLimits;
  /** Is called when the endpoints have changed. */
  onChanged(): void;
}

/** The endpoints of clients and their deliveries. */
export function createWebhookEndpoints(deps: Dependencies): WebhookEndpoints {
  const { store, vault, onChanged } = deps;
  return {
    async create(clientId, url, types) {
      const [id, secret] = [`wh_${uuidv7()}`, newSecret()];
      const sealed = vault.seal({ clientId, id }, { present: secret, former: null });
      const endpoint = { id, clientId, url, types, secret: sealed, createdAt: new Date() };
      const added = await store.add(endpoint, maxEndpoints);
      if (added === 'gone' || added === 'full') return added;
      onChanged();
      return { id, secret: secretPrefix + secret };
    },
    list: (clientId) => store.list(clientId),
    async find(id, clientId) {
      const endpoint = await store.find(id);
      return endpoint && [endpoint.clientId, undefined].includes(clientId)
        ? oneEndpoint(deps, endpoint)
        : null;
    },
  };
}

function oneEndpoint(
  { store, vault, config, onChanged }: Dependencies,
  endpoint: WebhookEndpoint,
): ManagedEndpoint {
  const { id } = endpoint;
  return {
    async rotate() {
      const opened = openedOrNull(() => vault.open(endpoint, endpoint.secret));
      const secret = newSecret();
      const until = Date.now() + dayMs;
      // A damaged one signs no more.
      const former = opened && { secret: opened.present, until };
      await store.setSecret(id, vault.seal(endpoint, { present: secret, former }));
      return { secret: secretPrefix + secret, formerUntil: new Date(until) };
    },
    async update(change) {
      await store.update(id, change);
      onChanged();
    },
    async remove() {
      await store.remove(id);
      onChanged();
    },
    async test() {
      const eventId = uuidv7();
      const body = payloadOf(eventId, 'webhook.test', new Date(), {});
      return (await deliver({ vault, config }, endpoint, eventId, body)).error;
    },
    deliveries: (state, limit) => store.deliveries(id, state, limit),
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64');
}

/** The address is checked at each delivery, when the name is resolved. @returns null: none */
export function urlProblem(given: string): Phrase | null {
  const url = URL.canParse(given) && given.length <= maxUrl ? new URL(given) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return phrase('noUrl', { most: maxUrl });
  return url.username !== '' || url.password !== '' ? phrase('urlWithCredentials') : null;
}
