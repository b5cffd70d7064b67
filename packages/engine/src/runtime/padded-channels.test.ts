import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeModel, type OnnxNode } from '../../../../models/src/onnx.ts';
import { hasPadFiles, PAD_FILES } from '../../test/support/pad-pack.ts';
import { withPaddedChannels } from './padded-channels.ts';
import { openNetwork } from './session.ts';

const [few, out] = [5, 16];

/** Three channels become five, pass a PRelu and a depthwise convolution, and are mixed to 16. */
function pruned(values: readonly number[], further: readonly OnnxNode[] = []): Uint8Array {
  let at = 0;
  const drawn = (count: number) => Float32Array.from({ length: count }, () => values[at++ % values.length]!);
  const conv = (name: string, input: string, output: string, group = 1): OnnxNode => {
    return { op: 'Conv', inputs: [input, name, `${name}-bias`], attributes: { group }, output };
  };
  const weights = (name: string, dims: readonly number[]) =>
    [
      [name, { data: drawn(dims.reduce((product, size) => product * size)), dims }],
      [`${name}-bias`, { data: drawn(dims[0]!), dims: [dims[0]!] }],
    ] as const;
  return encodeModel(
    {
      nodes: [
        conv('first', 'x', 'widened'),
        { op: 'PRelu', inputs: ['widened', 'slopes'], attributes: {}, output: 'bent' },
        conv('each', 'bent', 'seen', few),
        conv('last', 'seen', 'y'),
        ...further,
      ],
      constants: new Map([
        ...weights('first', [few, 3, 1, 1]),
        ['slopes', { data: drawn(few), dims: [few, 1, 1] }],
        ...weights('each', [few, 1, 2, 2]),
        ...weights('last', [out, few, 1, 1]),
      ]),
      inputs: new Map([['x', [1, 3, 3, 3]]]),
      outputs: new Map([['y', [1, out, 2, 2]]]),
    },
    'pruned',
  );
}

async function run(model: Uint8Array, data: Float32Array, side: number): Promise<readonly number[]> {
  const network = await openNetwork(model, 'pruned');
  const [input = '', [output = '']] = [network.inputs[0], network.outputs];
  const results = await network.run({ [input]: { data, dims: [1, 3, side, side] } });
  await network.close();
  return [...results[output]!.data];
}

describe('a network with few channels between its convolutions', () => {
  it('computes the same with channels of zeros', async () => {
    const value = fc.float({ min: -2, max: 2, noNaN: true });
    const weights = fc.array(value, { minLength: 150, maxLength: 150 });
    const pixels = fc.array(value, { minLength: 27, maxLength: 27 });
    await fc.assert(
      fc.asyncProperty(weights, pixels, async (drawn, given) => {
        const model = pruned(drawn);
        const wide = withPaddedChannels(model);
        expect(wide.length).toBeGreaterThan(model.length);
        const before = await run(model, Float32Array.from(given), 3);
        const after = await run(wide, Float32Array.from(given), 3);
        expect(after).toEqual(before.map((found) => expect.closeTo(found, 3)));
      }),
      { numRuns: 15 },
    );
  });

  it.each<[string, OnnxNode]>([
    ['a sum', { op: 'Add', inputs: ['seen', 'bent'], attributes: {}, output: 'sum' }],
    ['a function that makes ones of zeros', { op: 'Exp', inputs: ['bent'], attributes: {}, output: 'ones' }],
    ['a further use of its weights', { op: 'Neg', inputs: ['each'], attributes: {}, output: 'other' }],
  ])('is left where its values pass %s', (_, node) => {
    const model = pruned([1], [node]);
    expect(withPaddedChannels(model)).toBe(model);
  });
});

it('what is no model is returned as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(withPaddedChannels(bytes))).toEqual(Buffer.from(bytes));
    }),
  );
});

describe.skipIf(!hasPadFiles)('a network of the pack pad', () => {
  it.each([
    ['minifas_se_1.5_128.onnx', 128],
    ['minifasnet_v2_2.7_80.onnx', 80],
  ])('%s: the same with channels of zeros', async (file, side) => {
    const model = readFileSync(join(PAD_FILES, file));
    const wide = withPaddedChannels(model);
    expect(wide.length).toBeGreaterThan(model.length);
    const data = Float32Array.from({ length: 3 * side * side }, (_, i) => (i * 7919) % 256);
    const before = await run(model, data, side);
    const after = await run(wide, data, side);
    expect(after).toEqual(before.map((found) => expect.closeTo(found, 3)));
  });
});
