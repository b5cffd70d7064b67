// Text of a block, UTF-8 in the same memory: for each row the offset of its record from the start of the text (u32;
// 0: none); a record is length (u16) and bytes of user_id, then of user_name.

/** Bytes of text of one block, and a row of it. */
interface RowText {
  readonly bytes: Uint8Array;
  /** Counted from the start of the block. */
  readonly row: number;
}

/** Maximum length of user_id or user_name, bytes. */
export const maxTextBytes = 0xffff;

/** Empty for a row without a record: a tombstone from before its block's text was rewritten. */
export function idOf({ bytes, row }: RowText): Uint8Array {
  const at = recordOf(bytes, row);
  if (at === 0) return bytes.subarray(0, 0);
  return bytes.subarray(at + 2, at + 2 + sizeAt(bytes, at));
}

/** Empty as `idOf`. */
export function nameOf({ bytes, row }: RowText): Uint8Array {
  const at = recordOf(bytes, row);
  if (at === 0) return bytes.subarray(0, 0);
  const name = at + 2 + sizeAt(bytes, at);
  return bytes.subarray(name + 2, name + 2 + sizeAt(bytes, name));
}

/** Order of user_ids by code points, which is that of their UTF-8 bytes. */
export function compareIds(a: RowText, b: RowText): number {
  return Buffer.compare(idOf(a), idOf(b));
}

/** Bytes of a record. */
export function recordBytes(id: Uint8Array, name: Uint8Array): number {
  return 4 + id.length + name.length;
}

/** @param at where the record begins, from the start of the text */
export function writeRecord({ bytes, row }: RowText, at: number, id: Uint8Array, name: Uint8Array): void {
  writeSize(bytes, at, id);
  writeSize(bytes, at + 2 + id.length, name);
  for (let i = 0; i < 4; i++) bytes[row * 4 + i] = at >>> (8 * i);
}

function writeSize(bytes: Uint8Array, at: number, text: Uint8Array): void {
  bytes[at] = text.length;
  bytes[at + 1] = text.length >>> 8;
  bytes.set(text, at + 2);
}

function recordOf(bytes: Uint8Array, row: number): number {
  const at = row * 4;
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

function sizeAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}
