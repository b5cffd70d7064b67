import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halfToNumber } from './half-precision.ts';
import { decodeWeights, type WeightSpec } from './tfjs-weights.ts';

const spec = (part: Partial<WeightSpec>): WeightSpec => ({
  name: 'w',
  shape: [2],
  dtype: 'float32',
  ...part,
});

describe('decodeWeights', () => {
  it('reads plain, half-precision and 8-bit values one behind the other', () => {
    const bytes = new Uint8Array(4 + 4 + 2);
    const view = new DataView(bytes.buffer);
    view.setFloat32(0, 0.25, true);
    view.setUint16(4, 0x3c00, true);
    view.setUint16(6, 0xc000, true);
    bytes.set([0, 200], 8);
    const weights = decodeWeights(
      [
        spec({ name: 'plain', shape: [1] }),
        spec({ name: 'half', quantization: { dtype: 'float16' } }),
        spec({ name: 'byte', quantization: { dtype: 'uint8', scale: 0.5, min: -1 } }),
      ],
      bytes,
    );
    expect([...weights.get('plain')!.data]).toEqual([0.25]);
    expect([...weights.get('half')!.data]).toEqual([1, -2]);
    expect([...weights.get('byte')!.data]).toEqual([-1, 99]);
  });

  it('reads a window of a larger buffer', () => {
    const bytes = new Uint8Array(new Float32Array([7, 8, 9]).buffer).subarray(4);
    expect([...decodeWeights([spec({})], bytes).get('w')!.data]).toEqual([8, 9]);
  });

  it.each([7, 9, 0])('refuses %d bytes where 8 are described', (length) => {
    expect(() => decodeWeights([spec({})], new Uint8Array(length))).toThrow(/describes 8/);
  });
});

describe('halfToNumber', () => {
  it('agrees with the definition of binary16 for every finite value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7bff }), fc.boolean(), (magnitude, negative) => {
        const value = halfToNumber(magnitude | (negative ? 0x8000 : 0));
        const exponent = magnitude >> 10;
        const expected =
          exponent === 0
            ? (magnitude / 1024) * 2 ** -14
            : (1 + (magnitude % 1024) / 1024) * 2 ** (exponent - 15);
        expect(Math.abs(value)).toBe(expected);
        if (magnitude > 0) expect(value < 0).toBe(negative);
      }),
    );
  });

  it('reads infinity and not-a-number', () => {
    expect(halfToNumber(0xfc00)).toBe(Number.NEGATIVE_INFINITY);
    expect(halfToNumber(0x7e00)).toBeNaN();
  });
});
