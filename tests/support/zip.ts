import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive; what is left out is true and ordinary. */
export interface ZipEntry {
  /** Text is UTF-8, and marked so. */
  readonly name: string | Buffer;
  readonly bytes: Uint8Array;
  readonly deflated?: boolean;
  readonly method?: number;
  /** Length that the archive says. */
  readonly claimed?: number;
  readonly crc?: number;
  readonly encrypted?: boolean;
  /** Type and permissions of a Unix file. */
  readonly mode?: number;
}

/** A ZIP archive of uncompressed files. @param claimed size that the archive says of each file; default: the true one */
export function zipOf(files: Readonly<Record<string, Uint8Array>>, claimed?: number): Buffer {
  const sizes = claimed === undefined ? {} : { claimed };
  return zipEntries(Object.entries(files).map(([name, bytes]) => ({ name, bytes, ...sizes })));
}

/** @param large with the records of ZIP64 */
export function zipEntries(entries: readonly ZipEntry[], large = false): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { bytes, deflated = false, mode = 0o100_644 } = entry;
    const data = deflated ? deflateRawSync(bytes) : bytes;
    const name = Buffer.from(entry.name as string);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    const utf8 = typeof entry.name === 'string' ? 0x0800 : 0;
    common.writeUInt16LE(utf8 | (entry.encrypted ? 1 : 0), 2);
    common.writeUInt16LE(entry.method ?? (deflated ? 8 : 0), 4);
    common.writeUInt32LE(entry.crc ?? crc32(bytes), 10);
    const claimed = entry.claimed ?? bytes.length;
    common.writeUInt32LE(deflated ? data.length : claimed, 14);
    common.writeUInt32LE(claimed, 18);
    common.writeUInt16LE(name.length, 22);
    const part = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(((mode << 16) >>> 0) as number, 6);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, place, name]));
    parts.push(part);
    offset += part.length;
  }
  const listing = Buffer.concat(directory);
  return Buffer.concat([...parts, listing, endOf(directory.length, listing.length, offset, large)]);
}

function endOf(count: number, length: number, offset: number, large: boolean): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(large ? 0xffff : count, 8);
  end.writeUInt16LE(large ? 0xffff : count, 10);
  end.writeUInt32LE(large ? 0xffffffff : length, 12);
  end.writeUInt32LE(large ? 0xffffffff : offset, 16);
  if (!large) return end;
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end]);
}
