import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { drawnFace, drawnPicture, type PersonName } from '../../drawn/drawn-face.ts';
import { tableProfile } from './icc-profile.ts';
import {
  EOI,
  frame,
  greyJpeg,
  progressiveScans,
  repeatedScans,
  restartEverywhere,
  SOI,
  segment,
} from './jpeg-bytes.ts';
import { bareHeader, blackPng, blackPngInPieces, chunk, deflatedZeros } from './png-bytes.ts';
import { tiled } from './tiled.ts';

/** A small file that costs much, by what it is. */
export type Bombs = Readonly<Record<string, () => Buffer | Promise<Buffer>>>;

const largest = { width: 8160, height: 6120 } as const;
const small = { width: 100, height: 100 } as const;
const times = (part: Buffer, count: number) => Buffer.alloc(part.length * count, part);
const text = (value: string) => Buffer.from(value, 'latin1');
const behindStart = (jpeg: Buffer, ...segments: readonly Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

const profileSegments = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    segment(0xe2, Buffer.concat([text('ICC_PROFILE\0'), Buffer.from([i + 1, count]), Buffer.alloc(65_000)])),
  );
const exifSegment = segment(0xe1, Buffer.concat([text('Exif\0\0'), exifOf(4990, 60_000)]));
const profileChunk = (grid: number) =>
  chunk('iCCP', Buffer.concat([text('a\0\0'), deflateSync(tableProfile(grid))]));
const textBomb = (bytes: number) => chunk('zTXt', Buffer.concat([text('a\0\0'), deflatedZeros(bytes)]));

/** A TIFF directory whose entries all claim nearly the whole of it. */
function exifOf(entries: number, size: number): Buffer {
  const data = Buffer.alloc(size);
  data.write('MM\0*', 'latin1');
  data.writeUInt32BE(8, 4);
  data.writeUInt16BE(entries, 8);
  for (let i = 0; i < entries; i++) {
    const at = 10 + 12 * i;
    data.writeUInt16BE(0x9000 + (i % 256), at);
    data.writeUInt16BE(7, at + 2);
    data.writeUInt32BE(size - 16, at + 4);
    data.writeUInt32BE(8, at + 8);
  }
  return data;
}

/** Refused by their headers, each with the reason. */
export const refusedBombs: Readonly<Record<string, [reason: RegExp, make: () => Buffer]>> = {
  'a JPEG of 2,647 scans': [/2647 scans; at most 100 /, () => progressiveScans(1000, 1000, 2647)],
  'a sequential JPEG of 1,000 scans': [/1000 scans/, () => repeatedScans(8, 8, 1000)],
  '100 scans of 49 megapixels': [
    /steps over samples; at most 1000000000/,
    () => progressiveScans(7000, 7000, 100),
  ],
  'a JPEG header of 65,535 × 65,535': [
    /65535×65535/,
    () => Buffer.concat([SOI, frame(0xc0, 65_535, 65_535), segment(0xda, [1, 1, 0, 0, 63, 0]), EOI]),
  ],
  'a PNG of 1 × 50,000,000': [/1×50000000 pixels; at most 16384 on a side/, () => bombOfRows(1, 50_000_000)],
  'a PNG of 50,000,000 × 1': [/50000000×1 pixels; at most 16384 on a side/, () => bombOfRows(50_000_000, 1)],
  'an interlaced PNG of 50 megapixels with 16 bits': [
    /steps over samples/,
    () => blackPng({ ...largest, depth: 16, colour: 6, interlaced: true }),
  ],
  'pixel data of 9 GB for 100 × 100': [/PNG file is damaged/, () => blackPng(small, [], 9e9)],
  'text chunks of 7 GB': [/bytes of metadata/, () => blackPng(small, [times(textBomb(7.9e6), 900)])],
  'a colour profile of 7 GB': [
    /bytes of metadata/,
    () => blackPng(small, [chunk('iCCP', Buffer.concat([text('a\0\0'), deflatedZeros(7e9)]))]),
  ],
  '100,000 text chunks': [
    /100000 chunks/,
    () => blackPng(small, [times(chunk('tEXt', text('a\0')), 100_000)]),
  ],
  'EXIF of 9 MB in a PNG': [/bytes of metadata/, () => blackPng(small, [chunk('eXIf', exifOf(65_535, 9e6))])],
  'EXIF of 9 MB in a JPEG': [
    /bytes of metadata/,
    () => behindStart(greyJpeg(80, 60), ...Array(150).fill(exifSegment)),
  ],
  'a colour profile of 9 MB': [
    /bytes of metadata/,
    () => behindStart(greyJpeg(80, 60), ...profileSegments(150)),
  ],
  '200,000 empty comments': [
    /200000 segments|20000\d segments/,
    () => behindStart(greyJpeg(80, 60), times(segment(0xfe, []), 200_000)),
  ],
  'arithmetic coding': [/arithmetically coded/, () => Buffer.concat([SOI, frame(0xc9, 800, 600), EOI])],
  'a lossless JPEG': [/lossless/, () => Buffer.concat([SOI, frame(0xc3, 800, 600), EOI])],
  'a JPEG of 12 bits': [/number of bits/, () => Buffer.concat([SOI, frame(0xc1, 800, 600, 3, 12), EOI])],
  'a JPEG of two components': [
    /number of bits or colours/,
    () => Buffer.concat([SOI, frame(0xc0, 800, 600, 2), EOI]),
  ],
  'a progressive JPEG without an end': [
    /ends before/,
    () => progressiveScans(800, 600, 3).subarray(0, -EOI.length),
  ],
  'a PNG header alone': [/ends before/, () => bareHeader(small)],
};

function bombOfRows(width: number, height: number): Buffer {
  // The data of the whole picture has 94 KiB; the header alone is refused.
  return Buffer.concat([bareHeader({ width, height, colour: 0 }), chunk('IDAT'), chunk('IEND')]);
}

/** Gaussian noise of 50 megapixels. */
async function noise(sigma: number) {
  const side = 1020;
  const tile = { width: side, height: side, channels: 3, background: '#888' } as const;
  const drawn = sharp({ create: { ...tile, noise: { type: 'gaussian', mean: 128, sigma } } });
  return tiled([await drawn.png().toBuffer()], { side, across: 8, down: 6 });
}

/** An ordinary portrait of 12 megapixels. */
export const ordinaryPhoto = () => drawnFace({ width: 3000, height: 4000 });

/** Within the limits, and as expensive as that allows. */
export const acceptedBombs: Bombs = {
  '50 megapixels without subsampling': async () =>
    (await noise(5)).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  '50 megapixels, progressive': async () =>
    (await noise(8)).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  '100 scans of 9 megapixels': () => progressiveScans(3100, 3100, 100),
  '19 sequential scans of 50 megapixels': () => repeatedScans(largest.width, largest.height, 19),
  'four colours': () => greyJpeg(largest.width, largest.height, 4),
  'a restart marker behind each block': () => restartEverywhere(largest.width, largest.height),
  'one column': () => blackPng({ width: 1, height: 16_384, colour: 0 }),
  'one row': () => blackPng({ width: 16_384, height: 1, colour: 0 }),
  '16 bits': () => blackPng({ width: 4500, height: 4500, depth: 16, colour: 6 }),
  '16 bits, interlaced': () =>
    blackPng({ width: 3900, height: 3900, depth: 16, colour: 6, interlaced: true }),
  interlaced: () => blackPng({ width: 6400, height: 6400, interlaced: true }),
  'a colour profile on 50 megapixels': () => blackPng(largest, [profileChunk(33)]),
  'pixel data in pieces of one byte': () =>
    blackPngInPieces({ width: 4500, height: 4500, depth: 16, colour: 6 }, 1),
  // Less is not inflated before decoding.
  '4 MB of surplus pixel data': () => blackPng({ width: 1200, height: 1200 }, [], 4.2e9),
  'surplus pixel data': () => blackPng({ width: 1700, height: 1700 }, [], 8.5e9),
  'text chunks of 2 GB': () => blackPng(small, [times(textBomb(7.9e6), 265)]),
  'EXIF of 2 MB': () => behindStart(greyJpeg(80, 60), ...Array(34).fill(exifSegment)),
  'a crowd of 100': () => crowd(10, 10),
  'a crowd of 400': () => crowd(20, 20),
};

/** Drawn faces in rows, 200 pixels each. */
export async function crowd(across: number, down: number): Promise<Buffer> {
  const side = 200;
  const place = { x: side / 2, y: side / 2, size: 170 };
  const draw = (person: PersonName) =>
    drawnPicture({ width: side, height: side, faces: [{ person, ...place }] });
  const tiles = await Promise.all((['ani', 'budi', 'citra'] as const).map(draw));
  return (await tiled(tiles, { side, across, down })).jpeg({ quality: 92 }).toBuffer();
}

const frames = (format: 'gif' | 'webp') =>
  sharp({ create: { width: 64, height: 64 * 20, channels: 3, background: '#888', pageHeight: 64 } })
    .toFormat(format)
    .toBuffer();

/** Neither JPEG nor PNG. */
export const otherFormats: Bombs = {
  'an animated GIF': () => frames('gif'),
  'an animated WebP': () => frames('webp'),
  'an SVG that names itself again and again': () =>
    text(`<svg xmlns="http://www.w3.org/2000/svg"><g id="a">${'<use href="#a"/>'.repeat(1000)}</g></svg>`),
};
