import { type AskedScope, unlimited } from '@wajah/contract/values';
import { Refusal } from '../../errors.ts';
import { digestOf } from '../../security/tokens/api-tokens.ts';
import type { TokenIssuer } from '../../security/tokens/token-issuer.ts';
import type { ClientRecord, Quota } from '../../store/ports/clients.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceParts } from '../parts.ts';
import type { ClientService, RequireOperator } from './ports.ts';

/** Suffix of a client's first gallery. */
const gallerySuffix = '@trial';
/** The name of a gallery has at most 120 characters. */
export const maxClientIdLength = 120 - gallerySuffix.length;
const allowedClientId = new RegExp(`^[A-Za-z0-9._@-]{1,${maxClientIdLength}}$`);

export function isClientId(text: string): boolean {
  return allowedClientId.test(text);
}

/** Quota of a client that is created without one. A gallery has a key and an index in memory, so their number has a bound. */
export const defaultQuota: Quota = { hits: -1, faces: -1, galleries: 100 };

type ClientDependencies = ServiceParts<'store' | 'matcher' | 'vault' | 'events'>;

/** Registers and erases the calling client, and reads its counters. */
export function createClientService({ store, matcher, vault, events }: ClientDependencies): ClientService {
  return {
    async register(caller) {
      const { clientId } = caller;
      const galleryId = `${clientId}${gallerySuffix}`;
      if (await store.meta.get(deletionKey(clientId)))
        throw new Refusal('clientDeleted', { client: clientId });
      // A client of an external issuer has no record yet.
      await store.clients.create({ clientId, passwordHash: null, quota: defaultQuota });
      const client = await store.clients.get(clientId);
      if (client?.registeredAt) return { galleryId };
      // The gallery comes first: when the call fails between the two steps, the next call completes them.
      const gallery = await store.galleries.create(clientId, galleryId, (id) =>
        vault.wrapNewKey(clientId, id),
      );
      if (gallery === 'quota') throw noGalleriesLeft();
      if (await store.clients.register(clientId, new Date())) events.observe('client_registered', caller, {});
      return { galleryId };
    },

    async erase(caller) {
      const { clientId } = await registeredClient(store, caller);
      const galleries = await eraseClient({ store, matcher, events }, clientId, () =>
        store.clients.unregister(clientId),
      );
      const receipt = await events.observe('client_erased', caller, { galleries: galleries.length });
      const remaining = await store.galleries.list(caller.clientId);
      return { galleryIds: remaining.map((gallery) => gallery.galleryId), receipt };
    },

    async counters(caller) {
      return remainingOf(await registeredClient(store, caller));
    },
  };
}

/**
 * Key of the meta value of a client that the operator has deleted: a token of an external issuer does not register it again.
 * The name was erased with the client, so its digest stands here.
 */
export const deletionKey = (clientId: string) => `deleted_client_${digestOf(clientId)}`;

/** @param erase erases the rows of the client @returns the galleries that it had */
export async function eraseClient(
  {
    store,
    matcher,
    events,
  }: Pick<ClientDependencies, 'matcher' | 'events'> & { readonly store: Pick<Store, 'galleries'> },
  clientId: string,
  erase: () => Promise<unknown>,
): Promise<readonly GalleryRecord[]> {
  const galleries = await store.galleries.list(clientId);
  await events.forget({ clientId });
  await erase();
  for (const gallery of galleries) matcher.evict(gallery.id);
  return galleries;
}

/** @throws Refusal `denied` when the client is not registered */
export async function registeredClient(
  store: Pick<Store, 'clients'>,
  { clientId }: Pick<Caller, 'clientId'>,
): Promise<ClientRecord> {
  const client = await store.clients.get(clientId);
  if (client?.registeredAt) return client;
  throw new Refusal('clientNotRegistered');
}

export function createOperatorCheck(store: Pick<Store, 'clients'>): RequireOperator {
  return async (caller) => {
    if (caller.isOperator || (await registeredClient(store, caller)).operator) return;
    throw new Refusal('operatorOnly');
  };
}

/** @throws Refusal `clientNotFound` */
export async function requireClient(store: Pick<Store, 'clients'>, clientId: string): Promise<ClientRecord> {
  const client = await store.clients.get(clientId);
  if (!client) throw noClient(clientId);
  return client;
}

export function noClient(clientId: string): Refusal {
  return new Refusal('clientNotFound', { client: clientId });
}

export function noGalleriesLeft(): Refusal {
  return new Refusal('galleryQuotaUsedUp');
}

/** What remains of each quota, as `remaining`. */
export function remainingOf({ quota, used }: Pick<ClientRecord, 'quota' | 'used'>): Quota {
  return {
    hits: remaining(quota.hits, used.hits),
    faces: remaining(quota.faces, used.faces),
    galleries: remaining(quota.galleries, used.galleries),
  };
}

/** At least 0, also when the operator has lowered a quota below what is used. A quota of −1 is unlimited. */
export function remaining(quota: number, used: number): number {
  return quota === -1 ? unlimited : Math.min(unlimited, Math.max(0, quota - used));
}

/** Issues a token with the scopes that were asked for, as far as the client may have them. */
export async function issueAsked(
  issuer: Pick<TokenIssuer, 'issue'>,
  client: Pick<ClientRecord, 'clientId' | 'tokensSince' | 'operator'>,
  asked: readonly AskedScope[],
) {
  const scopes = asked.filter((scope) => scope !== 'operate' || client.operator);
  return { ...(await issuer.issue(client, scopes)), scopes };
}
