import sharp, { type Sharp } from 'sharp';
import { EngineError } from '../errors.ts';
import type { Box, ImageFormat, ImageLimits } from '../types.ts';
import { type PlainPng, plainPng, requireAffordable, type StoredSize } from './file-bounds.ts';
import { acceptedFormats, damaged, imageType, remedyOf, truncated } from './formats.ts';
import type { KeptPixels } from './sampler.ts';
import { noWorkLimit, type WorkClock } from './work-clock.ts';

/** A decoded picture. */
export interface Picture extends KeptPixels {
  readonly format: ImageFormat;
  /** Whether fewer pixels are kept than could be. */
  readonly coarse?: boolean;
}

/**
 * Longest side that is kept, pixels. Decoding is the largest single cost: 1600 takes a third less time than 2048 on a
 * 12-megapixel photo, and a face on a hand-held card still has about 60 pixels.
 */
const KEPT_SIDE = 1600;

/**
 * What the size of a coarse copy is divided by, and the longer side from which it is: a face that spans a fifth of the copy
 * has the detail that networks take. The decoder of JPEG divides by 8, 4 or 2 before it computes pixels; sharp asks it for
 * the next smaller one of these where the size is divided by just as much.
 */
const SHRINKS = [
  { by: 9, from: 7200 },
  { by: 5, from: 4000 },
  { by: 3, from: 2880 },
  { by: 2, from: 1920 },
] as const;

/** Between two steps of decoding. */
const STORED = { compressionLevel: 0 } as const;

/** Parallelism comes from the worker pool, and a server must not cache pictures. */
sharp.concurrency(1);
sharp.cache(false);

/**
 * Decodes a picture to upright RGB pixels. Transparency becomes white, but that of AVIF, which is left out; CMYK and colour profiles are converted to sRGB.
 * @throws EngineError `imageType` when the bytes are of no format that is read, with the detected type; `imageBroken` when they are
 * truncated, corrupt or exceed a limit; what the clock throws.
 * @param least scale that suffices, 0…1. 1 keeps at most `KEPT_SIDE` pixels; 0 keeps 800 to 1440 of a large JPEG, in half of
 * the time, other values as much of it as they need. Other pictures are kept as with 1, also progressive JPEGs, whose
 * coefficients are all read before the first pixel: that is most of their time.
 * @example const picture = await decodeImage(bytes, { maxBytes: 10 << 20, maxPixels: 50e6 });
 */
export async function decodeImage(
  bytes: Uint8Array,
  limits: ImageLimits,
  clock: WorkClock = noWorkLimit,
  least: number = 1,
): Promise<Picture> {
  const type = imageType(bytes);
  if (type.format === 'other') {
    throw new EngineError(
      'imageType',
      `The bytes look like ${type.looksLike}; only ${acceptedFormats} are accepted${remedyOf(type.looksLike)}.`,
    );
  }
  if (bytes.length > limits.maxBytes) {
    throw new EngineError(
      'imageBroken',
      `The picture has ${bytes.length} bytes; at most ${limits.maxBytes} are accepted.`,
    );
  }
  const stored = requireAffordable(bytes, type.format, limits);
  const png =
    type.format === 'png' ? await plainPng(bytes) : { bytes: stored.bytes ?? bytes, profile: false };
  const file = { ...png, plain: stored.plain ?? false };
  const reduced = await reducedSize(file.bytes, type.format, stored, stored.progressive ? 1 : least);
  const decoded = await readPixels(file, type.format, reduced, clock);
  const { width, height } = reduced?.of ?? decoded;
  return {
    pixels: decoded.pixels,
    keptWidth: decoded.width,
    keptHeight: decoded.height,
    width,
    height,
    scale: Math.max(decoded.width, decoded.height) / Math.max(width, height),
    format: type.format,
    coarse: reduced?.coarse ?? false,
  };
}

/** A box that the upright picture is fitted into, pixels. */
interface Reduced {
  readonly width: number;
  readonly height: number;
  /** Size of the upright picture. */
  readonly of: { readonly width: number; readonly height: number };
  readonly coarse: boolean;
}

/**
 * @param least see `decodeImage`
 * @returns undefined: all pixels are kept. A quarter of the time of decoding goes even into a resize that changes nothing,
 * and a tenth into opening the picture once more for its orientation.
 */
async function reducedSize(
  bytes: Uint8Array,
  format: ImageFormat,
  stored: StoredSize,
  least: number,
): Promise<Reduced | undefined> {
  const longest = Math.max(stored.width, stored.height);
  if (longest <= KEPT_SIDE) return undefined;
  const { width, height } = stored;
  const of = stored.plain ? { width, height } : await uprightSize(bytes, format);
  const by = format === 'jpeg' ? divisor(longest, least) : undefined;
  if (by === undefined) return { width: KEPT_SIDE, height: KEPT_SIDE, of, coarse: false };
  return { width: divided(of.width, by), height: divided(of.height, by), of, coarse: true };
}

/** The largest of `SHRINKS` that leaves the least scale, and less than is kept. */
function divisor(longest: number, least: number): number | undefined {
  const suffices = ({ by, from }: (typeof SHRINKS)[number]) =>
    longest >= from && by * least <= 1 && divided(longest, by) < KEPT_SIDE;
  return SHRINKS.find(suffices)?.by;
}

function divided(length: number, by: number): number {
  return Math.max(1, Math.floor(length / by));
}

/** Size with the orientation of EXIF applied. */
async function uprightSize(bytes: Uint8Array, format: ImageFormat) {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw broken(format, error);
    });
  return autoOrient;
}

async function readPixels(
  file: PlainPng & { readonly plain: boolean },
  format: ImageFormat,
  reduced: Reduced | undefined,
  clock: WorkClock,
) {
  const open = (bytes: Uint8Array) => {
    const picture = openPicture(bytes, clock, file.plain);
    return reduced ? scaleDown(picture, reduced) : picture;
  };
  try {
    // The decoder applies the profile of a PNG to all of its pixels, of a JPEG to those that are left.
    const bytes = file.profile ? await open(file.bytes).keepIccProfile().png(STORED).toBuffer() : file.bytes;
    const { data, info } = await open(bytes)
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { pixels: toRgb(data, info.channels), width: info.width, height: info.height };
  } catch (error) {
    clock.check();
    throw broken(format, error);
  }
}

function scaleDown(picture: Sharp, { width, height }: Reduced): Sharp {
  return picture.resize({ width, height, fit: 'inside', withoutEnlargement: true, kernel: 'linear' });
}

/**
 * `limitInputPixels` is off: `requireAffordable` is the limit, and its error names the numbers.
 * @param plain it has no orientation, and nothing is transparent: looking for them takes 6 % of decoding a small JPEG
 */
function openPicture(bytes: Uint8Array, clock: WorkClock, plain: boolean): Sharp {
  const seconds = wholeSeconds(clock.remaining());
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'warning' }).timeout({ seconds });
  return plain ? picture : picture.autoOrient().flatten({ background: '#ffffff' });
}

/** For the decoder, which takes at most an hour; rounded up, so that the clock has run out when it gives up. */
function wholeSeconds(milliseconds: number): number {
  return Math.min(3600, Math.max(1, Math.ceil(milliseconds / 1000)));
}

/** Greyscale has one channel (two with alpha), colour three or four. */
function toRgb(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const count = data.length / channels;
  const colour = channels > 2;
  const rgb = new Uint8Array(count * 3);
  for (let i = 0; i < count; i++) {
    const at = i * channels;
    rgb[i * 3] = data[at]!;
    rgb[i * 3 + 1] = data[colour ? at + 1 : at]!;
    rgb[i * 3 + 2] = data[colour ? at + 2 : at]!;
  }
  return rgb;
}

/** Messages of the decoder can hold paths and library names, so only the kind of the fault is reported. */
function broken(format: ImageFormat, cause: unknown): EngineError {
  const said = cause instanceof Error ? cause.message : '';
  if (/^timeout/i.test(said)) {
    return new EngineError('deadline', 'The picture was not decoded by the deadline of its call.', { cause });
  }
  if (/(out of|insufficient) memory/i.test(said)) {
    return new EngineError(
      'imageBroken',
      'Decoding the picture takes more memory than a worker may allocate; send a smaller one, saved as an ordinary JPEG.',
      { cause },
    );
  }
  const isShort = /premature end|end of|truncat|too short|not enough/i.test(said);
  return isShort ? truncated(format, { cause }) : damaged(format, { cause });
}

/**
 * Encodes a part of a picture as a JPEG without metadata and without chroma subsampling.
 * @param box in pixels of the upright full-size picture; clipped to the picture
 * @param largest longest side of the JPEG in pixels; the kept pixels are never enlarged
 * @param quality of the JPEG, 1…100
 * @returns the JPEG, its part of the upright picture in pixels, and its pixels per pixel of that part
 */
export async function cutJpeg(
  { pixels, keptWidth, keptHeight, scale }: Picture,
  box: Box,
  largest: number,
  quality: number,
): Promise<{ jpeg: Uint8Array; part: Box; scale: number }> {
  const left = Math.min(Math.max(0, Math.floor(box.x * scale)), keptWidth - 1);
  const top = Math.min(Math.max(0, Math.floor(box.y * scale)), keptHeight - 1);
  const width = Math.max(1, Math.min(keptWidth, Math.ceil((box.x + box.width) * scale)) - left);
  const height = Math.max(1, Math.min(keptHeight, Math.ceil((box.y + box.height) * scale)) - top);
  const raw = { width: keptWidth, height: keptHeight, channels: 3 } as const;
  const { data, info } = await sharp(pixels, { raw })
    .extract({ left, top, width, height })
    .resize({ width: largest, height: largest, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true });
  const part = { x: left / scale, y: top / scale, width: width / scale, height: height / scale };
  return { jpeg: new Uint8Array(data), part, scale: info.width / part.width };
}
