import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeModel } from '../../../../models/src/onnx.ts';
import { hasPadFiles, PAD_FILES } from '../../test/support/pad-pack.ts';
import { withoutParametricRelus } from './parametric-relus.ts';
import { openNetwork } from './session.ts';

/** A convolution of 1 × 1, a PRelu of its result, and that result again. */
function small(slopes: Float32Array, dims: readonly number[]): Uint8Array {
  const channels = 3;
  const filter = Float32Array.of(1, -2, 0.5, -1, 0.25, 3, 2, 2, -2);
  return encodeModel(
    {
      nodes: [
        { op: 'Conv', inputs: ['x', 'filter'], attributes: {}, output: 'mixed' },
        { op: 'PRelu', inputs: ['mixed', 'slopes'], attributes: {}, output: 'bent' },
        { op: 'Add', inputs: ['bent', 'mixed'], attributes: {}, output: 'y' },
      ],
      constants: new Map([
        ['filter', { data: filter, dims: [channels, channels, 1, 1] }],
        ['slopes', { data: slopes, dims }],
      ]),
      inputs: new Map([['x', [1, channels, 2, 2]]]),
      outputs: new Map([['y', [1, channels, 2, 2]]]),
    },
    'small',
  );
}

async function run(model: Uint8Array, data: Float32Array, side = 2): Promise<readonly number[]> {
  const network = await openNetwork(model, 'small');
  const [input = '', [output = '']] = [network.inputs[0], network.outputs];
  const results = await network.run({ [input]: { data, dims: [1, 3, side, side] } });
  await network.close();
  return [...results[output]!.data];
}

describe('a network with parametric ReLUs', () => {
  it.each([
    ['C × 1 × 1', [3, 1, 1]],
    ['1 × C × 1 × 1', [1, 3, 1, 1]],
  ])('computes the same without them, slopes of %s', async (_, dims) => {
    const value = fc.float({ min: -4, max: 4, noNaN: true });
    const slopes = fc.float32Array({ minLength: 3, maxLength: 3, min: -2, max: 3, noNaN: true });
    await fc.assert(
      fc.asyncProperty(slopes, fc.array(value, { minLength: 12, maxLength: 12 }), async (each, values) => {
        const model = small(each, dims);
        const rewritten = withoutParametricRelus(model);
        expect(Buffer.from(rewritten).includes('PRelu')).toBe(false);
        const before = await run(model, Float32Array.from(values));
        const after = await run(rewritten, Float32Array.from(values));
        expect(after).toEqual(before.map((found) => expect.closeTo(found, 3)));
      }),
      { numRuns: 15 },
    );
  });

  it('is left where a slope is not of a channel', () => {
    const model = small(Float32Array.of(0.5, 0.25), [1, 1, 2]);
    expect(withoutParametricRelus(model)).toBe(model);
  });
});

it('what is no model is returned as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(withoutParametricRelus(bytes))).toEqual(Buffer.from(bytes));
    }),
  );
});

describe.skipIf(!hasPadFiles)('a network of the pack pad', () => {
  it.each([
    ['minifas_se_1.5_128.onnx', 128],
    ['minifasnet_v2_2.7_80.onnx', 80],
  ])('%s: the same without parametric ReLUs', async (file, side) => {
    const model = readFileSync(join(PAD_FILES, file));
    const rewritten = withoutParametricRelus(model);
    expect(rewritten).not.toBe(model);
    const data = Float32Array.from({ length: 3 * side * side }, (_, i) => (i * 7919) % 256);
    const before = await run(model, data, side);
    const after = await run(rewritten, data, side);
    expect(after).toEqual(before.map((found) => expect.closeTo(found, 2)));
  });
});
