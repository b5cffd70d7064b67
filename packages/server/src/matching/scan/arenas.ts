import { Arena } from './arena.ts';
import type { WasmMemory } from './kernel/kernel.ts';

/** A segment of memory. */
export interface MemorySegment {
  readonly arena: number;
  readonly address: number;
  readonly bytes: number;
}

/** Scanned data have memories of their own, so that they are contiguous. */
export type SegmentPurpose = 'scanned' | 'other';

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
