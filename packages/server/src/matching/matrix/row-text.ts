/** Rows of a block, so that a rewrite is short. */
const blockRows = 1024;

/** Initial capacity of a block, and its growth. */
const leastBytes = 16 * 28;
const growth = 1.2;

/** Maximum length of a user_id or user_name, bytes. */
const maxTextBytes = 0xffff;

interface TextBlock {
  bytes: Uint8Array;
  used: number;
}

/**
 * The user_ids and user_names of a gallery's rows. As strings of JavaScript they would take about a hundred bytes a row
 * more. A record is length (u16) and UTF-8 bytes of the user_id, then of the user_name.
 */
export class RowText {
  readonly #blocks: TextBlock[] = [];
  /** Of each row, where its record begins in its block. */
  #starts = new Uint32Array(16);
  #rows = 0;

  get bytes(): number {
    return this.#blocks.reduce((sum, { bytes }) => sum + bytes.length, this.#starts.byteLength);
  }

  /** UTF-8, whose order is that of code points. */
  id(row: number): Uint8Array {
    const { bytes } = this.#blocks[Math.floor(row / blockRows)]!;
    const at = this.#starts[row]!;
    return bytes.subarray(at + 2, at + 2 + lengthAt(bytes, at));
  }

  name(row: number): Uint8Array {
    const { bytes } = this.#blocks[Math.floor(row / blockRows)]!;
    const id = this.#starts[row]!;
    const at = id + 2 + lengthAt(bytes, id);
    return bytes.subarray(at + 2, at + 2 + lengthAt(bytes, at));
  }

  /** @param row an existing row, or the next one @throws RangeError when a text is too long */
  set(row: number, id: Uint8Array, name: Uint8Array): void {
    if (Math.max(id.length, name.length) > maxTextBytes)
      throw new RangeError(`a user_id or name of more than ${maxTextBytes} bytes`);
    const size = 4 + id.length + name.length;
    if (row < this.#rows) this.#erase(row);
    else if (row === this.#starts.length) {
      const starts = new Uint32Array(2 * row);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    const index = Math.floor(row / blockRows);
    this.#blocks[index] ??= { bytes: new Uint8Array(leastBytes), used: 0 };
    if (this.#blocks[index].used + size > this.#blocks[index].bytes.length) this.#rewrite(index, row, size);
    const block = this.#blocks[index];
    this.#starts[row] = block.used;
    for (const text of [id, name]) {
      block.bytes[block.used] = text.length;
      block.bytes[block.used + 1] = text.length >>> 8;
      block.bytes.set(text, block.used + 2);
      block.used += 2 + text.length;
    }
    this.#rows = Math.max(this.#rows, row + 1);
  }

  /** Erases the last row. */
  pop(): void {
    this.#rows--;
    this.#erase(this.#rows);
    if (this.#rows % blockRows === 0) this.#blocks.pop();
  }

  #erase(row: number): void {
    this.id(row).fill(0);
    this.name(row).fill(0);
  }

  /** Copies the records of a block, without that of one row, to where there is room for `more` bytes. */
  #rewrite(index: number, without: number, more: number): void {
    const old = this.#blocks[index]!.bytes;
    const first = index * blockRows;
    const records: [row: number, from: number, end: number][] = [];
    let live = more;
    for (let row = first; row < Math.min(first + blockRows, this.#rows); row++) {
      if (row === without) continue;
      const from = this.#starts[row]!;
      const name = from + 2 + lengthAt(old, from);
      const end = name + 2 + lengthAt(old, name);
      records.push([row, from, end]);
      live += end - from;
    }
    const bytes = new Uint8Array(Math.max(leastBytes, Math.ceil(live * growth)));
    let used = 0;
    for (const [row, from, end] of records) {
      bytes.set(old.subarray(from, end), used);
      this.#starts[row] = used;
      used += end - from;
    }
    this.#blocks[index] = { bytes, used };
    old.fill(0);
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}
