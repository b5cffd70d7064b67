import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/rounds.ts';
import { findJsonFault } from './json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonFault', () => {
  it.each([
    ['', 0, 'jsonValue'],
    ['{"a":}', 5, 'jsonValue'],
    ['{"a" 1}', 5, 'jsonColon'],
    ['{"a":1,}', 7, 'jsonName'],
    ["{'a':1}", 1, 'jsonSymbol'],
    ['{"a":1', 6, 'jsonBrace'],
    ['[1 2]', 3, 'jsonComma'],
    ['[1,]', 3, 'jsonValue'],
    ['{"a":"x', 5, 'jsonStringEnd'],
    ['{} x', 3, 'jsonSymbol'],
    ['{}{', 2, 'jsonEnd'],
    ['01', 1, 'jsonEnd'],
  ])('%j stops at %i', (text, offset, code) => {
    expect(findJsonFault(text)).toEqual({ offset, line: 1, column: offset + 1, problem: { code } });
  });

  it('returns line and column', () => {
    expect(findJsonFault('{\n  "a": 1,\n  b: 2\n}')).toMatchObject({ offset: 14, line: 3, column: 3 });
  });

  it('finds a fault in damaged texts exactly when JSON.parse throws', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.constantFrom('', '"', ',', '{', ']', '0', '\\', ' ', '\u0001'),
      )
      .map(([text, at, cut, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + cut);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(findJsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('does not fail on deep nesting, and finds a fault after a large text', () => {
    expect(findJsonFault('['.repeat(1_000_000))).toBeNull();
    expect(findJsonFault(`["${'a'.repeat(30_000_000)}"`)).toMatchObject({
      offset: 30_000_003,
      problem: { code: 'jsonBracket' },
    });
  });
});
