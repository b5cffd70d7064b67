import { pageBytes, type WasmMemory, wasm } from './kernel/web-assembly.ts';
import { maxThreads, scratchOf } from './layout.ts';

/** Most a WASM memory can hold. */
const maxPages = 65_536;
const leastPages = 1024;
/** Steps in which a memory grows, bytes. */
const growth = 16 * 2 ** 20;
/** Places begin at multiples of this: a cache line. */
const alignment = 64;

interface FreeRange {
  address: number;
  bytes: number;
}

/**
 * One WASM memory, shared with worker threads, that hands out pieces and takes them back. It grows and never
 * shrinks: what was given back is used again first. Its beginning is the scratch of the threads.
 */
export class Arena {
  readonly memory: WasmMemory;
  /** Free pieces in order of address; neighbours are joined. */
  readonly #gaps: FreeRange[] = [];
  #pages = Math.ceil(scratchOf(maxThreads) / pageBytes);

  /** @param pages at most so many of 64 KiB; address space for them is set aside at once */
  constructor(pages = maxPages) {
    this.memory = newMemory(this.#pages, pages);
    const address = scratchOf(maxThreads);
    this.#gaps.push({ address, bytes: this.#pages * pageBytes - address });
  }

  /** @returns where the bytes are, all zero; null when there is no room */
  allocate(bytes: number): number | null {
    const size = alignUp(bytes);
    const gap = this.#gaps.find((each) => each.bytes >= size) ?? this.#grow(size);
    if (!gap) return null;
    const { address } = gap;
    gap.address += size;
    gap.bytes -= size;
    if (gap.bytes === 0) this.#gaps.splice(this.#gaps.indexOf(gap), 1);
    return address;
  }

  /** Overwrites a piece, for it held templates, and takes it back. */
  release(address: number, bytes: number): void {
    const size = alignUp(bytes);
    new Uint8Array(this.memory.buffer, address, size).fill(0);
    let next = this.#gaps.findIndex((gap) => gap.address > address);
    if (next < 0) next = this.#gaps.length;
    const before = this.#gaps[next - 1];
    if (before && before.address + before.bytes === address) before.bytes += size;
    else this.#gaps.splice(next++, 0, { address, bytes: size });
    this.#join(next - 1);
  }

  #grow(size: number): FreeRange | null {
    const end = this.#pages * pageBytes;
    const last = this.#gaps.at(-1);
    const open = last && last.address + last.bytes === end ? last.bytes : 0;
    for (const wanted of [Math.max(size - open, growth), size - open]) {
      const pages = Math.ceil(wanted / pageBytes);
      try {
        this.memory.grow(pages);
      } catch {
        continue;
      }
      this.#pages += pages;
      if (last && open > 0) last.bytes += pages * pageBytes;
      else this.#gaps.push({ address: end, bytes: pages * pageBytes });
      return this.#gaps.at(-1) ?? null;
    }
    return null;
  }

  #join(index: number): void {
    const gap = this.#gaps[index];
    const next = this.#gaps[index + 1];
    if (!gap || !next || gap.address + gap.bytes !== next.address) return;
    gap.bytes += next.bytes;
    this.#gaps.splice(index + 1, 1);
  }
}

/** Where address space is limited, a smaller memory will do: there can be several. */
function newMemory(initial: number, pages: number): WasmMemory {
  for (let maximum = pages; ; maximum = Math.floor(maximum / 4)) {
    try {
      return new wasm.Memory({ initial, maximum, shared: true });
    } catch (error) {
      if (maximum / 4 < leastPages) throw error;
    }
  }
}

function alignUp(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
