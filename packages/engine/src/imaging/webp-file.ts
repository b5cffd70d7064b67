import { damaged, truncated } from './formats.ts';

/** What the chunks of a WebP say (RFC 9649), read without decoding. */
interface WebpLayout {
  readonly width: number;
  readonly height: number;
  /** Bytes of profile, EXIF and XMP. */
  readonly metadata: number;
  /** Chunks other than that of the picture. */
  readonly chunks: number;
}

/** Bytes of RIFF, the length of the rest, and WEBP; of the type and length of a chunk. */
const [HEAD, CHUNK] = [12, 8];
const METADATA = ['ICCP', 'EXIF', 'XMP '];
/** Sides have 14 bits. */
const SIDE = 0x3fff;

/**
 * Reads the chunks within the length that the file says of itself.
 * @throws EngineError `imageBroken` when it is truncated, or not one still picture
 */
export function webpLayout(bytes: Uint8Array): WebpLayout {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.length < HEAD ? Number.POSITIVE_INFINITY : CHUNK + file.readUInt32LE(4);
  if (end > file.length) throw truncated('webp');
  let size: { readonly width: number; readonly height: number } | undefined;
  let [metadata, chunks] = [0, 0];
  for (let at = HEAD; at + CHUNK <= end; ) {
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const data = file.subarray(at + CHUNK, at + CHUNK + length);
    if (at + CHUNK + length > end) throw truncated('webp');
    if (type === 'VP8 ' || type === 'VP8L') {
      if (size) throw damaged('webp');
      size = type === 'VP8 ' ? lossySize(data) : losslessSize(data);
    } else if (type === 'ANIM' || type === 'ANMF') throw damaged('webp');
    else chunks += 1;
    if (METADATA.includes(type)) metadata += length;
    // Chunks begin at even places.
    at += CHUNK + length + (length & 1);
  }
  if (!size) throw damaged('webp');
  return { ...size, metadata, chunks };
}

/** A key frame of VP8 (RFC 6386, 9.1). */
function lossySize(data: Buffer) {
  if (data.length < 10) throw truncated('webp');
  const [width, height] = [data.readUInt16LE(6) & SIDE, data.readUInt16LE(8) & SIDE];
  if ((data[0]! & 1) !== 0 || data.readUIntBE(3, 3) !== 0x9d012a || width * height === 0)
    throw damaged('webp');
  return { width, height };
}

/** The head of a lossless picture (RFC 9649, 3.4). */
function losslessSize(data: Buffer) {
  if (data.length < 5) throw truncated('webp');
  if (data[0] !== 0x2f) throw damaged('webp');
  const bits = data.readUInt32LE(1);
  return { width: (bits & SIDE) + 1, height: ((bits >>> 14) & SIDE) + 1 };
}
