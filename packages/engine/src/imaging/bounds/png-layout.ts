import { damaged, truncated } from './image-faults.ts';

/** A chunk of a PNG (ISO/IEC 15948, 5.3) as positions in the file. */
export interface PngChunk {
  /** The four letters as a number, see `chunkType`. */
  readonly type: number;
  /** Where length, type, data and checksum begin and end. */
  readonly from: number;
  readonly to: number;
  /** Where the data begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** Bytes of the signature; of length and type; of the checksum. */
export const SIGNATURE = 8;
const [LENGTH_AND_TYPE, CHECKSUM] = [8, 4];

/** @example chunkType('IHDR') // 0x49484452 */
export function chunkType(letters: string): number {
  return Buffer.from(letters, 'latin1').readUInt32BE();
}

/** Chunks up to and with IEND. There may be hundreds of thousands. @throws EngineError `imageBroken` when one is cut off */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = SIGNATURE; ; ) {
    const start = from + LENGTH_AND_TYPE;
    if (start > bytes.length) throw truncated('png');
    const end = start + view.getUint32(from);
    const to = end + CHECKSUM;
    if (to > bytes.length) throw truncated('png');
    const type = view.getUint32(from + 4);
    if (type === IEND && end > start) throw damaged('png');
    yield { type, from, to, start, end };
    if (type === IEND) return;
    from = to;
  }
}

/** What the chunks of a PNG say (ISO/IEC 15948), read without decoding. */
export interface PngLayout {
  readonly width: number;
  readonly height: number;
  /** Bits a sample. */
  readonly depth: number;
  readonly interlaced: boolean;
  /** Filter bytes and samples of all rows. */
  readonly rowBytes: number;
  /** Bytes of compressed pixels. */
  readonly pixelData: number;
  /** Bytes of all ancillary chunks. */
  readonly metadata: number;
  /** Chunks other than those of pixels. */
  readonly chunks: number;
}

/** Samples of a pixel by colour type (11.2.2). */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS = [1, 2, 4, 8, 16];
const [IHDR, IDAT, IEND] = [chunkType('IHDR'), chunkType('IDAT'), chunkType('IEND')];
/** Bit of the first letter's case: set in ancillary chunks (5.4). */
const ANCILLARY = 0x20000000;

/** Pixel data beyond the rows, as a share and as bytes: passes of an interlaced picture have further filter bytes. */
const SURPLUS = { share: 1.1, bytes: 65_536 } as const;

/** Most bytes of pixel data, compressed or not, that belong to the picture: deflate never needs more than that. */
export function mostPixelBytes({ rowBytes }: PngLayout): number {
  return rowBytes * SURPLUS.share + SURPLUS.bytes;
}

/** Reads the chunks up to IEND. @throws EngineError `imageBroken` */
export function pngLayout(bytes: Uint8Array): PngLayout {
  let header: Pick<PngLayout, 'width' | 'height' | 'depth' | 'interlaced' | 'rowBytes'> | undefined;
  let [pixelData, metadata, chunks] = [0, 0, 0];
  for (const { type, start, end } of pngChunks(bytes)) {
    if (header === undefined) {
      if (type !== IHDR) throw damaged('png');
      header = readHeader(bytes.subarray(start, end));
    } else if (type === IDAT) pixelData += end - start;
    else if (type !== IEND) {
      chunks += 1;
      if ((type & ANCILLARY) !== 0) metadata += end - start;
    }
  }
  if (!header) throw truncated('png');
  return { ...header, pixelData, metadata, chunks };
}

function readHeader(data: Uint8Array) {
  if (data.length !== 13) throw damaged('png');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [width, height, depth] = [view.getUint32(0), view.getUint32(4), data[8]!];
  const channels = CHANNELS[data[9]!];
  const valid = width > 0 && height > 0 && channels !== undefined && DEPTHS.includes(depth) && data[12]! < 2;
  if (!valid) throw damaged('png');
  const rowBytes = height * (1 + Math.ceil((width * channels * depth) / 8));
  return { width, height, depth, interlaced: data[12] === 1, rowBytes };
}
