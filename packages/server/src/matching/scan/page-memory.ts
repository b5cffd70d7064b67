import { type WasmMemory, wasm } from './kernel.ts';
import { maxThreads, pageBytes, scratchOf } from './layout.ts';

/** Pages of a memory, at most: 4 GiB. A page's number is that of its memory × this + its place. */
const pagesPerMemory = 65_536;
const leastPages = 1024;

/** Pages by which a memory grows. */
const growth = 256;

/** Pages cleared in one turn of the event loop: less than a millisecond. */
const clearedPerTurn = 64;

/** The scratch areas of the threads lie at the start of each memory. */
const scratchPages = Math.ceil(scratchOf(maxThreads) / pageBytes);

/** @returns index of the memory of a page, and the page's address in it */
export function placeOf(page: number): { memory: number; address: number } {
  return { memory: Math.floor(page / pagesPerMemory), address: (page % pagesPerMemory) * pageBytes };
}

/** Pages of memory that threads share, of as many WASM memories as needed, which grow in place and never shrink. */
export class PageMemory {
  readonly memories: WasmMemory[] = [];
  readonly #most: number;
  readonly #free: number[] = [];
  /** Released, not yet cleared. */
  readonly #dirty: number[] = [];
  #clearing = false;
  #used = 0;

  /** @param most pages of a memory; address space is reserved for them */
  constructor(most = pagesPerMemory) {
    this.#most = most;
  }

  /** Bytes of the pages in use. */
  get used(): number {
    return this.#used * pageBytes;
  }

  /** @returns a page of zeros @throws RangeError when the system has no more memory */
  allocate(): number {
    if (this.#free.length === 0) {
      const released = this.#dirty.pop();
      if (released === undefined) this.#grow();
      else this.#clear(released);
    }
    this.#used++;
    return this.#free.pop()!;
  }

  /** Releases a page, which may hold templates: it is cleared in a later turn of the event loop. */
  release(page: number): void {
    this.#used--;
    this.#dirty.push(page);
    if (this.#clearing) return;
    this.#clearing = true;
    setImmediate(() => this.#clearNext());
  }

  #clearNext(): void {
    for (const page of this.#dirty.splice(-clearedPerTurn)) this.#clear(page);
    this.#clearing = this.#dirty.length > 0;
    if (this.#clearing) setImmediate(() => this.#clearNext());
  }

  #clear(page: number): void {
    const { memory, address } = placeOf(page);
    new Uint8Array(this.memories[memory]!.buffer, address, pageBytes).fill(0);
    this.#free.push(page);
  }

  #grow(): void {
    let last = this.memories.at(-1);
    let first = last && (grown(last, growth) ?? grown(last, 1));
    if (!last || first === undefined) {
      last = newMemory(this.#most);
      this.memories.push(last);
      first = grown(last, growth) ?? last.grow(1);
    }
    const pages = last.buffer.byteLength / pageBytes;
    const base = (this.memories.length - 1) * pagesPerMemory;
    // The next one is taken from the end: so pages are in use in order of address.
    for (let page = pages - 1; page >= first; page--) this.#free.push(base + page);
  }
}

/** @returns the first new page; undefined when there is no room for so many */
function grown(memory: WasmMemory, pages: number): number | undefined {
  try {
    return memory.grow(pages);
  } catch {
    return undefined;
  }
}

/** Reserves less where address space is limited: there can be several memories. */
function newMemory(most: number): WasmMemory {
  for (let maximum = most; ; maximum = Math.floor(maximum / 4)) {
    try {
      return new wasm.Memory({ initial: scratchPages, maximum, shared: true });
    } catch (error) {
      if (maximum / 4 < leastPages) throw error;
    }
  }
}
