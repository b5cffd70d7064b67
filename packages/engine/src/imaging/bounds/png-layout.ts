import { damaged, truncated } from './image-faults.ts';

/** What the chunks of a PNG say (ISO/IEC 15948), read without decoding. */
export interface PngLayout {
  readonly width: number;
  readonly height: number;
  /** Bits a sample. */
  readonly depth: number;
  readonly interlaced: boolean;
  /** Whether the picture has an ICC profile, which is applied at full size. */
  readonly profile: boolean;
  /** Filter bytes and samples of all rows. */
  readonly rowBytes: number;
  /** Bytes of compressed pixels. */
  readonly pixelData: number;
  /** Bytes of all ancillary chunks. */
  readonly metadata: number;
  readonly chunks: number;
}

/** Samples of a pixel by colour type (11.2.2). */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS = [1, 2, 4, 8, 16];
/** Signature; length, type and checksum of a chunk. */
const [SIGNATURE, LENGTH_AND_TYPE, CHECKSUM] = [8, 8, 4];

/** Reads the chunks up to IEND. @throws EngineError `imageBroken` */
export function pngLayout(bytes: Uint8Array): PngLayout {
  let header: Pick<PngLayout, 'width' | 'height' | 'depth' | 'interlaced' | 'rowBytes'> | undefined;
  let [pixelData, metadata, chunks, profile] = [0, 0, 0, false];
  for (const { type, data } of chunksOf(bytes)) {
    if (header === undefined) {
      if (type !== 'IHDR') throw damaged('png');
      header = readHeader(data);
    } else if (type === 'IDAT') pixelData += data.length;
    else {
      chunks += 1;
      if (isAncillary(type)) metadata += data.length;
      if (type === 'iCCP') profile = true;
    }
  }
  if (!header) throw truncated('png');
  return { ...header, profile, pixelData, metadata, chunks };
}

function* chunksOf(bytes: Uint8Array): Generator<{ type: string; data: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = SIGNATURE; ; ) {
    const start = at + LENGTH_AND_TYPE;
    if (start > bytes.length) throw truncated('png');
    const end = start + view.getUint32(at);
    if (end + CHECKSUM > bytes.length) throw truncated('png');
    const type = String.fromCharCode(...bytes.subarray(at + 4, start));
    if (type === 'IEND') return;
    yield { type, data: bytes.subarray(start, end) };
    at = end + CHECKSUM;
  }
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

/** By the case of the first letter (5.4). */
function isAncillary(type: string): boolean {
  return type.charCodeAt(0) >= 0x61;
}
