import { createInflate } from 'node:zlib';
import { EngineError } from '../errors.ts';
import type { ImageFormat, ImageLimits } from '../types.ts';
import { plainAvif } from './avif-file.ts';
import { damaged, truncated } from './formats.ts';
import { webpLayout } from './webp-file.ts';

/** What the markers of a JPEG say (ITU-T T.81, annex B), read without decoding. */
interface JpegLayout {
  /** Pixels as stored, EXIF not applied. */
  readonly width: number;
  readonly height: number;
  readonly scans: number;
  /** Samples that the scans pass over, all scans and components together. */
  readonly samples: number;
  /** Bytes of the ICC profile, EXIF and comments. */
  readonly metadata: number;
  readonly segments: number;
  /** False: the marker of the end is missing behind the only picture's last scan, as some cameras write it. */
  readonly ended: boolean;
}

/** A marker segment; entropy-coded data is not part of it. */
interface Segment {
  /** Second byte of the marker. */
  readonly code: number;
  readonly payload: Uint8Array;
}

/** Size and components of a frame, and the samples of each component by its identifier. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly progressive: boolean;
  readonly samples: ReadonlyMap<number, number>;
}

const [RST0, RST7, SOI, EOI, SOS, APP1, APP2, COM] = [0xd0, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xfe];
/** Baseline, extended and progressive with Huffman codes. */
const PROGRESSIVE = 0xc2;
const ACCEPTED_FRAMES = [0xc0, 0xc1, PROGRESSIVE];
/** Other codes between SOF0 and SOF15: tables, an extension, conditioning of arithmetic coding. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/**
 * Reads the markers up to the end of the first picture; pictures behind it (previews, films) are not decoded.
 * @throws EngineError `imageBroken` when the file is truncated, or coded in a way that no camera uses
 */
export function jpegLayout(bytes: Uint8Array): JpegLayout {
  let frame: Frame | undefined;
  let ended = false;
  let [scans, samples, metadata, segments] = [0, 0, 0, 0];
  for (const { code, payload } of segmentsOf(bytes)) {
    ended = code === EOI;
    if (ended) break;
    segments += 1;
    if (isFrame(code)) {
      if (frame) throw damaged('jpeg');
      frame = readFrame(code, payload);
    } else if (code === SOS) {
      if (!frame) throw damaged('jpeg');
      scans += 1;
      samples += samplesOf(payload, frame);
    } else if (isMetadata(code, payload)) metadata += payload.length;
  }
  if (!frame || scans === 0) throw damaged('jpeg');
  if (!ended && !hasAllScans(frame, samples)) throw truncated('jpeg');
  return { width: frame.width, height: frame.height, scans, samples, metadata, segments, ended };
}

/** Whether nothing but coded data can be missing, whose end the decoder notices. Missing scans it replaces by grey. */
function hasAllScans({ progressive, samples }: Frame, passed: number): boolean {
  return !progressive && passed >= [...samples.values()].reduce((sum, count) => sum + count, 0);
}

/** Segments up to and with EOI. Where that is missing, the last one is a scan. @throws EngineError `imageBroken` */
function* segmentsOf(bytes: Uint8Array): Generator<Segment> {
  let code: number | undefined;
  for (let at = nextMarker(bytes, 2); ; ) {
    if (at >= bytes.length && code === SOS) return;
    if (at >= bytes.length) throw truncated('jpeg');
    code = bytes[at]!;
    if (code === EOI) return yield { code, payload: bytes.subarray(at, at) };
    const start = at + 1;
    if (start + 2 > bytes.length) throw truncated('jpeg');
    const length = word(bytes, start);
    if (code === SOI || length < 2) throw damaged('jpeg');
    if (start + length > bytes.length) throw truncated('jpeg');
    yield { code, payload: bytes.subarray(start + 2, start + length) };
    at = nextMarker(bytes, start + length);
  }
}

/**
 * Position of the code of the next marker that has a segment, or of EOI; the end of the file: there is none. Skips what decoders skip: coded data with its
 * stuffed zeros and restart markers, fill bytes, and bytes between segments.
 */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return bytes.length;
    while (bytes[at] === 0xff) at++;
    if (at >= bytes.length) return bytes.length;
    const code = bytes[at]!;
    if (code > 1 && (code < RST0 || code > RST7)) return at;
  }
}

function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && !NO_FRAMES.includes(code);
}

function readFrame(code: number, payload: Uint8Array): Frame {
  if (payload.length < 6) throw damaged('jpeg');
  const [precision, height, width, count] = [payload[0]!, word(payload, 1), word(payload, 3), payload[5]!];
  if (!ACCEPTED_FRAMES.includes(code) || precision !== 8 || ![1, 3, 4].includes(count)) {
    throw new EngineError(
      'imageBroken',
      'The JPEG is arithmetically coded, lossless, hierarchical, or has another number of bits or colours than cameras write; save it again as an ordinary JPEG.',
    );
  }
  if (width === 0 || height === 0 || payload.length !== 6 + 3 * count) throw damaged('jpeg');
  const samples = samplesOfComponents(payload.subarray(6), width, height);
  return { width, height, progressive: code === PROGRESSIVE, samples };
}

/** Samples in whole minimum coded units (A.2.4). */
function samplesOfComponents(fields: Uint8Array, width: number, height: number): Map<number, number> {
  const components = Array.from({ length: fields.length / 3 }, (_, i) => {
    const factors = fields[3 * i + 1]!;
    return { id: fields[3 * i]!, across: factors >> 4, down: factors & 15 };
  });
  if (components.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)) {
    throw damaged('jpeg');
  }
  const unit = (factors: readonly number[]) => 8 * Math.max(...factors);
  const units =
    Math.ceil(width / unit(components.map(({ across }) => across))) *
    Math.ceil(height / unit(components.map(({ down }) => down)));
  return new Map(components.map(({ id, across, down }) => [id, units * across * down * 64]));
}

/** Samples that a scan passes over: those of its components, whatever part of their bits it has. */
function samplesOf(payload: Uint8Array, { samples }: Frame): number {
  const count = payload[0] ?? 0;
  if (count < 1 || count > 4 || payload.length !== 4 + 2 * count) throw damaged('jpeg');
  let sum = 0;
  for (let i = 0; i < count; i++) sum += samples.get(payload[1 + 2 * i]!) ?? 0;
  return sum;
}

function isMetadata(code: number, payload: Uint8Array): boolean {
  if (code === COM) return true;
  const starts = (text: string) => Buffer.from(payload.subarray(0, text.length)).toString('latin1') === text;
  return (code === APP1 && starts('Exif')) || (code === APP2 && starts('ICC_PROFILE'));
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

/** A chunk of a PNG (ISO/IEC 15948, 5.3) as positions in the file. */
interface PngChunk {
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
const SIGNATURE = 8;
const [LENGTH_AND_TYPE, CHECKSUM] = [8, 4];

/** @example chunkType('IHDR') // 0x49484452 */
function chunkType(letters: string): number {
  return Buffer.from(letters, 'latin1').readUInt32BE();
}

/** Chunks up to and with IEND. There may be hundreds of thousands. @throws EngineError `imageBroken` when one is cut off */
function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
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
interface PngLayout {
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
function mostPixelBytes({ rowBytes }: PngLayout): number {
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

/** A PNG without the chunks that decoding does not need. */
export interface PlainPng {
  readonly bytes: Uint8Array;
  /** Whether it has an ICC profile. */
  readonly profile: boolean;
}

const ICCP = chunkType('iCCP');
/** Critical chunks, and what changes colours or orientation. */
const NEEDED = new Set([...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'eXIf'].map(chunkType), ICCP]);

/**
 * Compressed pixels beyond this number of bytes are inflated before decoding, without being kept. Deflate makes up to
 * 1,032 bytes of one: fewer can hide 0.4 s of inflating. That of ordinary pixels takes 3 ms a megabyte.
 */
const INSPECTED = 4 << 20;

/**
 * Leaves out text and other chunks, which the decoder would inflate to a thousand times their size, and checks that the
 * pixel data has no more than the pixels, as the decoder inflates all of it.
 * @throws EngineError `imageBroken`
 */
export async function plainPng(bytes: Uint8Array): Promise<PlainPng> {
  const layout = pngLayout(bytes);
  if (layout.pixelData > INSPECTED) await requireNoSurplus(bytes, layout.pixelData, mostPixelBytes(layout));
  const kept = [{ from: 0, to: SIGNATURE }];
  let profile = false;
  for (const { type, from, to } of pngChunks(bytes)) {
    if (!NEEDED.has(type)) continue;
    if (type === ICCP) profile = true;
    const last = kept.at(-1)!;
    if (last.to === from) last.to = to;
    else kept.push({ from, to });
  }
  const parts = kept.map(({ from, to }) => bytes.subarray(from, to));
  return { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), profile };
}

async function requireNoSurplus(bytes: Uint8Array, length: number, most: number): Promise<void> {
  const data = Buffer.allocUnsafe(length);
  let at = 0;
  for (const { start, end } of chunksOfPixels(bytes)) {
    data.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  const inflate = createInflate({ chunkSize: 1 << 20 });
  inflate.end(data);
  let inflated = 0;
  try {
    for await (const piece of inflate) {
      inflated += (piece as Buffer).length;
      if (inflated > most) break;
    }
  } catch {
    // Damaged data is the decoder's to report.
  }
  if (inflated > most) throw damaged('png');
}

function* chunksOfPixels(bytes: Uint8Array): Generator<PngChunk> {
  for (const chunk of pngChunks(bytes)) if (chunk.type === IDAT) yield chunk;
}

/** Limits that are left out: pictures of phones stay far below them. */
const DEFAULTS = { maxSide: 16_384, maxScans: 100, maxWork: 1e9, maxMetadata: 2 << 20 } as const;

/** Segments of a JPEG, chunks of a PNG other than its pixels: decoders keep each of them in memory. */
const MAX_PARTS = 10_000;

/**
 * @NOTE work
 * Work of decoding in samples of a scan of a JPEG, so that equal numbers take about equal time (measured with libvips
 * 8.18). The bytes of the rows of a PNG cost as much, six times as much with 16 bits, and eight times when interlaced:
 * those are passed over in several passes and kept in memory. The pixels of a WebP cost as much; those of
 * AV1 up to 76 ns and 27 bytes of memory, with 12 bits and without subsampling, and each coded byte up to 210 ns.
 */
const DEEP = 6;
const INTERLACED = 8;
const AV1 = 60;

/** What decoding needs to know of a picture before. */
export interface StoredSize {
  /** Pixels as stored, EXIF not applied. */
  readonly width: number;
  readonly height: number;
  /** Whether the first pixels need all scans of a JPEG. */
  readonly progressive: boolean;
  /** A JPEG without EXIF, profile and comments: it is stored upright. */
  readonly plain?: boolean;
  /** What is decoded in place of the file. */
  readonly bytes?: Uint8Array;
}

interface Layout extends StoredSize {
  /** Bytes of profile, EXIF, comments and the like. */
  readonly metadata: number;
  /** See `DEFAULTS`. */
  readonly work: number;
}

/**
 * Refuses a picture that would cost too much to decode, by what its headers say. Nothing is decoded.
 * @throws EngineError `imageBroken`, with the figure found and the one allowed
 */
export function requireAffordable(bytes: Uint8Array, format: ImageFormat, limits: ImageLimits): StoredSize {
  const { maxPixels, maxSide, maxWork, maxMetadata } = { ...DEFAULTS, ...limits };
  const { work, metadata, ...stored } = layoutOf[format](bytes, limits);
  const { width, height } = stored;
  const size = `The picture is ${width}×${height}`;
  requireAtMost(width * height, maxPixels, `${size} = ${width * height} pixels`);
  requireAtMost(Math.max(width, height), maxSide, `${size} pixels`, ' on a side');
  requireAtMost(
    metadata,
    maxMetadata,
    `The picture has ${metadata} bytes of metadata (profile, EXIF, comments)`,
  );
  requireAtMost(work, maxWork, `Decoding the picture takes ${work} steps over samples`);
  return stored;
}

/** Marker of the end; with it, the decoder tells whether all coded data is there. */
const END_OF_JPEG = Uint8Array.of(0xff, EOI);

const layoutOf: Readonly<Record<ImageFormat, (bytes: Uint8Array, limits: ImageLimits) => Layout>> = {
  jpeg(bytes, limits) {
    const { scans, samples, segments, ended, ...layout } = jpegLayout(bytes);
    requireAtMost(segments - scans, MAX_PARTS, `The JPEG has ${segments - scans} segments`);
    requireAtMost(scans, limits.maxScans ?? DEFAULTS.maxScans, `The JPEG has ${scans} scans`);
    const whole = ended ? {} : { bytes: Buffer.concat([bytes, END_OF_JPEG]) };
    return { ...layout, ...whole, progressive: scans > 1, plain: layout.metadata === 0, work: samples };
  },
  png(bytes) {
    const layout = pngLayout(bytes);
    const { width, height, metadata, depth, interlaced, rowBytes, pixelData, chunks } = layout;
    requireAtMost(chunks, MAX_PARTS, `The PNG has ${chunks} chunks besides its pixels`);
    if (pixelData > mostPixelBytes(layout)) throw damaged('png');
    const work = rowBytes * (interlaced ? INTERLACED : depth === 16 ? DEEP : 1);
    return { width, height, metadata, progressive: false, work };
  },
  webp(bytes) {
    const { chunks, ...layout } = webpLayout(bytes);
    requireAtMost(chunks, MAX_PARTS, `The WebP has ${chunks} chunks besides its pixels`);
    return { ...layout, progressive: false, work: layout.width * layout.height };
  },
  avif(bytes) {
    const { decoded, ...layout } = plainAvif(bytes);
    return { ...layout, progressive: false, work: (decoded + layout.bytes.length) * AV1 };
  },
};

function requireAtMost(found: number, limit: number, what: string, where = ''): void {
  if (found <= limit) return;
  throw new EngineError(
    'imageBroken',
    `${what}; at most ${limit}${where} are accepted; send a smaller picture, saved as an ordinary JPEG.`,
  );
}
