import { randomBytes } from 'node:crypto';
import { type Phrase, phrase } from '@wajah/contract/refusals';
import { uuidv7 } from 'uuidv7';
import type { Config } from '../../config/config.ts';
import { dayMs } from '../../lib/time.ts';
import type { WebhookVault } from '../../security/vaults/row-vaults.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type {
  DeliveryState,
  EndpointChange,
  WebhookEndpoint,
  WebhookStore,
  WebhookType,
} from '../../store/ports.ts';
import { type DeliveryLimits, deliver, secretPrefix } from './delivery.ts';
import { payloadOf } from './outbox.ts';

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

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

/** The endpoints of clients and their deliveries. */
export function createWebhookEndpoints(deps: Dependencies) {
  const { store, vault, config, onChanged } = deps;
  return {
    /**
     * @param url without a problem, as `urlProblem` says
     * @returns id and secret, which is not shown again; `gone`: there is no such client, `full`: it has `maxEndpoints`
     */
    async create(clientId: string, url: string, types: readonly WebhookType[] | null) {
      const [id, secret] = [`wh_${uuidv7()}`, newSecret()];
      const sealed = vault.seal({ clientId, id }, { present: secret, former: null });
      const endpoint = { id, clientId, url, types, secret: sealed, createdAt: new Date() };
      const added = await store.add(endpoint, maxEndpoints);
      if (added === 'gone' || added === 'full') return added;
      onChanged();
      return { id, secret: secretPrefix + secret, on: config.on };
    },
    list: (clientId: string) => store.list(clientId),
    /** @param clientId whose it must be; absent: anybody's @returns null: there is none */
    async find(id: string, clientId?: string) {
      const endpoint = await store.find(id);
      return endpoint && [endpoint.clientId, undefined].includes(clientId)
        ? oneEndpoint(deps, endpoint)
        : null;
    },
  };
}

function oneEndpoint({ store, vault, config, onChanged }: Dependencies, endpoint: WebhookEndpoint) {
  const { id } = endpoint;
  return {
    /** The former secret signs too for a day. */
    async rotate() {
      const opened = openedOrNull(() => vault.open(endpoint, endpoint.secret));
      const secret = newSecret();
      const until = Date.now() + dayMs;
      // A damaged one signs no more.
      const former = opened && { secret: opened.present, until };
      await store.setSecret(id, vault.seal(endpoint, { present: secret, former }));
      return { secret: secretPrefix + secret, formerUntil: new Date(until) };
    },
    /** What is undefined stays. One that its receiver has stopped is sent events again. */
    async update(change: EndpointChange): Promise<void> {
      await store.update(id, change);
      onChanged();
    },
    /** With the events that wait for it. */
    async remove(): Promise<void> {
      await store.remove(id);
      onChanged();
    },
    /** Sends an event of the type `webhook.test` at once, and answers why it was not delivered; null: it was. */
    async test(): Promise<string | null> {
      const eventId = uuidv7();
      const body = payloadOf(eventId, 'webhook.test', new Date(), {});
      return (await deliver({ vault, config }, endpoint, eventId, body)).error;
    },
    /** The newest first. */
    deliveries: (state: DeliveryState | null, limit: number) => store.deliveries(id, state, limit),
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
