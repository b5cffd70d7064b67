import { EngineError } from '../../errors.ts';
import type { ImageLimits } from '../../types.ts';
import { damaged, type ImageFormat } from './image-faults.ts';
import { type JpegLayout, jpegLayout } from './jpeg-layout.ts';
import { mostPixelBytes, type PngLayout, pngLayout } from './png-layout.ts';

/** Limits that are left out: pictures of phones stay far below them. */
const DEFAULTS = { maxSide: 16_384, maxScans: 100, maxWork: 1e9, maxMetadata: 2 << 20 } as const;

/** Segments of a JPEG, chunks of a PNG other than its pixels: decoders keep each of them in memory. */
const MAX_PARTS = 10_000;

/**
 * @NOTE work
 * Work of decoding in samples of a scan of a JPEG, so that equal numbers take about equal time (measured with libvips
 * 8.18). The bytes of the rows of a PNG cost as much, six times as much with 16 bits, and eight times when interlaced:
 * those are passed over in several passes and kept in memory.
 */
const DEEP = 6;
const INTERLACED = 8;

/** What decoding needs to know of a picture before. */
export interface StoredSize {
  /** Pixels as stored, EXIF not applied. */
  readonly width: number;
  readonly height: number;
  /** Whether the first pixels need all scans of a JPEG. */
  readonly progressive: boolean;
}

/**
 * Refuses a picture that would cost too much to decode, by what its headers say. Nothing is decoded.
 * @throws EngineError `imageBroken`, with the figure found and the one allowed
 */
export function requireAffordable(bytes: Uint8Array, format: ImageFormat, limits: ImageLimits): StoredSize {
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
  return { width, height, progressive: 'scans' in layout && layout.scans > 1 };
}

function jpegWork({ scans, samples, segments }: JpegLayout, limits: ImageLimits): number {
  requireAtMost(segments - scans, MAX_PARTS, `The JPEG has ${segments - scans} segments`);
  requireAtMost(scans, limits.maxScans ?? DEFAULTS.maxScans, `The JPEG has ${scans} scans`);
  return samples;
}

function pngWork(layout: PngLayout): number {
  const { depth, interlaced, rowBytes, pixelData, chunks } = layout;
  requireAtMost(chunks, MAX_PARTS, `The PNG has ${chunks} chunks besides its pixels`);
  if (pixelData > mostPixelBytes(layout)) throw damaged('png');
  return rowBytes * (interlaced ? INTERLACED : depth === 16 ? DEEP : 1);
}

function requireAtMost(found: number, limit: number, what: string, where = ''): void {
  if (found <= limit) return;
  throw new EngineError(
    'imageBroken',
    `${what}; at most ${limit}${where} are accepted; send a smaller picture, saved as an ordinary JPEG.`,
  );
}
