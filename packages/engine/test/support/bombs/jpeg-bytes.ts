/** A JPEG marker segment (ITU-T T.81, B.1.1.4). @param code second byte of the marker */
export function segment(code: number, payload: Uint8Array | readonly number[]): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(payload.length + 2);
  return Buffer.concat([Buffer.from([0xff, code]), length, Buffer.from(payload)]);
}

export const SOI: Buffer = Buffer.from([0xff, 0xd8]);
export const EOI: Buffer = Buffer.from([0xff, 0xd9]);

/** Frame header. @param kind low byte of the marker: 0xc0 baseline, 0xc2 progressive, 0xc9 arithmetic */
export function frame(kind: number, width: number, height: number, components = 3, precision = 8): Buffer {
  const fields = Array.from({ length: components }, (_, i) => [i + 1, 0x11, 0]).flat();
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return segment(kind, [precision, ...size, components, ...fields]);
}

/** Scan header. @param approximation high and low bit position of successive approximation, four bits each */
export function scan(components: readonly number[], first = 0, last = 63, approximation = 0): Buffer {
  const tables = components.flatMap((id) => [id, 0]);
  return segment(0xda, [components.length, ...tables, first, last, approximation]);
}

/** Quantisation of ones, and Huffman tables with the one code 0. @param ac the symbol that it stands for in AC scans */
export function tables(ac: number): Buffer {
  const quantisation = segment(0xdb, [0, ...Array(64).fill(1)]);
  const oneCode = [1, ...Array(15).fill(0)];
  return Buffer.concat([
    quantisation,
    segment(0xc4, [0x00, ...oneCode, 0]),
    segment(0xc4, [0x10, ...oneCode, ac]),
  ]);
}

/** Blocks of 8 × 8 samples of one component. */
export const blocks = (width: number, height: number) => Math.ceil(width / 8) * Math.ceil(height / 8);

/** Bits of value 0, the last byte filled up with ones. */
export function zeroBits(count: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(count / 8));
  if (count % 8 > 0) bytes[bytes.length - 1] = 0xff >> (count % 8);
  return bytes;
}

/** A grey picture in 1 + `further` scans of a sequential JPEG, each of which has every sample. */
export function greyJpeg(width: number, height: number, components = 3): Buffer {
  const all = Array.from({ length: components }, (_, i) => i + 1);
  // A DC difference of 0 and the end of the block: two bits a block.
  const data = zeroBits(2 * components * blocks(width, height));
  return Buffer.concat([SOI, tables(0), frame(0xc0, width, height, components), scan(all), data, EOI]);
}

/** A grey picture of sequential scans: the same component again and again. */
export function repeatedScans(width: number, height: number, scans: number): Buffer {
  const once = Buffer.concat([scan([1]), zeroBits(2 * blocks(width, height))]);
  return Buffer.concat([SOI, tables(0), frame(0xc0, width, height, 1), ...Array(scans).fill(once), EOI]);
}

/** A grey picture with a restart marker behind each block. */
export function restartEverywhere(width: number, height: number): Buffer {
  const count = blocks(width, height);
  const data = Buffer.alloc(3 * count - 2);
  for (let i = 0; i < count; i++) {
    data[3 * i] = 0x3f;
    if (i < count - 1) data.set([0xff, 0xd0 + (i % 8)], 3 * i + 1);
  }
  const header = [SOI, tables(0), frame(0xc0, width, height, 1), segment(0xdd, [0, 1]), scan([1])];
  return Buffer.concat([...header, data, EOI]);
}

/** A grey progressive picture: every bit of every coefficient in a scan of its own, up to 2,647 scans. */
export function progressiveScans(width: number, height: number, scans: number): Buffer {
  const parts = [SOI, tables(0xe0), frame(0xc2, width, height), scan([1, 2, 3], 0, 0)];
  parts.push(zeroBits(3 * blocks(width, height)));
  const data = endOfBands(blocks(width, height));
  for (let index = 0; index < scans - 1; index++) {
    const bit = 13 - (index % 14);
    const coefficient = 1 + (Math.floor(index / 14) % 63);
    const component = 1 + Math.floor(index / (14 * 63));
    const approximation = bit === 13 ? 13 : ((bit + 1) << 4) | bit;
    parts.push(scan([component], coefficient, coefficient, approximation), data);
  }
  return Buffer.concat([...parts, EOI]);
}

/** Runs of 32,767 blocks without a coefficient: the code 0 and 14 bits of one each. */
function endOfBands(count: number): Buffer {
  const bits = Math.ceil(count / 32_767) * 15;
  const bytes: number[] = [];
  for (let at = 0; at < bits; at += 8) {
    let byte = 0;
    for (let bit = at; bit < at + 8; bit++) byte = (byte << 1) | (bit >= bits || bit % 15 > 0 ? 1 : 0);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
}
