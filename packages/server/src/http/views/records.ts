import { unlimited } from '@wajah/contract/values';
import type { ClientRecord, Quota } from '../../store/ports/clients.ts';

/** Amounts of a quota, in the names of the wire. */
export function amountsView({ hits, faces, galleries }: Quota) {
  return { n_api_hits: hits, n_face: faces, n_facegallery: galleries };
}

/** The quotas of a client: what is not limited is a large number. */
export function limitsView({ quota }: Pick<ClientRecord, 'quota'>) {
  const shown = (amount: number) => (amount === -1 ? unlimited : amount);
  return amountsView({
    hits: shown(quota.hits),
    faces: shown(quota.faces),
    galleries: shown(quota.galleries),
  });
}
