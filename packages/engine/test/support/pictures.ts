import sharp, { type Sharp } from 'sharp';

/** 80 × 40: red above, blue below, a green block at the top left. */
export const PATTERN = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40">
<rect width="80" height="20" fill="#f00"/><rect y="20" width="80" height="20" fill="#00f"/><rect width="20" height="10" fill="#0f0"/></svg>`);

const pattern = (): Sharp => sharp(PATTERN).flatten();
const fine = { quality: 95, chromaSubsampling: '4:4:4' } as const;

/** With the property `irot`, as telephones store pictures. */
const lyingAvif =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAAOBtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAACgAAAEgAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAYGlwcnAAAABBaXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAACgAAABQAAAAEHBpeGkAAAAAAwgICAAAAAlpcm90AQAAABdpcG1hAAAAAAAAAAEAAQSBAgOEAAAAUG1kYXQSAAoJOBWnntoCGg0gMjlE8ExgmAAGUAAAACDZlN1tNzNZLGj5GXPyZCQl1qN8MSdmwytInYNALeTGXTncSfbT8/rAxd5PoEA=';

/** The pattern in each way that a picture can hold it exactly or nearly. */
export const patternKinds: Readonly<Record<string, () => Promise<Buffer>>> = {
  'baseline JPEG': () => pattern().jpeg(fine).toBuffer(),
  'progressive JPEG': () =>
    pattern()
      .jpeg({ ...fine, progressive: true })
      .toBuffer(),
  'JPEG with a colour profile': () => pattern().withIccProfile('srgb').jpeg(fine).toBuffer(),
  PNG: () => pattern().png().toBuffer(),
  'interlaced PNG': () => pattern().png({ progressive: true }).toBuffer(),
  'PNG with a palette': () => pattern().png({ palette: true }).toBuffer(),
  // Without the profile, red would be 234, 51, 35.
  'PNG with a colour profile': () => pattern().withIccProfile('p3').png().toBuffer(),
  'PNG with 16 bits': () => pattern().toColourspace('rgb16').png().toBuffer(),
  'PNG with alpha': () => sharp(PATTERN).ensureAlpha().png().toBuffer(),
  WebP: () => pattern().webp({ quality: 95 }).toBuffer(),
  'lossless WebP': () => pattern().webp({ lossless: true }).toBuffer(),
  'lossy WebP with alpha': () => sharp(PATTERN).ensureAlpha().webp({ quality: 95 }).toBuffer(),
  'WebP with a colour profile': () => pattern().withIccProfile('p3').webp({ lossless: true }).toBuffer(),
  AVIF: () => pattern().avif({ quality: 90 }).toBuffer(),
  'AVIF without subsampling': () => pattern().avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(),
  'lossless AVIF with alpha': () => sharp(PATTERN).ensureAlpha().avif({ lossless: true }).toBuffer(),
  'AVIF with a colour profile': () => pattern().withIccProfile('p3').avif({ quality: 90 }).toBuffer(),
  'AVIF that is stored lying': async () => Buffer.from(lyingAvif, 'base64'),
  'AVIF of 10 bits': () => pattern().avif({ quality: 90, bitdepth: 10 }).toBuffer(),
  'AVIF of 12 bits': () => pattern().avif({ quality: 90, bitdepth: 12 }).toBuffer(),
};

/** The pattern as CMYK JPEG, whose colours are duller. */
export const cmykPattern = () => pattern().toColourspace('cmyk').jpeg(fine).toBuffer();

/** The pattern, enlarged to a width, as JPEG. */
export const widePattern = (width: number) =>
  pattern()
    .resize(width, width / 2, { kernel: 'nearest' })
    .jpeg()
    .toBuffer();

/** The pattern in a format that is not accepted. */
export const patternIn = (format: 'gif' | 'tiff') => pattern().toFormat(format).toBuffer();

/** The pattern as a camera stores it under an EXIF orientation (1…8), and marked with it. */
export async function orientedPattern(orientation: number, format?: 'jpeg' | 'webp'): Promise<Buffer> {
  return storedAs(orientation, await pattern().png().toBuffer(), format);
}

/** An upright picture as a camera stores it under an EXIF orientation (1…8): a picture marked with it. */
export async function storedAs(
  orientation: number,
  upright: Buffer,
  format: 'jpeg' | 'webp' = 'jpeg',
): Promise<Buffer> {
  // Orientation 5…8 swap the axes; each is a turn, mirrored or not. One step a buffer fixes the order.
  const turned = { 3: 180, 4: 180, 5: 90, 6: 270, 7: 270, 8: 90 }[orientation] ?? 0;
  const mirror = [2, 4, 5, 7].includes(orientation);
  const first = await sharp(upright).rotate(turned).png().toBuffer();
  const stored = mirror ? await sharp(first).flop().png().toBuffer() : first;
  const marked = sharp(stored).withMetadata({ orientation });
  return format === 'jpeg' ? marked.jpeg(fine).toBuffer() : marked.webp({ quality: 95 }).toBuffer();
}

/** Middle grey with one channel: 8 and 16 bits, with alpha, JPEG and PNG. */
export function greys(): Promise<Buffer>[] {
  const grey = () => sharp({ create: { width: 9, height: 5, channels: 3, background: '#808080' } });
  return [
    grey().greyscale().jpeg().toBuffer(),
    grey().greyscale().png().toBuffer(),
    grey().toColourspace('grey16').png().toBuffer(),
    grey().greyscale().ensureAlpha().png().toBuffer(),
  ];
}

/** A PNG of one colour (with alpha when the colour has it). */
export const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: background.length > 7 ? 4 : 3, background } })
    .png()
    .toBuffer();

/** 300 × 300 of noise: a file without redundancy, so that any cut hurts. */
export function noise(kind: 'jpeg' | 'progressive' | 'png' | 'webp' | 'avif'): Promise<Buffer> {
  const image = sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  });
  if (kind === 'progressive') return image.jpeg({ progressive: true }).toBuffer();
  return image.toFormat(kind).toBuffer();
}

/** A small PNG whose header claims another size; its checksum is right. */
export async function claimedPng(width: number, height: number): Promise<Buffer> {
  const png = await pattern().png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc(png.subarray(12, 29)), 29);
  return png;
}

/** CRC-32 of PNG (ISO 3309). */
function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return ~value >>> 0;
}
