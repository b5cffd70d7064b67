import { StoreReadOnly } from '../../errors.ts';
import type { Store } from '../../store/store.ts';

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
