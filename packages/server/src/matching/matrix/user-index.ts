import { randomInt } from 'node:crypto';

/** Entries at which the table is split into shards, so that none takes long to grow. */
const splitAt = 8192;
/** The highest bits of the hash select the shard, the lowest the slot. */
const splitBits = 8;
const leastSlots = 16;

/** Hash index of rows by user_id, a few bytes per row: the ids are read from the rows. */
export class UserIndex {
  /** Open addressing with linear probing: row + 1; 0 is free. */
  #tables = [new Uint32Array(leastSlots)];
  #counts = [0];
  readonly #idOf: (row: number) => Uint8Array;
  /** Random, since clients choose user_ids and could choose colliding ones. */
  readonly #seed = randomInt(2 ** 32);

  /** @param idOf UTF-8 of the user_id of a row that is in the index */
  constructor(idOf: (row: number) => Uint8Array) {
    this.#idOf = idOf;
  }

  get bytes(): number {
    let bytes = 0;
    for (const table of this.#tables) bytes += table.byteLength;
    return bytes;
  }

  /** @returns the row, or −1 */
  find(id: Uint8Array): number {
    const table = this.#tables[this.#tableOf(this.#hash(id))]!;
    return table[this.#slotOf(table, id)]! - 1;
  }

  /** Sets the row of a user. */
  set(id: Uint8Array, row: number): void {
    const index = this.#tableOf(this.#hash(id));
    const table = this.#tables[index]!;
    const slot = this.#slotOf(table, id);
    const isNew = table[slot] === 0;
    table[slot] = row + 1;
    if (!isNew) return;
    this.#counts[index]!++;
    if (this.#tables.length === 1 && this.#counts[0]! >= splitAt) this.#split();
    else if (slotsFor(this.#counts[index]!) > table.length) this.#grow(index);
  }

  delete(id: Uint8Array): void {
    const index = this.#tableOf(this.#hash(id));
    const table = this.#tables[index]!;
    let free = this.#slotOf(table, id);
    if (table[free] === 0) return;
    this.#counts[index]!--;
    const mask = table.length - 1;
    // Backward shift deletion.
    for (let slot = (free + 1) & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.#hash(this.#idOf(table[slot]! - 1)) & mask;
      if (((slot - home) & mask) < ((slot - free) & mask)) continue;
      table[free] = table[slot]!;
      free = slot;
    }
    table[free] = 0;
  }

  /** The slot of a user, or the free slot for the user. */
  #slotOf(table: Uint32Array, id: Uint8Array): number {
    const mask = table.length - 1;
    let slot = this.#hash(id) & mask;
    while (table[slot] !== 0 && Buffer.compare(this.#idOf(table[slot]! - 1), id) !== 0)
      slot = (slot + 1) & mask;
    return slot;
  }

  #tableOf(hash: number): number {
    return this.#tables.length === 1 ? 0 : hash >>> (32 - splitBits);
  }

  #grow(index: number): void {
    const old = this.#tables[index]!;
    this.#tables[index] = new Uint32Array(slotsFor(this.#counts[index]!));
    this.#refill(old);
  }

  #split(): void {
    const old = this.#tables[0]!;
    const counts = new Array<number>(2 ** splitBits).fill(0);
    for (const entry of old) {
      if (entry !== 0) counts[this.#hash(this.#idOf(entry - 1)) >>> (32 - splitBits)]!++;
    }
    this.#counts = counts;
    this.#tables = counts.map((count) => new Uint32Array(slotsFor(count)));
    this.#refill(old);
  }

  #refill(old: Uint32Array): void {
    for (const entry of old) {
      if (entry === 0) continue;
      const hash = this.#hash(this.#idOf(entry - 1));
      const table = this.#tables[this.#tableOf(hash)]!;
      let slot = hash & (table.length - 1);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = entry;
    }
  }

  /** FNV-1a with a random seed, then the finalizer of MurmurHash3. */
  #hash(id: Uint8Array): number {
    let hash = this.#seed;
    for (const byte of id) hash = Math.imul(hash ^ byte, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}

/** A power of two that is at most three quarters full. */
function slotsFor(entries: number): number {
  let slots = leastSlots;
  while (entries * 4 > slots * 3) slots *= 2;
  return slots;
}
