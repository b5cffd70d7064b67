import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openNetwork } from '../../engine/src/runtime/session.ts';
import { convertOpenVino } from '../src/ir-convert.ts';
import { type IrFiles, irFiles, oneLayer, retailFiles } from './ir-files.ts';
import { runIr } from './ir-reference.ts';

const encoder = new TextEncoder();

function convert({ xml, weights }: IrFiles): Uint8Array {
  return convertOpenVino({ xml: encoder.encode(xml), weights }, { network: 'test', output: 'out' });
}

/** The values that ONNX Runtime and the reference compute for several inputs, of which the former runs all at once. */
async function both(files: IrFiles, shape: readonly number[], inputs: readonly Float32Array[]) {
  const network = await openNetwork(convert(files), 'test');
  const data = Float32Array.from(inputs.flatMap((input) => [...input]));
  const { out } = await network.run({ input: { data, dims: [inputs.length, ...shape.slice(1)] } });
  await network.close();
  const expected = inputs.map(
    (input) => runIr(files.xml, files.weights, { shape, data: Float64Array.from(input) }).data,
  );
  return { own: out!, expected: expected.flatMap((values) => [...values]) };
}

/** Numbers of −1 to 1 that are the same in each run. */
function random(length: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const constant = (shape: readonly number[], seed: number) => {
  const count = shape.reduce((product, side) => product * side, 1);
  return { shape, values: [...random(count, seed)] };
};
const window = (strides: string, begin: string, end: string) => ({
  strides,
  pads_begin: begin,
  pads_end: end,
});
const input = [1, 4, 7, 6];
const pool = { type: 'AvgPool', shape: [1, 4, 4, 3] };
const padded = { kernel: '3,2', ...window('2,2', '1,0', '1,1') };

const networks: readonly [string, IrFiles][] = [
  [
    'a convolution with strides, padding and dilation',
    oneLayer(
      {
        type: 'Convolution',
        shape: [1, 5, 3, 7],
        data: { ...window('2, 1', '0, 1', '1, 2'), dilations: '1, 2', auto_pad: 'explicit' },
      },
      input,
      constant([5, 4, 3, 2], 1),
    ),
  ],
  [
    'a convolution of each channel',
    oneLayer(
      {
        type: 'GroupConvolution',
        shape: [1, 4, 7, 6],
        data: { ...window('1,1', '1,1', '1,1'), dilations: '1,1' },
      },
      input,
      constant([4, 1, 1, 3, 3], 2),
    ),
  ],
  [
    'a convolution in two groups',
    oneLayer(
      {
        type: 'GroupConvolution',
        shape: [1, 6, 7, 6],
        data: { ...window('1,1', '0,0', '0,0'), dilations: '1,1' },
      },
      input,
      constant([2, 3, 2, 1, 1], 3),
    ),
  ],
  ['one slope', oneLayer({ type: 'PReLU', shape: input }, input, { shape: [1], values: [0.3] })],
  ['a slope for each channel', oneLayer({ type: 'PReLU', shape: input }, input, constant([4], 4))],
  ['an addition by channel', oneLayer({ type: 'Add', shape: input }, input, constant([1, 4, 1, 1], 5))],
  [
    'a multiplication by column',
    oneLayer({ type: 'Multiply', shape: input, data: { auto_broadcast: 'numpy' } }, input, constant([6], 6)),
  ],
  ['a multiplication by a number', oneLayer({ type: 'Multiply', shape: input }, input, constant([], 7))],
  ['a sigmoid', oneLayer({ type: 'Sigmoid', shape: input }, input)],
  ['a mean without padding', oneLayer({ ...pool, data: { ...padded, 'exclude-pad': 'true' } }, input)],
  ['a mean with padding', oneLayer({ ...pool, data: { ...padded, 'exclude-pad': 'false' } }, input)],
];

describe('convertOpenVino', () => {
  it.each(networks)('computes %s, for several pictures in one run', async (_name, files) => {
    const { own, expected } = await both(files, input, [random(168, 8), random(168, 9)]);
    expect(own.dims).toEqual([2, expected.length / 2]);
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.1);
    const errors = expected.map((value, i) => Math.abs(own.data[i]! - value));
    expect(Math.max(...errors)).toBeLessThan(1e-5);
  });

  it('computes by hand: (1 × 2 + 3 × −1) × 0.5 below zero, plus a constant that comes first', async () => {
    const shape = [1, 2, 1, 1];
    const data = { ...window('1,1', '0,0', '0,0'), dilations: '1,1' };
    const network = await openNetwork(
      convert(
        irFiles([
          { type: 'Parameter', shape, data: { shape: '1,2,1,1', element_type: 'f32' } },
          { type: 'Const', shape: [1, 2, 1, 1], values: [2, -1] },
          { type: 'Convolution', shape: [1, 1, 1, 1], takes: [0, 1], data },
          { type: 'Const', shape: [1], values: [0.5] },
          { type: 'PReLU', shape: [1, 1, 1, 1], takes: [2, 3] },
          { type: 'Const', shape: [1, 1, 1, 1], values: [10] },
          { type: 'Add', shape: [1, 1, 1, 1], takes: [5, 4] },
          { type: 'Result', shape: [], takes: [6] },
        ]),
      ),
      'test',
    );
    const { out } = await network.run({ input: { data: Float32Array.of(1, 3, 3, 1), dims: [2, 2, 1, 1] } });
    expect([...out!.data]).toEqual([9.5, 15]);
    await network.close();
  });

  it('reads weights in half precision', async () => {
    const shape = [1, 2, 1, 1];
    const halves = new Float32Array(Uint16Array.of(0x3e00, 0xc000).buffer); // 1.5, −2
    const { xml, weights } = irFiles([
      { type: 'Parameter', shape, data: { shape: '1,2,1,1', element_type: 'f32' } },
      { type: 'Const', shape, values: [...halves] },
      { type: 'Convert', shape, takes: [1], data: { destination_type: 'f32' } },
      { type: 'Add', shape, takes: [0, 2] },
      { type: 'Result', shape: [], takes: [3] },
    ]);
    const half = xml
      .replace('"f32" shape="1, 2', '"f16" shape="1, 2')
      .replaceAll(/((?:Const_1|Convert_2).*?precision=)"FP32"/g, '$1"FP16"');
    const { own } = await both({ xml: half, weights }, shape, [Float32Array.of(1, 1)]);
    expect([...own.data]).toEqual([2.5, -1]);
  });
});

describe.skipIf(!retailFiles)('convertOpenVino of face-reidentification-retail-0095', () => {
  const shape = [1, 3, 128, 128];
  const pictures = [
    random(3 * 128 * 128, 10).map((value) => Math.round(127.5 * (value + 1))),
    Float32Array.from({ length: 3 * 128 * 128 }, (_, i) => {
      const [x, y] = [(i % 128) / 64 - 1, (Math.floor(i / 128) % 128) / 64 - 1];
      const isDark =
        Math.hypot(Math.abs(x) - 0.3, y + 0.1) < 0.1 || (Math.abs(y - 0.45) < 0.06 && Math.abs(x) < 0.3);
      return isDark ? 40 : Math.hypot(x, 0.8 * y) < 0.75 ? 200 - 25 * x : 90 + 60 * y;
    }),
  ];

  it('computes what its layers say', async () => {
    const { own, expected } = await both(retailFiles!, shape, pictures);
    expect(own.dims).toEqual([2, 256]);
    // What is nearly zero is so as a sum of larger values, and has their rounding errors.
    const least = 0.01 * Math.max(...expected.map(Math.abs));
    const errors = expected.map(
      (value, i) => Math.abs(own.data[i]! - value) / Math.max(least, Math.abs(value)),
    );
    expect(Math.max(...errors)).toBeLessThan(1e-3);
  });

  it('makes the same bytes each time', () => {
    const digest = createHash('sha256').update(convert(retailFiles!)).digest('hex');
    expect(digest).toBe('8a0a405e91ceb4ea99913109df760de61faccdb5259953b9a7001febec2f5772');
  });
});
