import { EngineError } from '../../errors.ts';
import type { ImageLimits } from '../../types.ts';
import { damaged, type ImageFormat } from './image-faults.ts';
import { type JpegLayout, jpegLayout } from './jpeg-layout.ts';
import { type PngLayout, pngLayout } from './png-layout.ts';

/** Limits that are left out: pictures of phones stay far below them. */
const DEFAULTS = { maxSide: 16_384, maxScans: 100, maxWork: 1e9, maxMetadata: 2 << 20 } as const;

/** Segments of a JPEG, chunks of a PNG other than its pixels: decoders keep each of them in memory. */
const MAX_PARTS = 10_000;

/**
 * @NOTE work
 * Work of decoding in samples of a scan of a JPEG, so that equal numbers take about equal time (measured with libvips
 * 8.18). The bytes of the rows of a PNG cost as much, 4.5 times as much with 16 bits, and seven times when interlaced:
 * those are passed over in several passes and kept in memory. A profile of a PNG is applied before the picture is scaled
 * down: 36 a pixel.
 */
const DEEP = 4.5;
const INTERLACED = 7;
const PROFILE = 36;

/** Bytes of pixel data beyond those of the rows, as a share and as a number: deflate never needs more. */
const SURPLUS = { share: 1.1, bytes: 65_536 } as const;

/**
 * Refuses a picture that would cost too much to decode, by what its headers say. Nothing is decoded.
 * @throws EngineError `imageBroken`, with the figure found and the one allowed
 */
export function requireAffordable(bytes: Uint8Array, format: ImageFormat, limits: ImageLimits): void {
  const { maxPixels, maxSide, maxWork, maxMetadata } = { ...DEFAULTS, ...limits };
  const layout = format === 'jpeg' ? jpegLayout(bytes) : pngLayout(bytes);
  const { width, height, metadata } = layout;
  const size = `The picture is ${width}×${height}`;
  requireAtMost(width * height, maxPixels, `${size} = ${width * height} pixels`);
  requireAtMost(Math.max(width, height), maxSide, `${size} pixels`, ' on a side');
  requireAtMost(
    metadata,
    maxMetadata,
    `The picture has ${metadata} bytes of metadata (profile, EXIF, comments)`,
  );
  const work = 'scans' in layout ? jpegWork(layout, limits) : pngWork(layout);
  requireAtMost(work, maxWork, `Decoding the picture takes ${work} steps over samples`);
}

function jpegWork({ scans, samples, segments }: JpegLayout, limits: ImageLimits): number {
  requireAtMost(segments - scans, MAX_PARTS, `The JPEG has ${segments - scans} segments`);
  requireAtMost(scans, limits.maxScans ?? DEFAULTS.maxScans, `The JPEG has ${scans} scans`);
  return samples;
}

function pngWork({
  width,
  height,
  depth,
  interlaced,
  profile,
  rowBytes,
  pixelData,
  chunks,
}: PngLayout): number {
  requireAtMost(chunks, MAX_PARTS, `The PNG has ${chunks} chunks besides its pixels`);
  if (pixelData > rowBytes * SURPLUS.share + SURPLUS.bytes) throw damaged('png');
  const ofByte = interlaced ? INTERLACED : depth === 16 ? DEEP : 1;
  return rowBytes * ofByte + (profile ? PROFILE * width * height : 0);
}

function requireAtMost(found: number, limit: number, what: string, where = ''): void {
  if (found <= limit) return;
  throw new EngineError(
    'imageBroken',
    `${what}; at most ${limit}${where} are accepted; send a smaller picture, saved as an ordinary JPEG.`,
  );
}
