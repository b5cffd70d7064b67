import { wordsOf } from '@wajah/contract/refusals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64Decoder, readBase64 } from './base64.ts';

const limit = 1_000_000;
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));

function read(text: string): Buffer {
  const result = readBase64(text, limit);
  if (!('bytes' in result)) throw new Error(JSON.stringify(result));
  return result.bytes;
}

function problem(text: string): string {
  const result = readBase64(text, limit);
  if (!('problem' in result)) throw new Error(`no problem in ${JSON.stringify(text.slice(0, 100))}`);
  return wordsOf(result.problem);
}

describe('accepted base64', () => {
  const spellings: Record<string, (data: Buffer) => string> = {
    plain: (data) => data.toString('base64'),
    'without padding': (data) => data.toString('base64').replace(/=+$/, ''),
    base64url: (data) => data.toString('base64url'),
    'base64url, padded': (data) => data.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
    'with a data header': (data) => `data:image/jpeg;base64,${data.toString('base64')}`,
    'with a header in capitals': (data) => `DATA:image/png;charset=x;BASE64,${data.toString('base64')}`,
    'wrapped as MIME': (data) => data.toString('base64').replace(/(.{76})/g, '$1\r\n'),
    'wrapped and indented': (data) => `\n  ${data.toString('base64').replace(/(.{19})/g, '$1\n\t ')} \n`,
  };
  for (const [name, spell] of Object.entries(spellings)) {
    it(`${name} gives the bytes back`, () => {
      fc.assert(
        fc.property(bytes, (data) => {
          expect(read(spell(data))).toEqual(data);
        }),
      );
    });
  }
});

describe('invalid base64', () => {
  it('is reported with the position of the invalid character', () => {
    const foreign = fc.constantFrom('!', '*', '\u00e9', '\u0000', '%', '"', '\u{1F600}');
    const place = fc.nat();
    fc.assert(
      fc.property(bytes, place, foreign, (data, at, letter) => {
        const text = data.toString('base64');
        const index = at % (text.length + 1);
        expect(problem(text.slice(0, index) + letter + text.slice(index))).toMatch(
          new RegExp(`U\\+.* at position ${index}$`),
        );
      }),
    );
  });

  it('is reported with a position that counts header and line breaks', () => {
    expect(problem('data:image/png;base64,AAAA\r\nAA*A')).toBe('the character "*" (U+002A) at position 30');
    expect(problem('  AAAA\n  AAAA\n  A!AA')).toBe('the character "!" (U+0021) at position 17');
  });

  it('is a blank inside a line, which may be a lost plus', () => {
    expect(problem('AAAA AAA')).toContain('a blank inside a line (U+0020');
  });

  it('is padding at a wrong position or of a wrong length', () => {
    expect(problem('AA==AAAA')).toBe('padding "=" before the end at position 2');
    expect(problem('AA=')).toBe('the wrong number of "=" at position 2');
    expect(problem('AAAA=')).toBe('the wrong number of "=" at position 4');
    expect(problem('A===')).toBe('padding "=" before the end at position 1');
  });

  it('is a truncated text', () => {
    expect(problem('AAAAA')).toContain('cut off');
  });

  it('is a data header that names another encoding', () => {
    expect(problem('data:image/svg+xml,%3Csvg')).toContain('";base64,"');
  });
});

it('a long run of blanks is read in one pass', () => {
  const blanks = ' '.repeat(3_000_000);
  const broken = readBase64(`AAAA\n${blanks}AAA${blanks}B\nAAAA`, 10_000_000);
  expect(broken).toEqual({ problem: { code: 'blankAt', params: { position: expect.any(Number) } } });
  expect(read(`${blanks}AAAA\n${blanks}\r${blanks}AAAA${blanks}`)).toHaveLength(6);
});

/** CPU milliseconds of decoding this text in pieces of 64 KiB, the least of three times. */
function cpuOf(text: string): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    const decoder = new Base64Decoder(limit);
    for (let at = 0; at < text.length; at += 65_536) decoder.add(text.slice(at, at + 65_536));
    decoder.end();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

it.each([
  ['before', '', ''],
  ['within', 'AAAA\n', ''],
  ['after', 'AAAA', ''],
  ['before a header', '', 'data:image/png;base64,'],
])(
  'blanks %s it are dropped as they come: 16 times as many do not take 100 times as long',
  (_, begin, end) => {
    const text = (blanks: number) => `${begin}${' '.repeat(blanks)}${end}`;
    const [few, many] = [text(2 ** 20), text(2 ** 24)].map(cpuOf);
    expect(many! / few!).toBeLessThan(100);
  },
);

it('a piece of a byte takes no memory of its own', () => {
  const decoder = new Base64Decoder(limit);
  const before = process.memoryUsage();
  for (let at = 0; at < 1_000_000; at++) decoder.add('A');
  const after = process.memoryUsage();
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(60e6);
  expect(decoder.end()).toEqual({ bytes: Buffer.alloc(750_000) });
});

describe('the limit', () => {
  it('is checked before anything is decoded, exactly', () => {
    fc.assert(
      fc.property(bytes, fc.nat(400), (data, most) => {
        const result = readBase64(data.toString('base64'), most);
        expect(result).toEqual(data.length > most ? { tooLarge: data.length } : { bytes: data });
      }),
    );
  });
});

it('agrees with Buffer on every text that it accepts', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'ABCxyz019+/-_=\n \t!é'), maxLength: 40 });
  fc.assert(
    fc.property(letters, (text) => {
      const result = readBase64(text, limit);
      if ('bytes' in result) expect(result.bytes).toEqual(Buffer.from(text, 'base64'));
    }),
    { numRuns: 2000 },
  );
});

describe('base64 in pieces', () => {
  const units = fc.constantFrom(
    ...[...'ABCxyz019+/-_', '=', '\n', ' ', '\t', '\u3000', 'data:', ',', ';base64,', '!', 'é', '\u0141'],
  );
  const start = fc.constantFrom('', 'A'.repeat(401));
  const further = fc.array(fc.string({ unit: units, maxLength: 40 }), { maxLength: 6 });
  const texts = fc.tuple(start, further).map(([first, rest]) => [first, ...rest]);

  it('is decoded as in one, whether a piece is looked at or not', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(10, limit), (pieces, most) => {
        const decoder = new Base64Decoder(most);
        for (const piece of pieces) if (!decoder.addLetters(piece)) decoder.add(piece);
        expect(decoder.end()).toEqual(readBase64(pieces.join(''), most));
      }),
      { numRuns: 3000 },
    );
  });

  it('is decoded by letters alone when it is one long line, in either alphabet', () => {
    const data = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at * 7));
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = data.toString(encoding).replace(/=+$/, '');
      const decoder = new Base64Decoder(limit);
      decoder.add(text.slice(0, 1001));
      expect(decoder.addLetters(text.slice(1001, 30_000))).toBe(true);
      expect(decoder.addLetters(text.slice(30_000))).toBe(true);
      expect(decoder.end()).toEqual({ bytes: data });
    }
  });
});
