/** Type of a file by its first bytes. */
export type ImageType =
  | { readonly format: 'jpeg' | 'png' }
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

/** Signatures as Latin-1 strings. */
const SIGNATURES: readonly Signature[] = [
  { looksLike: 'a GIF picture', offset: 0, bytes: 'GIF8' },
  { looksLike: 'a WebP picture', offset: 8, bytes: 'WEBP' },
  { looksLike: 'an AVIF picture', offset: 4, bytes: 'ftypavif' },
  { looksLike: 'an AVIF picture', offset: 4, bytes: 'ftypavis' },
  { looksLike: 'a HEIC picture', offset: 4, bytes: 'ftyphei' },
  { looksLike: 'a HEIC picture', offset: 4, bytes: 'ftyphev' },
  { looksLike: 'a HEIC picture', offset: 4, bytes: 'ftypmif1' },
  { looksLike: 'a HEIC picture', offset: 4, bytes: 'ftypmsf1' },
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
  const known = SIGNATURES.find((signature) => head.startsWith(signature.bytes, signature.offset));
  return other(known?.looksLike ?? looksLikeText(head) ?? 'an unknown format');
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
