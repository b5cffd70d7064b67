import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { damage } from '../../../server/test/support/hostile/damage.ts';
import { rounds } from '../../../server/test/support/rounds.ts';
import {
  claimedPng,
  cmykPattern,
  greys,
  noise,
  orientedPattern,
  PATTERN,
  patternIn,
  patternKinds,
  plain,
  storedAs,
  widePattern,
} from '../../test/support/pictures.ts';
import { EngineError } from '../errors.ts';
import { decodeImage, type Picture } from './decode.ts';

const LIMITS = { maxBytes: 10 << 20, maxPixels: 50e6 };

const decode = (bytes: Uint8Array, limits = LIMITS) => decodeImage(bytes, limits);

function pixel({ pixels, keptWidth }: Picture, x: number, y: number): number[] {
  const at = (y * keptWidth + x) * 3;
  return [...pixels.subarray(at, at + 3)];
}

function near(found: readonly number[], wanted: readonly number[], by = 40): void {
  expect(found).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(by);
}

async function refusal(bytes: Uint8Array, limits = LIMITS): Promise<EngineError> {
  return decode(bytes, limits).then(
    () => expect.unreachable('the picture was accepted'),
    (error: EngineError) => error,
  );
}

describe('pictures that are read', () => {
  for (const [name, make] of Object.entries(patternKinds)) {
    it(`${name}: colours and size`, async () => {
      const bytes = await make();
      const picture = await decode(bytes);
      expect([picture.width, picture.height, picture.scale]).toEqual([80, 40, 1]);
      expect(picture.pixels).toHaveLength(80 * 40 * 3);
      near(pixel(picture, 5, 4), [0, 255, 0]);
      near(pixel(picture, 60, 8), [255, 0, 0]);
      near(pixel(picture, 60, 32), [0, 0, 255]);
    });
  }

  it('CMYK becomes RGB', async () => {
    const [red, green, blue] = pixel(await decode(await cmykPattern()), 60, 8) as [number, number, number];
    expect(red).toBeGreaterThan(green + 80);
    expect(red).toBeGreaterThan(blue + 80);
  });

  it('greyscale, with 8 and 16 bits and with alpha, has three equal channels', async () => {
    for (const bytes of await Promise.all(greys()))
      near(pixel(await decode(bytes), 4, 2), [128, 128, 128], 4);
  });

  it('what is transparent becomes white', async () => {
    near(pixel(await decode(await plain(4, 4, '#00000000')), 1, 1), [255, 255, 255], 2);
  });

  it('one pixel', async () => {
    expect(await decode(await plain(1, 1, '#123456'))).toMatchObject({ width: 1, height: 1, format: 'png' });
  });

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`EXIF orientation ${orientation} comes out upright`, async () => {
      const picture = await decode(await orientedPattern(orientation));
      expect([picture.width, picture.height]).toEqual([80, 40]);
      near(pixel(picture, 5, 4), [0, 255, 0]);
      near(pixel(picture, 60, 8), [255, 0, 0]);
      near(pixel(picture, 60, 32), [0, 0, 255]);
      const webp = await decode(await orientedPattern(orientation, 'webp'));
      expect([webp.width, webp.height, webp.format]).toEqual([80, 40, 'webp']);
      near(pixel(webp, 60, 32), [0, 0, 255]);
    });
  }

  it('a JPEG that lacks nothing but the marker of its end, or half of it', async () => {
    const bytes = await noise('jpeg');
    const { pixels } = await decode(bytes);
    for (const lacks of [1, 2]) {
      const picture = await decode(bytes.subarray(0, -lacks));
      expect(Buffer.compare(picture.pixels, pixels)).toBe(0);
    }
  });

  const field = join(import.meta.dirname, '../../../../../shared/review/field/jpeg-complete-without-eoi.jpg');
  it.runIf(existsSync(field))('a picture of a camera without the marker of its end', async () => {
    expect(await decode(readFileSync(field))).toMatchObject({ width: 675, height: 900 });
  });

  it('a JPEG without EXIF and profile has the same pixels as when both are looked for', async () => {
    const grain = sharp(await noise('png'));
    const kinds = {
      baseline: grain.clone().jpeg(),
      progressive: grain.clone().jpeg({ progressive: true }),
      'without subsampling': grain.clone().jpeg({ chromaSubsampling: '4:4:4', quality: 97 }),
      grey: grain.clone().greyscale().jpeg(),
      CMYK: grain.clone().toColourspace('cmyk').jpeg(),
      'with a profile': grain.clone().withIccProfile('p3').jpeg(),
      turned: grain.clone().resize(300, 200, { fit: 'fill' }).withMetadata({ orientation: 6 }).jpeg(),
      large: grain.clone().resize(4200, 3000, { fit: 'fill' }).jpeg(),
      'large and turned': grain
        .clone()
        .resize(4200, 3000, { fit: 'fill' })
        .withMetadata({ orientation: 8 })
        .jpeg(),
    };
    for (const [kind, made] of Object.entries(kinds)) {
      const bytes = await made.toBuffer();
      // A comment makes it one that is looked through.
      const comment = Buffer.concat([
        bytes.subarray(0, 2),
        Buffer.from([0xff, 0xfe, 0, 3, 0x20]),
        bytes.subarray(2),
      ]);
      for (const least of [0, 1]) {
        const [plain, sought] = await Promise.all(
          [bytes, comment].map((file) => decodeImage(file, LIMITS, undefined, least)),
        );
        expect({ ...plain, pixels: Buffer.from(plain!.pixels).equals(sought!.pixels) }, kind).toEqual({
          ...sought,
          pixels: true,
        });
      }
    }
  });

  it('a large picture is kept smaller, and says how much', async () => {
    const picture = await decode(await widePattern(4000));
    expect(picture).toMatchObject({
      width: 4000,
      height: 2000,
      keptWidth: 1600,
      keptHeight: 800,
      scale: 0.4,
    });
    near(pixel(picture, 100, 80), [0, 255, 0]);
  });
});

describe('a coarse copy', () => {
  const coarse = (bytes: Uint8Array) => decodeImage(bytes, LIMITS, undefined, 0);

  it('of a large JPEG is a part of it', async () => {
    for (const [width, by] of [
      [2000, 2],
      [3000, 3],
      [4000, 5],
      [7200, 9],
    ] as const) {
      const picture = await coarse(await widePattern(width));
      expect(picture).toMatchObject({ width, keptWidth: width / by, scale: 1 / by, coarse: true });
      near(pixel(picture, 100, 80), [0, 255, 0]);
    }
  });

  it('has the upright size, whatever way the picture is stored', async () => {
    const upright = await widePattern(2000);
    for (const orientation of [3, 6]) {
      const picture = await coarse(await storedAs(orientation, upright));
      expect(picture).toMatchObject({ width: 2000, height: 1000, keptWidth: 1000, keptHeight: 500 });
    }
  });

  it('is no smaller than a scale that suffices', async () => {
    for (const [width, least, kept] of [
      [4200, 0.2, 840],
      [4200, 0.21, 1400],
      [4200, 0.34, 1600],
      [7200, 0.12, 1440],
      [7200, 0.21, 1600],
    ] as const) {
      const picture = await decodeImage(await widePattern(width), LIMITS, undefined, least);
      expect(picture).toMatchObject({ width, keptWidth: kept, coarse: kept < 1600 });
    }
  });

  it('of another picture has all that is kept', async () => {
    const progressive = await sharp(await widePattern(4000))
      .jpeg({ progressive: true })
      .toBuffer();
    for (const bytes of [await widePattern(1900), await plain(2000, 10, '#abcdef'), progressive])
      expect(await coarse(bytes)).toMatchObject({ keptWidth: 1600, coarse: false });
  });
});

describe('pictures that are refused', () => {
  const text = (value: string) => Buffer.from(value, 'latin1');
  const others: Record<string, [looksLike: RegExp, bytes: () => Buffer | Promise<Buffer>]> = {
    'an empty file': [/empty/, () => text('')],
    'animated WebP': [/an animated WebP/, () => text('RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\x02')],
    'animated AVIF': [/an animated AVIF/, () => text('\0\0\0\x1cftypavis\0\0\0\0avifavis')],
    GIF: [/GIF/, () => patternIn('gif')],
    TIFF: [/TIFF/, () => patternIn('tiff')],
    HEIC: [
      /HEIC picture; only JPEG.*; set the camera to JPEG/,
      () => text('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
    ],
    PDF: [/PDF/, () => text('%PDF-1.7\n')],
    BMP: [/BMP/, () => text('BM\x9a\0\0\0')],
    SVG: [/SVG/, () => PATTERN],
    HTML: [/HTML/, () => text('<!DOCTYPE html><html></html>')],
    text: [/text/, () => text('hello')],
    'base64 of a JPEG': [/base64/, () => text('/9j/4AAQSkZJRgABAQ')],
    'unknown bytes': [/unknown/, () => text('\x01\x02\x03\x04')],
  };
  for (const [name, [looksLike, make]] of Object.entries(others)) {
    it(`${name}: named for what it is`, async () => {
      const error = await refusal(await make());
      expect(error.code).toBe('imageType');
      expect(error.message).toMatch(looksLike);
    });
  }

  it('a header that claims 20,000 × 20,000, before anything is decoded', async () => {
    const error = await refusal(await claimedPng(20_000, 20_000));
    expect(error.code).toBe('imageBroken');
    expect(error.message).toContain('20000×20000');
    expect(error.message).toContain('50000000');
  });

  it('more bytes than the limit', async () => {
    const error = await refusal(await plain(80, 40, '#abcdef'), { ...LIMITS, maxBytes: 50 });
    expect([error.code, /\b50\b/.test(error.message)]).toEqual(['imageBroken', true]);
  });

  for (const kind of ['jpeg', 'progressive', 'png', 'webp', 'avif'] as const) {
    it(`a file (${kind}) cut off anywhere`, async () => {
      const bytes = await noise(kind);
      const shares = [0.001, 0.02, 0.1, 0.5, 0.9, 0.99].map((share) => Math.floor(bytes.length * share));
      for (const length of [...shares, bytes.length - 3]) {
        const error = await refusal(bytes.subarray(0, Math.max(8, length)));
        expect([length, error.code]).toEqual([length, 'imageBroken']);
        expect(error.message).not.toMatch(/vips|sharp|\//i);
      }
    });
  }

  it('a JPEG with damage in the middle', async () => {
    const bytes = await noise('jpeg');
    const middle = bytes.length >> 1;
    bytes.fill(0xff, middle, middle + 200);
    expect((await refusal(bytes)).code).toBe('imageBroken');
  });

  it('a signature and nothing else', async () => {
    expect((await refusal(text('\xff\xd8\xff\xe0'))).code).toBe('imageBroken');
    expect((await refusal(text('\x89PNG\r\n\x1a\n'))).code).toBe('imageBroken');
    expect((await refusal(text('RIFF\0\0\0\0WEBP'))).code).toBe('imageBroken');
    expect((await refusal(text('\0\0\0\x14ftypavif\0\0\0\0mif1'))).code).toBe('imageBroken');
  });

  it('damaged anywhere: read, or refused by name, never anything else', async () => {
    const others = await Promise.all((['webp', 'avif'] as const).map(noise));
    const files = [await noise('jpeg'), await widePattern(200), ...others, ...(await Promise.all(greys()))];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), damage(), async (file, damaged) => {
        const outcome = await decode(damaged(file)).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(EngineError);
        else expect((outcome as Picture).pixels.length % 3).toBe(0);
      }),
      { numRuns: rounds(60) },
    );
  });
});
