import {
  type ClientRequest,
  type CreateClientRequest,
  clientPage,
  type ListClientsRequest,
  type SetClientQuotaRequest,
} from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { Events } from '../../events.ts';
import type { ClientRecord, Quota } from '../../store/client-store.ts';
import type { Store } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { AccountService } from './accounts.ts';
import { type RequireOperator, requireClient, unlimited } from './clients.ts';

interface Dependencies {
  readonly store: Pick<Store, 'clients'>;
  readonly accounts: Pick<AccountService, 'create' | 'setQuota' | 'resetPassword' | 'remove'>;
  readonly events: Pick<Events, 'administered'>;
}

export type ClientAdministration = ReturnType<typeof createClientAdministration>;

/**
 * What operators do with clients over HTTP: as the commands, but for operators themselves, which only commands change.
 * So no operator becomes another one, none makes another one, and one is always left.
 * @param requireOperator refuses the call of a client that is none
 */
export function createClientAdministration(
  { store, accounts, events }: Dependencies,
  requireOperator: RequireOperator,
) {
  const record = recordBy(events);
  /** @throws Refusal `denied` | `clientNotFound` */
  const requireOther = async (caller: Caller, clientId: string): Promise<void> => {
    await requireOperator(caller);
    const { operator } = await requireClient(store, clientId);
    if (operator) throw new Refusal('clientIsOperator', { client: clientId });
  };
  return {
    /** In the order of their names. @throws Refusal `denied` */
    async list(caller: Caller, { after, limit = clientPage.byDefault }: ListClientsRequest) {
      await requireOperator(caller);
      const clients = await store.clients.list({ after, limit });
      return { clients, nextAfter: clients.length === limit ? clients.at(-1)!.clientId : null };
    },

    /** @returns its random password @throws Refusal `denied` | `clientExists` | `malformed` */
    async create(caller: Caller, { clientId, ...limits }: CreateClientRequest) {
      await requireOperator(caller);
      const { password } = await accounts.create({ clientId, quota: quotaOf(limits) });
      await record(caller, clientId, 'create-client', { operator: false });
      return { clientId, password };
    },

    /** @throws Refusal `denied` | `clientNotFound` | `malformed` */
    async setQuota(caller: Caller, { clientId, ...limits }: SetClientQuotaRequest): Promise<void> {
      await requireOperator(caller);
      const quota = quotaOf(limits);
      if (Object.keys(quota).length === 0) throw new Refusal('quotaMissing');
      await accounts.setQuota(clientId, quota);
      await record(caller, clientId, 'set-quota', quota);
    },

    /** Revokes all of its tokens: nobody takes a client over without its noticing. @throws Refusal as `erase` */
    async resetPassword(caller: Caller, { clientId }: ClientRequest) {
      await requireOther(caller, clientId);
      const password = await accounts.resetPassword(clientId);
      await record(caller, clientId, 'reset-password', { tokens: 'revoked' });
      return { clientId, password: password ?? '' };
    },

    /** @throws Refusal `denied`, also for an operator | `clientNotFound` */
    async erase(caller: Caller, { clientId }: ClientRequest) {
      await requireOther(caller, clientId);
      const erased = await accounts.remove(clientId);
      return { ...erased, receipt: await record(caller, null, 'delete-client', erased) };
    },
  };
}

/** Records an act of an operator. @param whom the client that it concerns */
function recordBy(events: Pick<Events, 'administered'>) {
  return ({ clientId, trxId, isOperator }: Caller, whom: string | null, operation: string, facts: object) => {
    const by = isOperator ? {} : { by: clientId };
    return events.administered(whom, { operation, ...by, ...facts }, trxId);
  };
}

/** The amounts that are named; `unlimited` as answers have it is −1. */
function quotaOf({ nApiHits, nFace, nFacegallery }: Omit<SetClientQuotaRequest, 'clientId'>): Partial<Quota> {
  const named = Object.entries({ hits: nApiHits, faces: nFace, galleries: nFacegallery });
  return Object.fromEntries(
    named.flatMap(([name, amount]) =>
      amount === undefined ? [] : [[name, amount === unlimited ? -1 : amount]],
    ),
  );
}

/** The quotas of a client as answers have them. */
export function limitsOf({ quota }: Pick<ClientRecord, 'quota'>): Quota {
  const shown = (amount: number) => (amount === -1 ? unlimited : amount);
  return { hits: shown(quota.hits), faces: shown(quota.faces), galleries: shown(quota.galleries) };
}
