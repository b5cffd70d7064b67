import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertOpenVino } from '../src/ir-convert.ts';
import { type IrFiles, irFiles, type LayerSpec, oneLayer } from './ir-files.ts';

const shape = [1, 2, 6, 6];
const window = { strides: '1,1', pads_begin: '1,1', pads_end: '1,1' };
const plain: readonly LayerSpec[] = [
  { type: 'Parameter', shape, data: { shape: '1,2,6,6', element_type: 'f32' } },
  { type: 'Const', shape: [2, 2, 3, 3], values: Array.from({ length: 36 }, (_, i) => i / 36) },
  { type: 'Convolution', shape, takes: [0, 1], data: { ...window, dilations: '1,1', auto_pad: 'explicit' } },
  { type: 'Sigmoid', shape, takes: [2] },
  { type: 'Add', shape, takes: [0, 3], data: { auto_broadcast: 'numpy' } },
  {
    type: 'AvgPool',
    shape: [1, 2, 1, 1],
    takes: [4],
    data: { ...window, kernel: '6,6', pads_begin: '0,0', pads_end: '0,0', 'exclude-pad': 'true' },
  },
  { type: 'Result', shape: [], takes: [5] },
];

const files = irFiles(plain);

function convert({ xml, weights }: IrFiles): Uint8Array {
  return convertOpenVino({ xml: new TextEncoder().encode(xml), weights }, { network: 'test', output: 'out' });
}

/** The network with layer `id` changed. */
function changed(id: number, change: Partial<LayerSpec>): IrFiles {
  return irFiles(plain.map((layer, i) => (i === id ? { ...layer, ...change } : layer)));
}

const withData = (id: number, data: Record<string, string>) =>
  changed(id, { data: { ...plain[id]!.data, ...data } });
const rewritten = (from: string | RegExp, to: string): IrFiles => {
  const xml = files.xml.replace(from, to);
  expect(xml).not.toBe(files.xml);
  return { ...files, xml };
};

describe('convertOpenVino', () => {
  it.each(['10', '11'])('reads version %s', (version) => {
    expect(convert(irFiles(plain, version))).toEqual(convert(files));
  });

  it.each<[string, IrFiles, RegExp]>([
    ['another version', irFiles(plain, '9'), /net of version 9; allowed is net of version 10 or 11/],
    [
      'another operation',
      changed(3, { type: 'Tanh' }),
      /"Tanh_3" \(Tanh\) cannot be converted; allowed are Parameter, Const/,
    ],
    ['a name of JavaScript as operation', changed(3, { type: 'toString' }), /cannot be converted/],
    [
      'a later version of an operation',
      changed(3, { version: 'opset8' }),
      /"Sigmoid_3".*opset8; allowed is opset1/,
    ],
    [
      'another element type',
      rewritten(/precision="FP32"/, 'precision="I64"'),
      /"Parameter_0".*I64; allowed are FP32 and FP16/,
    ],
    ['computing in half precision', rewritten(/precision="FP32"/, 'precision="FP16"'), /"Parameter_0".*f32/],
    [
      'weights of another type',
      rewritten('"f32" shape="2, 2', '"i8" shape="2, 2'),
      /"Const_1".*values of i8; allowed are f32 and f16/,
    ],
    [
      'padding by rule',
      withData(2, { auto_pad: 'same_upper' }),
      /"Convolution_2".*"same_upper" as auto_pad; allowed is explicit/,
    ],
    ['rounding up', withData(5, { rounding_type: 'ceil' }), /"AvgPool_5".*allowed is floor/],
    ['another broadcast', withData(4, { auto_broadcast: 'pdpd' }), /"Add_4".*allowed is numpy/],
    [
      'an unknown attribute',
      withData(2, { output_padding: '1,1' }),
      /"Convolution_2".*attribute output_padding; allowed are strides/,
    ],
    [
      'a missing attribute',
      changed(2, { data: window }),
      /"Convolution_2".*lacks dilations; allowed is two numbers/,
    ],
    ['strides of zero', withData(2, { strides: '0,1' }), /strides; allowed is two numbers of 1 to 999/],
    ['three strides', withData(2, { strides: '1,1,1' }), /strides; allowed is two/],
    [
      'padding as wide as the mean',
      withData(5, { pads_begin: '6,6', strides: '6,6' }),
      /"AvgPool_5".*padding as wide/,
    ],
    ['a kernel larger than its input', withData(5, { kernel: '7,7' }), /"AvgPool_5".*larger than its input/],
    [
      'a batch of two',
      withData(0, { shape: '2,2,6,6' }),
      /"Parameter_0".*allowed is four sizes, the first 1/,
    ],
    [
      'computed weights',
      changed(2, { takes: [0, 0] }),
      /inputs computed, computed; allowed are computed, constant/,
    ],
    ['an operation of constants', changed(4, { takes: [1, 1] }), /inputs constant, constant; allowed/],
    [
      'a third input',
      changed(4, { takes: [0, 3, 1] }),
      /inputs computed, computed, constant; allowed are any, any/,
    ],
    ['weights for other channels', changed(1, { shape: [4, 1, 3, 3] }), /weights 4,1,3,3 for 2 channels/],
    [
      'slopes for other channels',
      oneLayer({ type: 'PReLU', shape }, shape, { shape: [3], values: [1, 2, 3] }),
      /slopes 3; allowed are one, or 2/,
    ],
    [
      'a constant for each picture',
      oneLayer({ type: 'Add', shape: [2, 2, 6, 6] }, shape, { shape: [2, 1, 1, 1], values: [1, 2] }),
      /"Add_2".*a batch of any size/,
    ],
    [
      'sizes that do not match',
      oneLayer({ type: 'Add', shape }, shape, { shape: [3, 1, 1], values: [1, 2, 3] }),
      /combines 1,2,6,6 with 3,1,1/,
    ],
    [
      'a stated shape that is not so',
      changed(2, { shape: [1, 2, 6, 5] }),
      /"Convolution_2".*states the shape 1,2,6,5, but its inputs give 1,2,6,6/,
    ],
    ['two inputs of the network', irFiles([...plain, plain[0]!]), /2 layers Parameter; allowed is one/],
    ['no output', irFiles(plain.slice(0, 6)), /0 layers Result/],
  ])('refuses %s', (_name, damaged, message) => {
    expect(() => convert(damaged)).toThrow(message);
  });

  it.each<[string, IrFiles, RegExp]>([
    [
      'weights beyond the file',
      rewritten('offset="0"', 'offset="4"'),
      /"Const_1".*at 4, beyond the 144 bytes/,
    ],
    ['a negative offset', rewritten('offset="0"', 'offset="-4"'), /"Const_1".*beyond/],
    [
      'another size than the shape',
      rewritten('size="144"', 'size="140"'),
      /"Const_1".*140 bytes for 36 values/,
    ],
    [
      'weights that are no numbers',
      changed(1, { values: new Array(36).fill(Number.NaN) }),
      /"Const_1".*no numbers/,
    ],
    [
      'a huge side',
      rewritten('<dim>6</dim>', '<dim>99999</dim>'),
      /"Parameter_0".*allowed are five sizes of 1 to 65536/,
    ],
    [
      'a huge product',
      rewritten('<dim>6</dim><dim>6</dim>', '<dim>65536</dim><dim>65536</dim>'),
      /16777216 values/,
    ],
    ['a free side', rewritten('<dim>1</dim>', '<dim>-1</dim>'), /"Parameter_0".*five sizes/],
    ['a circle', changed(3, { takes: [4] }), /is part of a circle/],
    ['a missing edge', rewritten(/<edge from-layer="3"[^>]*>/, ''), /"Add_4".*no value at port 1/],
    [
      'two edges to one port',
      rewritten(/(<edge from-layer="3"[^>]*>)/, '$1$1'),
      /"Add_4".*two edges to port 1/,
    ],
    ['an edge to no layer', rewritten('to-layer="4"', 'to-layer="9"'), /edge ends at port 0 of layer 9/],
    ['an edge from no layer', rewritten('from-layer="3"', 'from-layer="9"'), /"Add_4".*no value/],
    ['two layers of one id', rewritten('layer id="3"', 'layer id="2"'), /id of another layer/],
    ['an id that is no number', rewritten('id="3"', 'id="a"'), /"Sigmoid_3".*allowed are numbers/],
    ['two ports of one id', rewritten(/(to-port="1")|port id="1"/, 'port id="0"'), /two ports of one id/],
    [
      'too many elements',
      rewritten('<edges>', `${'<a/>'.repeat(200_000)}<edges>`),
      /more than 200000 elements/,
    ],
    ['an edge between shapes', changed(3, { shape: [1, 2, 6, 5] }), /"Add_4"|"Sigmoid_3"/],
    ['a document type', rewritten('<net', '<!DOCTYPE net [<!ENTITY a "aaaa">]><net'), /only elements/],
    ['an entity', rewritten('name="Add_4"', 'name="&a;"'), /only elements, attributes and text/],
    ['a comment', rewritten('<edges>', '<!-- --><edges>'), /only elements/],
    ['an attribute twice', rewritten('id="3"', 'id="3" id="3"'), /stands twice/],
    ['text beside elements', rewritten('<edges>', 'a<edges>'), /text stands beside elements/],
    ['an element that is not closed', rewritten('</net>', ''), /one whole element/],
    ['two documents', rewritten('</net>', '</net><net></net>'), /one whole element/],
    [
      'elements too deep',
      rewritten('<edges>', `${'<a>'.repeat(40)}${'</a>'.repeat(40)}<edges>`),
      /deeper than 32/,
    ],
    ['nothing in it', { ...files, xml: '' }, /one whole element/],
  ])('refuses a file with %s', (_name, damaged, message) => {
    expect(() => convert(damaged)).toThrow(message);
  });

  it('refuses files beyond its limits, and what is not UTF-8', () => {
    const names = { network: 'test', output: 'out' };
    const xml = new TextEncoder().encode(files.xml);
    const { weights } = files;
    expect(() => convertOpenVino({ xml: new Uint8Array((8 << 20) + 1), weights }, names)).toThrow(/8388608/);
    expect(() => convertOpenVino({ xml, weights: new Uint8Array((64 << 20) + 1) }, names)).toThrow(
      /67108864/,
    );
    expect(() => convertOpenVino({ xml: Uint8Array.of(0xff), weights }, names)).toThrow(/UTF-8/);
  });

  it('refuses constants that share bytes to be larger than any file', () => {
    const side = 4096;
    const huge = { type: 'Const', shape: [1, 1, side, side] };
    const several = irFiles([...plain, ...new Array<LayerSpec>(3).fill(huge)]);
    const data = `<data element_type="f32" shape="1,1,${side},${side}" offset="0" size="${4 * side * side}" />`;
    const xml = several.xml.replaceAll(/(type="Const" version="opset1">)(<input>)/g, `$1${data}$2`);
    expect(() => convert({ xml, weights: new Uint8Array(64 << 20) })).toThrow(/more constants than allowed/);
  });

  it('refuses a file of weights that is cut off, wherever', () => {
    fc.assert(
      fc.property(fc.nat(files.weights.length - 1), (length) => {
        expect(() => convert({ ...files, weights: files.weights.slice(0, length) })).toThrow(/Const_1/);
      }),
    );
  });

  it('converts damaged text or says what is wrong, and never fails otherwise', () => {
    const place = fc.nat(files.xml.length - 1);
    const pieces = [
      '',
      '<',
      '>',
      '"',
      '0',
      '-1',
      '9999999999',
      ' ',
      '/>',
      '</layer>',
      'Const',
      'NaN',
      '&',
      ',',
      '\u0000',
    ];
    const damage = fc.tuple(place, fc.nat(12), fc.constantFrom(...pieces));
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let { xml } = files;
        for (const [at, length, piece] of damages) xml = xml.slice(0, at) + piece + xml.slice(at + length);
        try {
          convert({ ...files, xml });
        } catch (error) {
          expect((error as Error).name).toBe('Error');
          expect((error as Error).message).toMatch(/^(The XML|The layer|The network|Not a network)/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
