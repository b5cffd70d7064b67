import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/long.ts';
import { findJsonFault } from './json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const symbol = 'a word or character that JSON does not have; names and texts need double quotes';

describe('findJsonFault', () => {
  it.each([
    ['', 0, 'a value was expected'],
    ['{"a":}', 5, 'a value was expected'],
    ['{"a" 1}', 5, 'a colon was expected'],
    ['{"a":1,}', 7, 'a field name in double quotes was expected'],
    ["{'a':1}", 1, symbol],
    ['{"a":1', 6, 'a comma or } was expected'],
    ['[1 2]', 3, 'a comma was expected'],
    ['[1,]', 3, 'a value was expected'],
    ['{"a":"x', 5, 'a text does not end with a double quote'],
    ['{} x', 3, symbol],
    ['{}{', 2, 'the end was expected'],
    ['01', 1, 'the end was expected'],
  ])('%j stops at %i', (text, offset, problem) => {
    expect(findJsonFault(text)).toEqual({ offset, line: 1, column: offset + 1, problem });
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
      { numRuns: rounds(1000, 20_000) },
    );
  });

  it('does not fail on deep nesting, and finds a fault after a large text', () => {
    expect(findJsonFault('['.repeat(1_000_000))).toBeNull();
    expect(findJsonFault(`["${'a'.repeat(30_000_000)}"`)).toMatchObject({
      offset: 30_000_003,
      problem: 'a comma or ] was expected',
    });
  });
});
