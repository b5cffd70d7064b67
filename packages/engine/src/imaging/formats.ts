import { EngineError } from '../errors.ts';
import type { ImageFormat } from '../types.ts';

/** Names of the formats that are read. */
const FORMATS: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
};

const names = Object.values(FORMATS);
/** In a sentence. */
export const acceptedFormats = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** A file that ends early. */
export function truncated(format: ImageFormat, options?: ErrorOptions): EngineError {
  return fault(format, 'ends before the picture is complete', options);
}

/** A file that breaks the rules of its format. */
export function damaged(format: ImageFormat, options?: ErrorOptions): EngineError {
  return fault(format, 'is damaged', options);
}

function fault(format: ImageFormat, what: string, options?: ErrorOptions): EngineError {
  const message = `The ${FORMATS[format]} file ${what}; send the original file.`;
  return new EngineError('imageBroken', message, options);
}

/** Type of a file by its first bytes. */
type ImageType =
  | { readonly format: ImageFormat }
  | {
      readonly format: 'other';
      /** Name with its article, for messages: "a WebP picture". */
      readonly looksLike: string;
    };

interface Signature {
  readonly looksLike: string;
  readonly offset: number;
  readonly bytes: string;
}

const HEIC = 'a HEIC picture';

/** What else to do about a file that is not read (docs/adr/0077-heic-is-not-decoded.md). @returns the end of a sentence */
export function remedyOf(looksLike: string): string {
  if (looksLike !== HEIC) return '';
  return '; set the camera to JPEG (iPhone: Settings, Camera, Formats, Most Compatible), or export the picture as one';
}

/** Signatures as Latin-1 strings. */
const SIGNATURES: readonly Signature[] = [
  { looksLike: 'a GIF picture', offset: 0, bytes: 'GIF8' },
  { looksLike: 'an animated AVIF picture', offset: 4, bytes: 'ftypavis' },
  { looksLike: HEIC, offset: 4, bytes: 'ftyphei' },
  { looksLike: HEIC, offset: 4, bytes: 'ftyphev' },
  { looksLike: HEIC, offset: 4, bytes: 'ftypmif1' },
  { looksLike: HEIC, offset: 4, bytes: 'ftypmsf1' },
  { looksLike: 'an MP4 or QuickTime video', offset: 4, bytes: 'ftyp' },
  { looksLike: 'a PDF document', offset: 0, bytes: '%PDF' },
  { looksLike: 'a TIFF picture', offset: 0, bytes: 'II*\0' },
  { looksLike: 'a TIFF picture', offset: 0, bytes: 'MM\0*' },
  { looksLike: 'a BMP picture', offset: 0, bytes: 'BM' },
  { looksLike: 'a JPEG 2000 picture', offset: 4, bytes: 'jP  \r\n' },
  { looksLike: 'a JPEG XL picture', offset: 0, bytes: '\xff\x0a' },
  { looksLike: 'a JPEG XL picture', offset: 4, bytes: 'JXL \r\n' },
  { looksLike: 'an icon file', offset: 0, bytes: '\0\0\x01\0' },
  { looksLike: 'a ZIP archive', offset: 0, bytes: 'PK\x03\x04' },
  { looksLike: 'a gzip archive', offset: 0, bytes: '\x1f\x8b' },
  { looksLike: 'a WebM video', offset: 0, bytes: '\x1a\x45\xdf\xa3' },
];

/**
 * Detects the type of a file by its first bytes; names and declared types are not trusted.
 * @example imageType(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])) // { format: 'jpeg' }
 */
export function imageType(bytes: Uint8Array): ImageType {
  if (bytes.length === 0) return other('an empty file');
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return { format: 'jpeg' };
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return { format: 'png' };
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) {
    return isAnimated(head) ? other('an animated WebP picture') : { format: 'webp' };
  }
  if (head.startsWith('ftyp', 4) && !head.startsWith('avis', 8) && brandsOf(head).includes('avif')) {
    return { format: 'avif' };
  }
  const known = SIGNATURES.find((signature) => head.startsWith(signature.bytes, signature.offset));
  return other(known?.looksLike ?? looksLikeText(head) ?? 'an unknown format');
}

/** A flag of the extended form (RFC 9649, 2.7). */
function isAnimated(head: string): boolean {
  return head.startsWith('VP8X', 12) && (head.charCodeAt(20) & 2) !== 0;
}

/** Brands of a file of the ISO base media format: the major one, its version, and the compatible ones. */
function brandsOf(head: string): string[] {
  const end = Buffer.from(head, 'latin1').readUInt32BE(0);
  return head.slice(8, end).match(/.{4}/gs) ?? [];
}

function other(looksLike: string): ImageType {
  return { format: 'other', looksLike };
}

/** Callers send markup and text when they upload an error page or a base64 string by mistake. */
function looksLikeText(head: string): string | undefined {
  const start = head.replace(/^(\xef\xbb\xbf)?\s+/, '').toLowerCase();
  if (/<svg[\s>]/.test(start)) return 'an SVG drawing';
  if (/^<(!doctype html|html|head|body)/.test(start)) return 'an HTML page';
  if (start.startsWith('<?xml')) return 'an XML document';
  if (/^(data:image|\/9j\/|ivborw0kgg)/.test(start)) return 'base64 text that was encoded twice';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish binary from text
  return /^[^\x00-\x08\x0e-\x1f]*$/.test(head) ? 'text' : undefined;
}
