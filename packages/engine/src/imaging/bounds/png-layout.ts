import { damaged, truncated } from './image-faults.ts';
import { chunkType, pngChunks } from './png-chunks.ts';

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
