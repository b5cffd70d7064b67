import type { Config } from '../../config/config.ts';
import { OperatorError, Refusal, StoreReadOnly } from '../../errors.ts';
import type { Events, Receipt } from '../../events.ts';
import type { Matcher } from '../../matching/matcher.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { ClientRecord, Quota } from '../../store/client-store.ts';
import type { GalleryRecord } from '../../store/gallery-store.ts';
import type { Store } from '../../store/store.ts';
import type { Caller } from '../caller.ts';

/** An unlimited quota on the wire: the largest 32-bit integer, which the integers of every language can hold. */
export const unlimited = 2_147_483_647;

/** Suffix of a client's first gallery. */
const gallerySuffix = '@trial';
/** The name of a gallery has at most 120 characters. */
const maxClientIdLength = 120 - gallerySuffix.length;
const allowedClientId = new RegExp(`^[A-Za-z0-9._@-]{1,${maxClientIdLength}}$`);

/** What `isClientId` accepts, in words. */
export const clientIdRule = `1 to ${maxClientIdLength} letters, digits or . _ @ -`;

export function isClientId(text: string): boolean {
  return allowedClientId.test(text);
}

interface ClientDependencies {
  readonly store: Pick<Store, 'clients' | 'galleries'>;
  readonly matcher: Pick<Matcher, 'evict'>;
  readonly vault: Pick<TemplateVault, 'wrapNewKey'>;
  readonly events: Pick<Events, 'clientRegistered' | 'clientErased' | 'forget'>;
  readonly config: Pick<Config, 'quota'>;
}

export type ClientService = ReturnType<typeof createClientService>;

/** Registers and erases the calling client, and reads its counters. */
export function createClientService({ store, matcher, vault, events, config }: ClientDependencies) {
  return {
    /** Creates the record of the client and its first gallery, `<client_id>@trial`. Idempotent. */
    async register(caller: Caller): Promise<{ galleryId: string }> {
      const { clientId } = caller;
      const galleryId = `${clientId}${gallerySuffix}`;
      // A client of an external issuer has no record yet.
      await store.clients.create({ clientId, passwordHash: null, quota: config.quota });
      const client = await store.clients.get(clientId);
      if (client?.registeredAt) return { galleryId };
      // The gallery comes first: when the call fails between the two steps, the next call completes them.
      const gallery = await store.galleries.create(clientId, galleryId, (id) =>
        vault.wrapNewKey(clientId, id),
      );
      if (gallery === 'quota') throw noGalleriesLeft();
      if (await store.clients.register(clientId, new Date())) events.clientRegistered(caller);
      return { galleryId };
    },

    /** Erases everything the client owns. @returns the remaining galleries: none */
    async erase(caller: Caller): Promise<{ galleryIds: string[]; receipt: Receipt | null }> {
      const { clientId } = await registeredClient(store, caller);
      const galleries = await eraseClient({ store, matcher, events }, clientId, () =>
        store.clients.unregister(clientId),
      );
      const receipt = await events.clientErased(caller, { galleries: galleries.length });
      const remaining = await store.galleries.list(caller.clientId);
      return { galleryIds: remaining.map((gallery) => gallery.galleryId), receipt };
    },

    /** What remains of the quotas; `unlimited` where there is no limit. */
    async counters(caller: Caller): Promise<Quota> {
      return remainingOf(await registeredClient(store, caller));
    },
  };
}

/** @param erase erases the rows of the client @returns the galleries that it had */
export async function eraseClient(
  {
    store,
    matcher,
    events,
  }: Pick<ClientDependencies, 'store' | 'matcher'> & {
    readonly events: Pick<Events, 'forget'>;
  },
  clientId: string,
  erase: () => Promise<unknown>,
): Promise<readonly GalleryRecord[]> {
  const galleries = await store.galleries.list(clientId);
  await events.forget({ clientId });
  await erase();
  for (const gallery of galleries) matcher.evict(gallery.id);
  return galleries;
}

export type QuotaService = ReturnType<typeof createQuotaService>;

/** Counts calls against a client's quota. */
export function createQuotaService({ store }: { readonly store: Pick<Store, 'clients'> }) {
  const hits = new DeferredHits(store.clients);
  /** @returns false when no call remains @throws Refusal `denied` when the client is not registered */
  const takeIfLeft = async (clientId: string): Promise<boolean> => {
    if (await hits.take(clientId)) return true;
    await registeredClient(store, { clientId });
    return false;
  };
  return {
    takeIfLeft,

    /** @throws Refusal `denied` when the client is not registered or no call remains */
    async take(clientId: string): Promise<void> {
      if (await takeIfLeft(clientId)) return;
      throw new Refusal('callQuotaUsedUp');
    },

    /** Returns a hit, after a call that was refused as busy. */
    giveBack: (clientId: string): Promise<void> => hits.giveBack(clientId),
  };
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

/** @throws OperatorError when there is no such client */
export async function requireClient(store: Pick<Store, 'clients'>, clientId: string): Promise<ClientRecord> {
  const client = await store.clients.get(clientId);
  if (!client) throw noClient(clientId);
  return client;
}

export function noClient(clientId: string): OperatorError {
  return new OperatorError(`client_id: there is no client ${JSON.stringify(clientId)}; list the clients`);
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

/**
 * Hits of calls while the store takes no writes, so that reading and deleting go on. They are kept in memory, count
 * against the quota at this server, and are written with the client's next hit that can be; a process that ends before
 * loses them.
 */
export class DeferredHits {
  readonly #clients: Pick<Store['clients'], 'get' | 'takeHit' | 'returnHit'>;
  /** Negative: hits to be returned. */
  readonly #hits = new Map<string, number>();

  constructor(clients: Pick<Store['clients'], 'get' | 'takeHit' | 'returnHit'>) {
    this.#clients = clients;
  }

  /** @returns false when no hit remains, or the client is unknown or not registered */
  async take(clientId: string): Promise<boolean> {
    const deferred = this.#hits.get(clientId) ?? 0;
    // Removed before the write, so that concurrent calls do not write them twice.
    this.#add(clientId, -deferred);
    try {
      const taken = await this.#clients.takeHit(clientId, 1 + deferred);
      if (!taken) this.#add(clientId, deferred);
      return taken;
    } catch (error) {
      this.#add(clientId, deferred);
      if (!(error instanceof StoreReadOnly)) throw error;
      return this.#defer(clientId);
    }
  }

  async giveBack(clientId: string): Promise<void> {
    try {
      await this.#clients.returnHit(clientId);
    } catch (error) {
      if (!(error instanceof StoreReadOnly)) throw error;
      this.#add(clientId, -1);
    }
  }

  async #defer(clientId: string): Promise<boolean> {
    const client = await this.#clients.get(clientId);
    if (!client?.registeredAt) return false;
    const used = client.used.hits + (this.#hits.get(clientId) ?? 0);
    if (client.quota.hits >= 0 && used >= client.quota.hits) return false;
    this.#add(clientId, 1);
    return true;
  }

  #add(clientId: string, hits: number): void {
    const sum = (this.#hits.get(clientId) ?? 0) + hits;
    if (sum !== 0) this.#hits.set(clientId, sum);
    else this.#hits.delete(clientId);
  }
}
