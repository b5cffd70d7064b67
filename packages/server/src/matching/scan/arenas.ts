import { Arena } from './arena.ts';
import type { WasmMemory } from './kernel/web-assembly.ts';

/** Where a piece of memory is. */
export interface MemorySegment {
  readonly arena: number;
  readonly address: number;
  readonly bytes: number;
}

/** Memories are either for what is scanned, which then lies together, or for the rest. */
export type SegmentPurpose = 'scanned' | 'other';

/** A piece that is asked for. */
export interface SegmentRequest {
  readonly bytes: number;
  readonly purpose: SegmentPurpose;
}

/** Hands out pieces of memory. Another thread is lent them. */
export interface Allocator {
  readonly memories: readonly WasmMemory[];
  /** @returns pieces of zeros @throws RangeError when the system has no more memory */
  allocate(wanted: readonly SegmentRequest[]): MemorySegment[];
}

/** Bytes overwritten in one turn of the event loop: less than a millisecond. */
const clearedPerTick = 4 * 2 ** 20;

/** As many memories as it takes. */
export class Arenas implements Allocator {
  readonly #arenas: { readonly arena: Arena; readonly purpose: SegmentPurpose }[] = [];
  readonly #pages: number | undefined;
  /** Given back, not yet overwritten. */
  readonly #dirty: MemorySegment[] = [];
  #cleaning = false;
  #used = 0;

  /** @param pages of each memory at most, 64 KiB each */
  constructor(pages?: number) {
    this.#pages = pages;
  }

  /** Bytes handed out. */
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

  /** Takes a piece back; it is overwritten soon. */
  release(piece: MemorySegment): void {
    this.#used -= piece.bytes;
    this.#dirty.push(piece);
    if (this.#cleaning) return;
    this.#cleaning = true;
    setImmediate(() => this.#cleanOn());
  }

  #cleanOn(): void {
    this.#clean(clearedPerTick);
    this.#cleaning = this.#dirty.length > 0;
    if (this.#cleaning) setImmediate(() => this.#cleanOn());
  }

  /** Overwrites at least so many bytes, if there are. */
  #clean(bytes: number): void {
    for (let done = 0; done < bytes; ) {
      const piece = this.#dirty.pop();
      if (!piece) return;
      this.#arenas[piece.arena]!.arena.release(piece.address, piece.bytes);
      done += piece.bytes;
    }
  }
}
