import { StoreReadOnly } from '../../errors.ts';
import { createBatchWriter } from '../../lib/batch-writer.ts';
import { quotaMarks } from '../../store/client-store.ts';
import type { Store } from '../../store/ports/store.ts';
import type { ServiceParts } from '../parts.ts';
import { registeredClient } from './clients.ts';
import type { Hit, QuotaService } from './ports.ts';

type QuotaDependencies = ServiceParts<'store' | 'events' | 'config'>;

/** Counts calls against a client's quota. */
export function createQuotaService({ store, events, config }: QuotaDependencies): QuotaService {
  const hits = new Hits(store.clients, events, config.database ? waitMs.shared : waitMs.embedded);
  return {
    async take(clientId, later) {
      const hit = (later ? hits.reserve(clientId) : null) ?? (await hits.take(clientId));
      if (!hit) await registeredClient(store, { clientId });
      return hit;
    },
    settled: () => hits.settled(),
  };
}

type Clients = Pick<Store['clients'], 'get' | 'takeHits' | 'returnHit'>;

/** A hit that the store has not counted. */
interface ReservedHit {
  readonly clientId: string;
  state: 'waiting' | 'written' | 'returned';
}

/**
 * Reserved hits wait so long for others, milliseconds, and no longer than their answers are ready. Over a network they are
 * counted while the call is served; in the embedded store they then share the transaction of its audit record.
 */
const waitMs = { embedded: 1000, shared: 20 } as const;
/** With fewer calls left than this, each is counted first: other servers count, too. */
const leastLeft = 100;
/** How long it is believed what the store has last said, milliseconds. */
const knownMs = 10_000;

/**
 * Hits, each counted by the store before its call is answered, so that a quota is exact over all servers. Those of calls
 * that analyse pictures and change nothing are counted in groups, while the calls are served.
 *
 * While the store takes no writes, hits are kept in memory, so that reading and deleting go on: they count against the
 * quota at this server, and are written with the client's next hit that can be; a process that ends before loses them.
 */
class Hits {
  readonly #clients: Clients;
  readonly #events: QuotaDependencies['events'];
  /** What was left when the store last counted. */
  readonly #left = new Map<string, { readonly calls: number; readonly at: number }>();
  readonly #reserved = new Tally();
  /** Hits that the store could not write. Negative: to be returned. */
  readonly #deferred = new Tally();
  readonly #writer: ReturnType<typeof createBatchWriter<ReservedHit, boolean | Error>>;

  /** @param waitMs how long reserved hits wait for others, milliseconds */
  constructor(clients: Clients, events: QuotaDependencies['events'], waitMs: number) {
    this.#clients = clients;
    this.#events = events;
    this.#writer = createBatchWriter<ReservedHit, boolean | Error>({
      waitMs,
      write: (hits) => this.#writeAll(hits),
      isOutage: () => false,
      lost: () => {},
    });
  }

  /** @returns null when no hit remains, or the client is unknown or not registered */
  async take(clientId: string): Promise<Hit | null> {
    if (!(await this.#take(clientId, 1))) return null;
    return { counted: async () => true, giveBack: () => this.#giveBack(clientId) };
  }

  /** @returns null: it is not known whether enough remain */
  reserve(clientId: string): Hit | null {
    const left = this.#left.get(clientId);
    if (!left || performance.now() - left.at > knownMs) return null;
    if (left.calls - this.#reserved.of(clientId) < leastLeft) return null;
    this.#reserved.add(clientId, 1);
    const hit: ReservedHit = { clientId, state: 'waiting' };
    const written = this.#writer.add(hit);
    return {
      counted: async () => {
        this.#writer.now();
        const outcome = await written;
        if (outcome instanceof Error) throw outcome;
        return outcome === true;
      },
      giveBack: async () => {
        if (hit.state === 'waiting') hit.state = 'returned';
        else if ((await written) === true) await this.#giveBack(clientId);
      },
    };
  }

  settled(): Promise<void> {
    return this.#writer.settled();
  }

  async #writeAll(hits: readonly ReservedHit[]): Promise<(boolean | Error)[]> {
    const wanted = new Tally();
    for (const hit of hits) {
      if (hit.state === 'returned') continue;
      hit.state = 'written';
      wanted.add(hit.clientId, 1);
    }
    const counted = new Map<string, number | Error>();
    const count = async ([clientId, wish]: [string, number]) => {
      counted.set(clientId, await this.#takeMost(clientId, wish).catch((error: Error) => error));
    };
    await Promise.all([...wanted.entries()].map(count));
    return hits.map(({ clientId, state }) => {
      this.#reserved.add(clientId, -1);
      const left = counted.get(clientId) ?? 0;
      if (left instanceof Error || state === 'returned') return left instanceof Error ? left : false;
      counted.set(clientId, left - 1);
      return left > 0;
    });
  }

  /** @returns how many hits were counted */
  async #takeMost(clientId: string, hits: number): Promise<number> {
    if (await this.#take(clientId, hits)) return hits;
    for (let taken = 0; ; taken++) {
      if (taken === hits - 1 || !(await this.#take(clientId, 1).catch(() => false))) return taken;
    }
  }

  async #take(clientId: string, hits: number): Promise<boolean> {
    const deferred = this.#deferred.of(clientId);
    // Removed before the write, so that concurrent calls do not write them twice.
    this.#deferred.add(clientId, -deferred);
    try {
      const taken = await this.#clients.takeHits(clientId, hits + deferred);
      if (taken === null) this.#deferred.add(clientId, deferred);
      if (taken === null) this.#left.delete(clientId);
      else this.#left.set(clientId, { calls: taken.left, at: performance.now() });
      if (taken !== null) await this.#tell(clientId, hits + deferred, taken);
      return taken !== null;
    } catch (error) {
      this.#deferred.add(clientId, deferred);
      if (!(error instanceof StoreReadOnly)) throw error;
      return this.#defer(clientId, hits);
    }
  }

  /** The store counts one after the other, so that a mark is passed by one call of all servers. */
  async #tell(
    clientId: string,
    hits: number,
    { left, quota }: { left: number; quota: number },
  ): Promise<void> {
    if (quota === Number.POSITIVE_INFINITY) return;
    const used = quota - left;
    for (const percent of quotaMarks) {
      const mark = (quota * percent) / 100;
      if (used - hits >= mark || used < mark) continue;
      await this.#events.observe(
        'quota_reached',
        { clientId, trxId: null },
        { quota: 'n_api_hits', percent, used, limit: quota },
      );
    }
  }

  async #giveBack(clientId: string): Promise<void> {
    try {
      await this.#clients.returnHit(clientId);
    } catch (error) {
      if (!(error instanceof StoreReadOnly)) throw error;
      this.#deferred.add(clientId, -1);
    }
  }

  async #defer(clientId: string, hits: number): Promise<boolean> {
    const client = await this.#clients.get(clientId);
    if (!client?.registeredAt) return false;
    const used = client.used.hits + this.#deferred.of(clientId) + hits;
    if (client.quota.hits >= 0 && used > client.quota.hits) return false;
    this.#deferred.add(clientId, hits);
    return true;
  }
}

/** Numbers by client, without those that are zero. */
class Tally extends Map<string, number> {
  of(clientId: string): number {
    return this.get(clientId) ?? 0;
  }

  add(clientId: string, number: number): void {
    const sum = this.of(clientId) + number;
    if (sum !== 0) this.set(clientId, sum);
    else this.delete(clientId);
  }
}
