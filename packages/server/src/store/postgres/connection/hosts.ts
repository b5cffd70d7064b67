import { Client, type ClientConfig, type PoolConfig } from 'pg';
import type { DatabaseTarget } from '../../../config/database-url.ts';

/**
 * The hosts of a URL, of which one is in use: the first that answers and, where writes are meant, takes them. When
 * a standby was promoted, the next connection goes there.
 */
export class Hosts {
  readonly #hosts: DatabaseTarget['hosts'];
  #current = 0;

  constructor(hosts: DatabaseTarget['hosts']) {
    this.#hosts = hosts;
  }

  get count(): number {
    return this.#hosts.length;
  }

  get current(): DatabaseTarget['hosts'][number] {
    return this.#hosts[this.#current]!;
  }

  /** @param host that failed; when others have moved on from it already, nothing changes */
  reportFailure(host: DatabaseTarget['hosts'][number]): void {
    if (host === this.current) this.#current = (this.#current + 1) % this.#hosts.length;
  }

  /** A class for the pool: each of its connections goes to the host that is in use when it is made. */
  clientClass(): NonNullable<PoolConfig['Client']> {
    const hosts = this;
    return class extends Client {
      constructor(config?: string | ClientConfig) {
        super({ ...(config as ClientConfig), ...hosts.current });
      }
    };
  }
}
