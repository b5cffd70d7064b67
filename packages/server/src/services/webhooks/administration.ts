import { randomBytes } from 'node:crypto';
import { type Phrase, phrase, wordsOf } from '@wajah/contract/refusals';
import { uuidv7 } from 'uuidv7';
import type { Config } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import { dayMs } from '../../lib/time.ts';
import type { WebhookVault } from '../../security/vaults/row-vaults.ts';
import type {
  DeliveryState,
  ReplayFilter,
  WebhookEndpoint,
  WebhookStore,
  WebhookType,
} from '../../store/webhook-store.ts';
import { deliver, secretPrefix } from './delivery.ts';
import { payloadOf } from './outbox.ts';

/** Endpoints of one client at most. */
export const maxEndpoints = 10;
const maxUrl = 2000;
/** Time for which a former secret signs too, milliseconds. */
const overlapMs = dayMs;

interface Dependencies {
  readonly store: WebhookStore;
  readonly vault: WebhookVault;
  readonly config: Config['webhooks'];
  /** Is called when the endpoints have changed. */
  onChanged(): void;
}

export type WebhookAdministration = ReturnType<typeof createWebhookAdministration>;

/** Administers the endpoints of clients and their deliveries. Every function throws OperatorError for an unknown endpoint. */
export function createWebhookAdministration({ store, vault, config, onChanged }: Dependencies) {
  const find = async (id: string): Promise<WebhookEndpoint> => {
    const endpoint = await store.find(id);
    if (endpoint) return endpoint;
    throw new OperatorError(`There is no webhook ${id}; \`wajah webhook list <client_id>\` lists them`);
  };
  return {
    ...deliveryAdministration({ store, vault, config }, find),
    create: creation({ store, vault, config, onChanged }),
    list: (clientId: string) => store.list(clientId),
    /** Null: there is none. */
    find: (id: string) => store.find(id),
    /** The former secret signs too for a day. */
    async rotate(id: string) {
      const endpoint = await find(id);
      const { present, byClient } = vault.open(endpoint, endpoint.secret);
      const secret = newSecret();
      const former = { secret: present, until: Date.now() + overlapMs };
      await store.setSecret(id, vault.seal(endpoint, { present: secret, former, byClient }));
      return { secret: secretPrefix + secret, formerUntil: new Date(former.until) };
    },
    async setEnabled(id: string, enabled: boolean): Promise<void> {
      await find(id);
      await store.setEnabled(id, enabled, null);
      onChanged();
    },
    async remove(id: string): Promise<void> {
      await find(id);
      await store.remove(id);
      onChanged();
    },
  };
}

function creation({ store, vault, config, onChanged }: Dependencies) {
  /** @returns id and secret, which is not shown again @throws OperatorError for a URL that is not allowed, too many endpoints, an unknown client */
  return async (
    clientId: string,
    url: string,
    types: readonly WebhookType[] | null,
    { byClient = false }: { readonly byClient?: boolean } = {},
  ) => {
    const problem = urlProblem(url);
    if (problem !== null) throw new OperatorError(`url: ${JSON.stringify(url)} ${wordsOf(problem)}`);
    const [id, secret] = [`wh_${uuidv7()}`, newSecret()];
    const sealed = vault.seal({ clientId, id }, { present: secret, former: null, byClient });
    const endpoint = { id, clientId, url, types, secret: sealed, createdAt: new Date() };
    const added = await store.add(endpoint, maxEndpoints);
    if (added === 'gone') throw new OperatorError(`There is no client ${clientId}`);
    if (added === 'full')
      throw new OperatorError(`${clientId} has ${maxEndpoints} webhooks, the most that are allowed`);
    onChanged();
    return { id, secret: secretPrefix + secret, on: config.on };
  };
}

function deliveryAdministration(
  { store, vault, config }: Omit<Dependencies, 'onChanged'>,
  find: (id: string) => Promise<WebhookEndpoint>,
) {
  return {
    /** Sends an event of the type `webhook.test` at once, and answers why it was not delivered; null: it was. */
    async test(id: string): Promise<string | null> {
      const endpoint = await find(id);
      const eventId = uuidv7();
      const body = payloadOf(eventId, 'webhook.test', new Date(), {});
      return (await deliver({ vault, config }, endpoint, eventId, body)).error;
    },
    async replay(id: string, filter: ReplayFilter): Promise<number> {
      await find(id);
      return store.replay(id, filter, new Date());
    },
    async deliveries(id: string, state: DeliveryState | null, limit: number) {
      await find(id);
      return store.deliveries(id, state, limit);
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64');
}

/** The address is checked at each delivery, when the name is resolved. @returns null: none */
export function urlProblem(given: string): Phrase | null {
  const url = URL.canParse(given) && given.length <= maxUrl ? new URL(given) : null;
  return !url || !['https:', 'http:'].includes(url.protocol)
    ? phrase('noUrl', { most: maxUrl })
    : url.username !== '' || url.password !== ''
      ? phrase('urlWithCredentials')
      : null;
}
