import { type Phrase, phrase } from '@wajah/contract/refusals';
import { Refusal } from '../../errors.ts';
import { minuteMs } from '../../lib/time.ts';
import { registeredClient } from '../../services/accounts/clients.ts';
import type { Caller } from '../../services/caller.ts';
import type { ServiceParts } from '../../services/parts.ts';
import { addressFor } from './addresses.ts';
import { maxEndpoints, urlProblem } from './endpoints.ts';
import type { ClientWebhooks, WebhookEndpoints } from './ports.ts';

/** Test events of a client in a minute: each makes the server call an address. */
const maxTests = 10;

interface Dependencies extends ServiceParts<'store' | 'events' | 'config'> {
  readonly webhooks: WebhookEndpoints;
}

/** Webhooks, managed by their client. All but `create` and `list` throw Refusal `webhookNotFound`. */
export function createClientWebhooks(deps: Dependencies): ClientWebhooks {
  const { store, events, webhooks } = deps;
  const changed = (caller: Caller, webhook_id: string, what: string) =>
    events.observe('webhook_changed', caller, { webhook_id, what });
  return {
    on: deps.config.webhooks.on,

    async create(caller, { url, types }) {
      await registeredClient(store, caller);
      // The operator may prepare what is switched on later.
      if (!caller.isOperator) requireOn(deps);
      await requireUrl(deps, url);
      const wanted = types ?? null;
      const made = await webhooks.create(caller.clientId, url, wanted);
      if (made === 'gone') throw new Refusal('clientNotRegistered');
      if (made === 'full') throw new Refusal('tooManyWebhooks', { most: maxEndpoints });
      const { id, secret } = made;
      changed(caller, id, 'created');
      return { id, url, types: wanted, secret };
    },

    async list(caller) {
      await registeredClient(store, caller);
      return webhooks.list(caller.clientId);
    },

    async update(caller, { webhookId, url, types }) {
      const endpoint = await own(deps, caller, webhookId);
      if (url !== undefined) await requireUrl(deps, url);
      await endpoint.update({ url, types });
      changed(caller, webhookId, 'updated');
    },

    async rotate(caller, { webhookId }) {
      const rotated = await (await own(deps, caller, webhookId)).rotate();
      changed(caller, webhookId, 'secret');
      return rotated;
    },

    async remove(caller, { webhookId }) {
      await (await own(deps, caller, webhookId)).remove();
      changed(caller, webhookId, 'deleted');
    },
    ...deliveryCalls(deps),
  };
}

function deliveryCalls(deps: Dependencies) {
  return {
    async test(caller, { webhookId }) {
      const endpoint = await own(deps, caller, webhookId);
      requireOn(deps);
      if (!caller.isOperator) await limitTests(deps, caller);
      return endpoint.test();
    },

    async deliveries(caller, { webhookId, state, limit = 100 }) {
      return (await own(deps, caller, webhookId)).deliveries(state ?? null, limit);
    },
  } satisfies Partial<ClientWebhooks>;
}

async function own({ webhooks }: Dependencies, { clientId }: Caller, id: string) {
  const endpoint = await webhooks.find(id, clientId || undefined);
  if (endpoint) return endpoint;
  throw new Refusal('webhookNotFound');
}

function requireOn({ config }: Dependencies): void {
  if (config.webhooks.on) return;
  throw new Refusal('webhooksOff');
}

/** Names are resolved at each delivery, and only then: what they resolve to may change. */
async function requireUrl({ config }: Dependencies, given: string): Promise<void> {
  const { networks } = config.webhooks;
  const problem = urlProblem(given) ?? (await addressProblem(new URL(given), networks));
  if (problem !== null) throw new Refusal('webhookUrl', { url: given, problem });
}

async function addressProblem(url: URL, networks: readonly string[]): Promise<Phrase | null> {
  const isAddress = /^[\d.]+$|^\[/.test(url.hostname);
  if (!isAddress && (url.protocol === 'https:' || networks.length > 0)) return null;
  if (!isAddress) return phrase('noHttps');
  const allowed = addressFor(url, networks).then(
    () => true,
    () => false,
  );
  return (await allowed) ? null : phrase('forbiddenAddress');
}

async function limitTests({ store }: Dependencies, { clientId }: Caller): Promise<void> {
  const { count, waitMs } = await store.limits.increment(`webhook tests ${clientId}`, maxTests, minuteMs);
  if (count <= maxTests) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new Refusal('tooManyTests', { most: maxTests, seconds }, { retry_after: seconds });
}
