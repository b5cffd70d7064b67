import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damage } from '../../../server/test/support/hostile/damage.ts';
import { rounds } from '../../../server/test/support/rounds.ts';
import { refusedBombs } from '../../test/support/bombs/bombs.ts';
import { greyJpeg, progressiveScans } from '../../test/support/bombs/jpeg-bytes.ts';
import { blackPng } from '../../test/support/bombs/png-bytes.ts';
import { EngineError } from '../errors.ts';
import { imageType, jpegLayout, pngLayout, requireAffordable } from './file-bounds.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };

const check = (bytes: Uint8Array, further = {}) => {
  const type = imageType(bytes);
  if (type.format === 'other') throw new Error(type.looksLike);
  requireAffordable(bytes, type.format, { ...limits, ...further });
};

describe('refused before it is decoded', () => {
  for (const [name, [reason, make]] of Object.entries(refusedBombs)) {
    it(name, () => {
      const bytes = make();
      expect(bytes.length).toBeLessThan(limits.maxBytes);
      const refused = expect.objectContaining({
        code: 'imageBroken',
        message: expect.stringMatching(reason),
      });
      expect(() => check(bytes)).toThrow(refused);
    });
  }
});

describe('the layout of a file', () => {
  it('of a JPEG: size, scans, and samples of all scans', () => {
    expect(jpegLayout(progressiveScans(160, 80, 20))).toMatchObject({
      width: 160,
      height: 80,
      scans: 20,
      samples: (3 + 19) * 160 * 80,
    });
  });

  it('of a PNG: size and bytes of its rows', () => {
    const layout = pngLayout(blackPng({ width: 100, height: 50, depth: 16, colour: 6, interlaced: true }));
    expect(layout).toMatchObject({ width: 100, height: 50, interlaced: true, rowBytes: 50 * 801 });
  });

  it('each limit is a setting', () => {
    const jpeg = progressiveScans(160, 80, 20);
    expect(() => check(jpeg)).not.toThrow();
    const lower = { maxSide: 159, maxScans: 19, maxWork: 22 * 160 * 80 - 1 };
    for (const [name, value] of Object.entries(lower)) {
      expect(() => check(jpeg, { [name]: value })).toThrow(new RegExp(`at most ${value}\\b`));
    }
  });
});

describe('any bytes', () => {
  const files = [greyJpeg(40, 30), progressiveScans(40, 30, 5), blackPng({ width: 40, height: 30 })];
  const starts = files.map((file) => [...file.subarray(0, 8)]);
  const onlyRefused = (bytes: Uint8Array) => {
    try {
      check(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({ code: 'imageBroken' });
    }
  };

  it('behind a signature pass or are refused', () => {
    const bytes = fc.tuple(fc.constantFrom(...starts), fc.array(fc.oneof(fc.constant(0xff), fc.nat(255))));
    fc.assert(
      fc.property(bytes, ([start, rest]) => onlyRefused(Uint8Array.from([...start, ...rest]))),
      { numRuns: rounds(200) },
    );
  });

  it('of a file that is cut off are refused, but behind the only scan of a JPEG: its decoder knows', () => {
    for (const [index, file] of files.entries()) {
      const behind = index === 0 ? file.lastIndexOf('\xff\xda', undefined, 'latin1') + 14 : file.length;
      for (let length = 8; length < file.length; length++) {
        const cut = () => check(file.subarray(0, length));
        if (length < behind) expect(cut).toThrow(EngineError);
        else expect(cut).not.toThrow();
      }
    }
  });

  it('of a damaged file pass or are refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...files), damage(8), (file, damaged) => onlyRefused(damaged(file))),
      { numRuns: rounds(200) },
    );
  });
});
