import { EngineError } from '../../errors.ts';
import { damaged, truncated } from './image-faults.ts';

/** What the markers of a JPEG say (ITU-T T.81, annex B), read without decoding. */
export interface JpegLayout {
  /** Pixels as stored, EXIF not applied. */
  readonly width: number;
  readonly height: number;
  readonly scans: number;
  /** Samples that the scans pass over, all scans and components together. */
  readonly samples: number;
  /** Bytes of the ICC profile, EXIF and comments. */
  readonly metadata: number;
  readonly segments: number;
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
  readonly samples: ReadonlyMap<number, number>;
}

const [RST0, RST7, SOI, EOI, SOS, APP1, APP2, COM] = [0xd0, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xfe];
/** Baseline, extended and progressive with Huffman codes. */
const ACCEPTED_FRAMES = [0xc0, 0xc1, 0xc2];
/** Other codes between SOF0 and SOF15: tables, an extension, conditioning of arithmetic coding. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/**
 * Reads the markers up to the end of the first picture; pictures behind it (previews, films) are not decoded.
 * @throws EngineError `imageBroken` when the file is truncated, or coded in a way that no camera uses
 */
export function jpegLayout(bytes: Uint8Array): JpegLayout {
  let frame: Frame | undefined;
  let [scans, samples, metadata, segments] = [0, 0, 0, 0];
  for (const { code, payload } of segmentsOf(bytes)) {
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
  return { width: frame.width, height: frame.height, scans, samples, metadata, segments };
}

function* segmentsOf(bytes: Uint8Array): Generator<Segment> {
  for (let at = nextMarker(bytes, 2); bytes[at] !== EOI; ) {
    const code = bytes[at]!;
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
 * Position of the code of the next marker that has a segment, or of EOI. Skips what decoders skip: coded data with its
 * stuffed zeros and restart markers, fill bytes, and bytes between segments.
 */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) throw truncated('jpeg');
    while (bytes[at] === 0xff) at++;
    if (at >= bytes.length) throw truncated('jpeg');
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
  return { width, height, samples: samplesOfComponents(payload.subarray(6), width, height) };
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
