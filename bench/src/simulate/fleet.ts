/** Servers in front of which calls arrive whenever they like: an open loop, so a slow server does not slow them. */
export interface Fleet {
  readonly servers: number;
  /** Calls that one server works on at a time. */
  readonly cores: number;
  /** Calls that wait at one server; further ones are refused at once. */
  readonly queue: number;
}

/** What arrives, and how long it takes. Times are milliseconds. */
export interface Load {
  /** Calls a second, at random moments (Poisson). */
  readonly rate: number;
  /** A service time on one core, drawn anew for each call. */
  service(random: () => number): number;
  /** Waiting for others (the database), which keeps no core busy. */
  readonly elsewhere: number;
}

export interface Outcome {
  readonly p50: number;
  readonly p99: number;
  /** Share of calls that found the queue full. */
  readonly refused: number;
  /** Share of the cores' time that was worked. */
  readonly busy: number;
}

/**
 * Plays `calls` calls and measures from arrival to answer. Each goes to a server at random, as consistent hashing
 * over many galleries does.
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
      latencies.push(done - now + load.elsewhere);
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
    busy: worked / (now * fleet.servers * fleet.cores),
  };
}

/** First come, first served, by whichever core is free first. */
class Server {
  readonly #freeAt: number[];
  readonly #queue: number;
  /** When those that wait will start, earliest first. */
  #starts: number[] = [];

  constructor(cores: number, queue: number) {
    this.#freeAt = Array.from({ length: cores }, () => 0);
    this.#queue = queue;
  }

  /** @returns when the call is done; null when it is refused */
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

/** Service times around a mean with a long tail (log-normal). @param spread standard deviation ÷ mean */
export function around(mean: number, spread: number): (random: () => number) => number {
  const variance = Math.log(1 + spread * spread);
  const middle = Math.log(mean) - variance / 2;
  return (random) => {
    // Box and Muller.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(middle + Math.sqrt(variance) * normal);
  };
}

/** mulberry32: the same seed, the same day. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
