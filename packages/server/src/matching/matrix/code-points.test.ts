import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints } from './code-points.ts';

it('orders as UTF-8 bytes do, which JavaScript does not', () => {
  expect(['\u{1f600}', '\uffee'].sort()).toEqual(['\u{1f600}', '\uffee']);
  expect(['\u{1f600}', '\uffee'].sort(compareCodePoints)).toEqual(['\uffee', '\u{1f600}']);
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, text, (a, b, prefix) => {
      const bytes = Buffer.compare(Buffer.from(prefix + a), Buffer.from(prefix + b));
      expect(Math.sign(compareCodePoints(prefix + a, prefix + b))).toBe(bytes);
    }),
  );
});
