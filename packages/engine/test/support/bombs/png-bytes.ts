import { constants, crc32, deflateRawSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A PNG chunk (ISO/IEC 15948, 5.3). */
export function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** What a PNG header claims. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits a sample. */
  readonly depth?: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  readonly colour?: number;
  readonly interlaced?: boolean;
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A black PNG. @param before chunks between header and data @param surplus bytes of data beyond those of the picture */
export function blackPng(header: PngHeader, before: readonly Uint8Array[] = [], surplus = 0): Buffer {
  const data = deflatedZeros(rawBytes(header) + surplus);
  return Buffer.concat([SIGNATURE, headerChunk(header), ...before, chunk('IDAT', data), chunk('IEND')]);
}

/** The same in IDAT chunks of `size` bytes. */
export function blackPngInPieces(header: PngHeader, size: number): Buffer {
  const data = deflatedZeros(rawBytes(header));
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.length; at += size) pieces.push(chunk('IDAT', data.subarray(at, at + size)));
  return Buffer.concat([SIGNATURE, headerChunk(header), ...pieces, chunk('IEND')]);
}

/** A header that is followed by nothing. */
export const bareHeader = (header: PngHeader): Buffer => Buffer.concat([SIGNATURE, headerChunk(header)]);

function headerChunk({ width, height, depth = 8, colour = 2, interlaced = false }: PngHeader): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', data);
}

/** Filter bytes and samples; the seven passes of Adam7 (8.2) have rows of their own. */
function rawBytes({ width, height, depth = 8, colour = 2, interlaced = false }: PngHeader): number {
  const bits = depth * CHANNELS[colour]!;
  const rows = (columns: number, count: number) =>
    columns > 0 ? count * (1 + Math.ceil((columns * bits) / 8)) : 0;
  if (!interlaced) return rows(width, height);
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  const steps = (length: number, from: number, by: number) => Math.max(0, Math.ceil((length - from) / by));
  return passes.reduce((sum, [x, y, dx, dy]) => sum + rows(steps(width, x, dx), steps(height, y, dy)), 0);
}

const PIECE = 2 ** 20;

/** A zlib stream (RFC 1950) of zeros, about a thousandth of their number; made without having them in memory. */
export function deflatedZeros(count: number): Buffer {
  const piece = flushed(PIECE);
  const pieces = Array<Buffer>(Math.floor(count / PIECE)).fill(piece);
  const check = Buffer.alloc(4);
  // Adler-32 of zeros: one sum stays 1, the other one counts.
  check.writeUInt32BE((((count % 65_521) << 16) | 1) >>> 0);
  const last = Buffer.from([0x03, 0x00]);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...pieces, flushed(count % PIECE), last, check]);
}

function flushed(count: number): Buffer {
  return deflateRawSync(Buffer.alloc(count), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
}
