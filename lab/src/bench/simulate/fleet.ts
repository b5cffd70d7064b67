/** Servers with an open load: slow answers do not slow down arrivals. */
export interface Fleet {
  readonly servers: number;
  /** Calls that one server processes at a time. */
  readonly cores: number;
  /** Queue length of one server; further calls are refused. */
  readonly queue: number;
}

/** Arrivals and service times, in milliseconds. */
export interface Load {
  /** Calls per second (Poisson process). */
  readonly rate: number;
  /** Draws the service time of a call on one core. */
  service(random: () => number): number;
  /** Time of a call that waits for the database and uses no core. */
  readonly databaseMs: number;
}

export interface Outcome {
  readonly p50: number;
  readonly p99: number;
  /** Share of calls that were refused, 0…1. */
  readonly refused: number;
  /** Share of the cores' time in use, 0…1. */
  readonly utilisation: number;
}

/**
 * Simulates `calls` calls and measures from arrival to answer. Each goes to a random server, like consistent hashing
 * over many galleries.
 */
export function simulate(fleet: Fleet, load: Load, calls: number, random: () => number): Outcome {
  const servers = Array.from({ length: fleet.servers }, () => new Server(fleet.cores, fleet.queue));
  const latencies: number[] = [];
  let now = 0;
  let refused = 0;
  let worked = 0;
  for (let i = 0; i < calls; i++) {
    now += (-Math.log(1 - random()) * 1000) / load.rate;
    const service = load.service(random);
    const done = servers[Math.floor(random() * fleet.servers)]!.take(now, service);
    if (done === null) refused++;
    else {
      latencies.push(done - now + load.databaseMs);
      worked += service;
    }
  }
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return {
    p50: at(0.5),
    p99: at(0.99),
    refused: refused / calls,
    utilisation: worked / (now * fleet.servers * fleet.cores),
  };
}

/** A first-in first-out queue in front of several cores. */
class Server {
  readonly #freeAt: number[];
  readonly #queue: number;
  /** Start times of the queued calls, ascending. */
  #starts: number[] = [];

  constructor(cores: number, queue: number) {
    this.#freeAt = Array.from({ length: cores }, () => 0);
    this.#queue = queue;
  }

  /** @returns time at which the call ends; null when it is refused */
  take(now: number, service: number): number | null {
    this.#starts = this.#starts.filter((start) => start > now);
    const core = this.#freeAt.indexOf(Math.min(...this.#freeAt));
    const start = Math.max(now, this.#freeAt[core]!);
    if (start > now && this.#starts.length >= this.#queue) return null;
    if (start > now) this.#starts.push(start);
    this.#freeAt[core] = start + service;
    return start + service;
  }
}

/** Log-normal service times: a long tail. @param spread standard deviation ÷ mean */
export function logNormal(mean: number, spread: number): (random: () => number) => number {
  const variance = Math.log(1 + spread * spread);
  const middle = Math.log(mean) - variance / 2;
  return (random) => {
    // Box and Muller.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(middle + Math.sqrt(variance) * normal);
  };
}

/** mulberry32: reproducible random numbers, 0…1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
