import { randomInt } from 'node:crypto';

/** Entries at which one table becomes many, so that no table takes long to grow. */
const splitAt = 8192;
/** So many of the hash's highest bits say which of the many; the lowest say where in it. */
const splitBits = 8;
const leastSlots = 16;

/** An index as it goes to another thread. */
export interface PackedIndex {
  readonly seed: number;
  readonly tables: Uint32Array<ArrayBuffer>[];
  readonly counts: number[];
}

/** Rows by user_id, in a few bytes a row: the ids themselves are read where the rows keep them. */
export class UserIndex {
  /** Row + 1 at the first free slot from where the hash points; 0 is free. */
  #tables: Uint32Array<ArrayBuffer>[];
  #counts: number[];
  readonly #idOf: (row: number) => Uint8Array;
  /** Clients choose user_ids: nobody shall choose those that collide. */
  readonly #seed: number;

  /**
   * @param idOf UTF-8 of the user_id of a row that is in the index
   * @param packed an index that is filled already; default: an empty one
   */
  constructor(idOf: (row: number) => Uint8Array, packed?: PackedIndex) {
    this.#idOf = idOf;
    this.#seed = packed?.seed ?? randomInt(2 ** 32);
    this.#tables = packed?.tables ?? [new Uint32Array(leastSlots)];
    this.#counts = packed?.counts ?? [0];
  }

  pack(): PackedIndex {
    return { seed: this.#seed, tables: this.#tables, counts: this.#counts };
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

  /** Names the row of a user, who may have had another. */
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
    // Entries behind move up where that brings them nearer to where their hash points.
    for (let slot = (free + 1) & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.#hash(this.#idOf(table[slot]! - 1)) & mask;
      if (((slot - home) & mask) < ((slot - free) & mask)) continue;
      table[free] = table[slot]!;
      free = slot;
    }
    table[free] = 0;
  }

  /** The slot of a user, or the free one where the user would be. */
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

  /** FNV-1a from a secret start, its bits then mixed as MurmurHash3 does. */
  #hash(id: Uint8Array): number {
    let hash = this.#seed;
    for (const byte of id) hash = Math.imul(hash ^ byte, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}

/** Slots for so many entries: a power of two, because places are cut with a mask, and at most three quarters full. */
function slotsFor(entries: number): number {
  let slots = leastSlots;
  while (entries * 4 > slots * 3) slots *= 2;
  return slots;
}
