import { clientPage, type RequestOf } from '@wajah/contract';
import { unlimited } from '@wajah/contract/values';
import { Refusal } from '../../errors.ts';
import type { Events } from '../../events/table.ts';
import type { Quota } from '../../store/ports/clients.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceParts } from '../parts.ts';
import { requireClient } from './clients.ts';
import type { AccountService, ClientAdministration, RequireOperator } from './ports.ts';

interface Dependencies extends ServiceParts<'store' | 'events'> {
  readonly accounts: AccountService;
}

/**
 * What operators do with clients over HTTP: as the commands, but for operators themselves, which only commands change.
 * So no operator becomes another one, none makes another one, and one is always left.
 * @param requireOperator refuses the call of a client that is none
 */
export function createClientAdministration(
  { store, accounts, events }: Dependencies,
  requireOperator: RequireOperator,
): ClientAdministration {
  const record = recordBy(events);
  /** @throws Refusal `denied` | `clientNotFound` */
  const requireOther = async (caller: Caller, clientId: string): Promise<void> => {
    await requireOperator(caller);
    const { operator } = await requireClient(store, clientId);
    if (operator && !caller.isOperator) throw new Refusal('clientIsOperator', { client: clientId });
  };
  return {
    ...listing(store, requireOperator),

    async create(caller, { clientId, password, operator = false, ...limits }) {
      await requireOperator(caller);
      const quota = quotaOf(limits);
      const created = await accounts.create({ clientId, quota, operator, ...(password && { password }) });
      await record(caller, clientId, 'create-client', { operator });
      return created;
    },

    async setQuota(caller, { clientId, ...limits }) {
      await requireOperator(caller);
      const quota = quotaOf(limits);
      if (Object.keys(quota).length === 0) throw new Refusal('quotaMissing');
      await accounts.setQuota(clientId, quota);
      await record(caller, clientId, 'set-quota', quota);
    },

    async resetPassword(caller, { clientId, password, keepTokens = false }) {
      await requireOther(caller, clientId);
      const made = await accounts.resetPassword(clientId, password, keepTokens);
      await record(caller, clientId, 'reset-password', { tokens: keepTokens ? 'kept' : 'revoked' });
      return { clientId, password: made ?? '' };
    },

    async erase(caller, { clientId }) {
      await requireOther(caller, clientId);
      const erased = await accounts.remove(clientId);
      return { ...erased, receipt: await record(caller, null, 'delete-client', erased) };
    },
  };
}

function listing(store: Pick<Store, 'clients'>, requireOperator: RequireOperator) {
  return {
    async list(caller, { after, limit = clientPage.byDefault }) {
      await requireOperator(caller);
      const clients = await store.clients.list({ after, limit });
      return { clients, nextAfter: clients.length === limit ? clients.at(-1)!.clientId : null };
    },
  } satisfies Partial<ClientAdministration>;
}

/** Records acts of operators; those of clients that are operators with their names. @returns takes the client concerned */
export function recordBy(events: Events) {
  return (
    { clientId, trxId, isOperator }: Caller,
    whom: string | null,
    operation: string,
    facts: object = {},
  ) => {
    const by = isOperator ? {} : { by: clientId };
    return events.observe('administered', { clientId: whom, trxId }, { operation, ...by, ...facts });
  };
}

/** The amounts that are named; `unlimited` as answers have it is −1. */
function quotaOf({
  nApiHits,
  nFace,
  nFacegallery,
}: Omit<RequestOf<'setClientQuota'>, 'clientId'>): Partial<Quota> {
  const named = Object.entries({ hits: nApiHits, faces: nFace, galleries: nFacegallery });
  return Object.fromEntries(
    named.flatMap(([name, amount]) =>
      amount === undefined ? [] : [[name, amount === unlimited ? -1 : amount]],
    ),
  );
}
