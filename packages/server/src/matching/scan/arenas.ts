import { pageBytes, type WasmMemory, wasm } from './kernel.ts';
import { maxThreads, scratchOf } from './layout.ts';

/** A segment of memory. */
export interface MemorySegment {
  readonly arena: number;
  readonly address: number;
  readonly bytes: number;
}

/** Scanned data have memories of their own, so that they are contiguous. */
type SegmentPurpose = 'scanned' | 'other';

export interface SegmentRequest {
  readonly bytes: number;
  readonly purpose: SegmentPurpose;
}

/** Allocates memory segments. Worker threads use a remote one. */
export interface Allocator {
  readonly memories: readonly WasmMemory[];
  /** @returns zeroed segments @throws RangeError when the system has no more memory */
  allocate(wanted: readonly SegmentRequest[]): MemorySegment[];
}

/** Bytes cleared in one turn of the event loop: less than a millisecond. */
const clearedPerTick = 4 * 2 ** 20;

/** Allocates from as many WASM memories as needed. */
export class Arenas implements Allocator {
  readonly #arenas: { readonly arena: Arena; readonly purpose: SegmentPurpose }[] = [];
  readonly #pages: number | undefined;
  /** Released, not yet cleared. */
  readonly #dirty: MemorySegment[] = [];
  #cleaning = false;
  #used = 0;

  /** @param pages maximum size of each memory, pages of 64 KiB */
  constructor(pages?: number) {
    this.#pages = pages;
  }

  /** Allocated bytes. */
  get used(): number {
    return this.#used;
  }

  get memories(): WasmMemory[] {
    return this.#arenas.map(({ arena }) => arena.memory);
  }

  allocate(wanted: readonly SegmentRequest[]): MemorySegment[] {
    const pieces: MemorySegment[] = [];
    try {
      for (const each of wanted) pieces.push(this.#allocate(each));
      return pieces;
    } catch (error) {
      for (const piece of pieces) this.release(piece);
      throw error;
    }
  }

  #allocate({ bytes, purpose }: SegmentRequest): MemorySegment {
    this.#clean(bytes);
    for (const [index, each] of this.#arenas.entries()) {
      const piece = each.purpose === purpose ? this.#allocateIn(index, bytes) : null;
      if (piece) return piece;
    }
    this.#arenas.push({ arena: new Arena(this.#pages), purpose });
    const piece = this.#allocateIn(this.#arenas.length - 1, bytes);
    if (!piece) throw new RangeError(`no memory for ${bytes} bytes of templates`);
    return piece;
  }

  #allocateIn(index: number, bytes: number): MemorySegment | null {
    const address = this.#arenas[index]!.arena.allocate(bytes);
    if (address === null) return null;
    this.#used += bytes;
    return { arena: index, address, bytes };
  }

  /** Releases a segment; it is cleared in a later turn of the event loop. */
  release(piece: MemorySegment): void {
    this.#used -= piece.bytes;
    this.#dirty.push(piece);
    if (this.#cleaning) return;
    this.#cleaning = true;
    setImmediate(() => this.#cleanNext());
  }

  #cleanNext(): void {
    this.#clean(clearedPerTick);
    this.#cleaning = this.#dirty.length > 0;
    if (this.#cleaning) setImmediate(() => this.#cleanNext());
  }

  /** Clears released segments of at least `bytes` in all. */
  #clean(bytes: number): void {
    for (let done = 0; done < bytes; ) {
      const piece = this.#dirty.pop();
      if (!piece) return;
      this.#arenas[piece.arena]!.arena.release(piece.address, piece.bytes);
      done += piece.bytes;
    }
  }
}

/** Maximum size of a WASM memory. */
const maxPages = 65_536;
const leastPages = 1024;
/** Steps in which a memory grows, bytes. */
const growth = 16 * 2 ** 20;
/** Alignment of segments: a cache line. */
const alignment = 64;

interface FreeRange {
  address: number;
  bytes: number;
}

/**
 * Allocator of one WASM memory, shared with worker threads. First fit; the memory grows and never shrinks. It begins
 * with the scratch areas of the threads.
 */
export class Arena {
  readonly memory: WasmMemory;
  /** Free ranges in order of address; neighbours are merged. */
  readonly #free: FreeRange[] = [];
  #pages = Math.ceil(scratchOf(maxThreads) / pageBytes);

  /** @param pages maximum number of pages of 64 KiB; reserves address space for them */
  constructor(pages = maxPages) {
    this.memory = newMemory(this.#pages, pages);
    const address = scratchOf(maxThreads);
    this.#free.push({ address, bytes: this.#pages * pageBytes - address });
  }

  /** @returns address of zeroed bytes; null when the memory is full */
  allocate(bytes: number): number | null {
    const size = alignUp(bytes);
    const gap = this.#free.find((each) => each.bytes >= size) ?? this.#grow(size);
    if (!gap) return null;
    const { address } = gap;
    gap.address += size;
    gap.bytes -= size;
    if (gap.bytes === 0) this.#free.splice(this.#free.indexOf(gap), 1);
    return address;
  }

  /** Clears a segment, which may hold templates, and frees it. */
  release(address: number, bytes: number): void {
    const size = alignUp(bytes);
    new Uint8Array(this.memory.buffer, address, size).fill(0);
    let next = this.#free.findIndex((gap) => gap.address > address);
    if (next < 0) next = this.#free.length;
    const before = this.#free[next - 1];
    if (before && before.address + before.bytes === address) before.bytes += size;
    else this.#free.splice(next++, 0, { address, bytes: size });
    this.#join(next - 1);
  }

  #grow(size: number): FreeRange | null {
    const end = this.#pages * pageBytes;
    const last = this.#free.at(-1);
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
      else this.#free.push({ address: end, bytes: pages * pageBytes });
      return this.#free.at(-1) ?? null;
    }
    return null;
  }

  #join(index: number): void {
    const gap = this.#free[index];
    const next = this.#free[index + 1];
    if (!gap || !next || gap.address + gap.bytes !== next.address) return;
    gap.bytes += next.bytes;
    this.#free.splice(index + 1, 1);
  }
}

/** Reserves less where address space is limited: there can be several memories. */
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
