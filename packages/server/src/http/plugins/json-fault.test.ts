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

describe('findJsonFault', () => {
  it.each([
    ['', 0, 'a value'],
    ['{"a":}', 5, 'a value'],
    ['{"a" 1}', 5, 'a colon'],
    ['{"a":1,}', 7, 'a field name in double quotes'],
    ["{'a':1}", 1, 'a field name in double quotes'],
    ['{"a":1', 6, 'a comma or }'],
    ['[1 2]', 3, 'a comma or ]'],
    ['[1,]', 3, 'a value'],
    ['{"a":"x', 5, 'a complete text in double quotes'],
    ['{} x', 3, 'the end'],
    ['01', 1, 'the end'],
  ])('%j stops at %i', (text, offset, expected) => {
    expect(findJsonFault(text)).toEqual({ offset, expected });
  });

  it('agrees with JSON.parse about texts that were damaged', () => {
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

  it('does not run out of stack', () => {
    expect(findJsonFault('['.repeat(1_000_000))).toEqual({ offset: 1_000_000, expected: 'a value' });
    expect(findJsonFault(`["${'a'.repeat(30_000_000)}"`)).toEqual({
      offset: 30_000_003,
      expected: 'a comma or ]',
    });
  });
});
