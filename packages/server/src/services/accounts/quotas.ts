import { Refusal } from '../../errors.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { QuotaService } from '../services.ts';
import { registeredClient } from './clients.ts';

/** Counts calls against a client's quota. */
export function createQuotaService({ store }: Pick<ServiceDependencies, 'store'>): QuotaService {
  const takeIfLeft = async (clientId: string) => {
    if (await store.clients.takeHit(clientId)) return true;
    await registeredClient(store, { clientId });
    return false;
  };
  return {
    takeIfLeft,

    async take(clientId) {
      if (await takeIfLeft(clientId)) return;
      throw new Refusal(
        'denied',
        'n_api_hits: the number of calls that this client may make is used up; ask the operator for more',
      );
    },

    giveBack: (clientId) => store.clients.returnHit(clientId),
  };
}
