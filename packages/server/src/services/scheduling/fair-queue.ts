import type { Priority } from './ports.ts';

/** Shares of the workers' time while work of both priorities waits. */
const shares: Readonly<Record<Priority, number>> = { recognition: 4, enrolment: 1 };

const priorities = Object.keys(shares) as Priority[];

/** Work of a client. */
export interface QueuedWork {
  readonly clientId: string;
  readonly priority: Priority;
  /** Expected duration, milliseconds. */
  readonly cost: number;
}

/** The work of one client at one priority. */
interface Flow<Work> {
  /** Virtual start time of its first item, milliseconds of work. */
  start: number;
  readonly items: Work[];
  running: number;
}

/** The work of one priority. */
interface Level<Work> {
  /** Virtual start time of the level, milliseconds of work ÷ its share. */
  start: number;
  /** Virtual start time of the work that was taken last. */
  now: number;
  readonly flows: Map<string, Flow<Work>>;
}

/**
 * Divides time fairly: between the priorities by their shares, and within a priority between the clients in equal parts,
 * by cost and not by count. Start-time fair queueing (Goyal, Vin and Cheng, IEEE/ACM Transactions on Networking 5(5),
 * 1997): the next item is that of the client which has been served least. A client that was idle gains no credit, and is
 * next at once.
 */
export class FairQueue<Work extends QueuedWork> {
  readonly #levels: Readonly<Record<Priority, Level<Work>>> = {
    recognition: newLevel(),
    enrolment: newLevel(),
  };
  /** Virtual start time of the level that was taken from last. */
  #now = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(clientId: string): number {
    return priorities.reduce((sum, name) => sum + itemsOf(this.#levels[name], clientId).length, 0);
  }

  /** Numbers of items of each client that has any, most first. */
  sizes(): number[] {
    const counts = new Map<string, number>();
    for (const { clientId } of this) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
    return [...counts.values()].sort((a, b) => b - a);
  }

  *[Symbol.iterator](): Generator<Work> {
    for (const name of priorities) for (const { items } of this.#levels[name].flows.values()) yield* items;
  }

  /** @param first whether it goes before the client's other work of this priority */
  push(work: Work, first = false): void {
    const level = this.#levels[work.priority];
    if (!hasItems(level)) level.start = Math.max(level.start, this.#now);
    const flow = level.flows.get(work.clientId) ?? { start: level.now, items: [], running: 0 };
    level.flows.set(work.clientId, flow);
    if (flow.items.length === 0) flow.start = Math.max(flow.start, level.now);
    if (first) flow.items.unshift(work);
    else flow.items.push(work);
    this.#size += 1;
  }

  /** Takes the next item. Its client is charged the expected cost; `settle` corrects it. */
  shift(): Work | undefined {
    const level = leastStarted(priorities.map((name) => this.#levels[name]).filter(hasItems));
    const flow = level && leastStarted([...level.flows.values()].filter(({ items }) => items.length > 0));
    const work = flow?.items.shift();
    if (!work || !flow || !level) return undefined;
    this.#size -= 1;
    flow.running += 1;
    level.now = Math.max(level.now, flow.start);
    this.#now = Math.max(this.#now, level.start);
    this.#charge(level, flow, work, work.cost);
    return work;
  }

  /** @param actual duration of work that was taken, milliseconds */
  settle(work: Work, actual: number): void {
    const level = this.#levels[work.priority];
    const flow = level.flows.get(work.clientId);
    if (!flow) return;
    flow.running -= 1;
    this.#charge(level, flow, work, actual - work.cost);
    for (const [clientId, { items, running, start }] of level.flows) {
      if (items.length === 0 && running === 0 && start <= level.now) level.flows.delete(clientId);
    }
  }

  /** @returns false when it is not waiting */
  remove(work: Work): boolean {
    const items = itemsOf(this.#levels[work.priority], work.clientId);
    const place = items.indexOf(work);
    if (place < 0) return false;
    items.splice(place, 1);
    this.#size -= 1;
    return true;
  }

  /** Work that is done before a new item of this client, if nothing else arrives, milliseconds. */
  costAhead(clientId: string, priority: Priority): number {
    const level = this.#levels[priority];
    const own = level.flows.get(clientId);
    const start = Math.max(own?.start ?? 0, level.now) + sumOf(own?.items ?? []);
    let ahead = 0;
    for (const flow of level.flows.values()) ahead += costUntil(flow, start);
    for (const other of priorities) {
      if (other === priority) continue;
      const waiting = [...this.#levels[other].flows.values()].reduce(
        (sum, { items }) => sum + sumOf(items),
        0,
      );
      ahead += Math.min(waiting, (ahead * shares[other]) / shares[priority]);
    }
    return ahead;
  }

  #charge(level: Level<Work>, flow: Flow<Work>, { priority }: Work, cost: number): void {
    flow.start += cost;
    level.start += cost / shares[priority];
  }
}

function newLevel<Work>(): Level<Work> {
  return { start: 0, now: 0, flows: new Map() };
}

function hasItems<Work>({ flows }: Level<Work>): boolean {
  for (const { items } of flows.values()) if (items.length > 0) return true;
  return false;
}

function itemsOf<Work>({ flows }: Level<Work>, clientId: string): Work[] {
  return flows.get(clientId)?.items ?? [];
}

function sumOf(items: readonly QueuedWork[]): number {
  return items.reduce((sum, { cost }) => sum + cost, 0);
}

/** Cost of the items of a flow that start no later than `start` in virtual time. */
function costUntil({ items, start: first }: Flow<QueuedWork>, start: number): number {
  let cost = 0;
  for (const item of items) {
    if (first + cost > start) break;
    cost += item.cost;
  }
  return cost;
}

/** The first of those that start first in virtual time. */
function leastStarted<T extends { readonly start: number }>(ones: readonly T[]): T | undefined {
  let least: T | undefined;
  for (const one of ones) if (least === undefined || one.start < least.start) least = one;
  return least;
}
