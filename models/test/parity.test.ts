import { describe, expect, it } from 'vitest';
import { type NetworkManifest, type Role, roles } from '../../packages/engine/src/packs/manifest.ts';
import type { Network, Tensor } from '../../packages/engine/src/runtime/model.ts';
import { openNetwork } from '../../packages/engine/src/runtime/session.ts';
import { sharedPack } from '../../packages/engine/test/support/shared-engine.ts';
import { convertNetwork } from '../src/convert.ts';
import { openReference } from './tfjs-reference.ts';

/** The converted networks give the numbers of tfjs: largest difference over the largest value of an output. */
const TOLERANCE = 1e-3;
/** Least cosine of the outputs of a network in eight bits with those in floating point, on drawings. */
const LEAST_COSINE = 0.995;

const pack = await sharedPack();

describe.each(roles)('%s', (role) => {
  it('answers like tfjs, for several pictures in one run', async () => {
    const network = pack.manifest.networks[role];
    const pictures = [noise(network), scene(network), faceLike(network)];
    const reference = await openReference(network);
    const float = await inFloatingPoint(role);
    const answers = await float.run({ input: toTensor(pictures, network) });
    if (float !== pack.models[role].network) await float.close();
    expect(Object.keys(answers).sort()).toEqual(Object.keys(network.outputs).sort());
    const expected = await Promise.all(
      pictures.map((picture) => reference(picture.map(normalised(network)))),
    );
    for (const [name, { shape }] of Object.entries(network.outputs)) {
      expect(answers[name]!.dims).toEqual([pictures.length, ...shape]);
      const values = expected.flatMap((answer) => [...answer[name]!]);
      expect(relativeDifference(answers[name]!.data, values), name).toBeLessThan(TOLERANCE);
    }
  });
});

describe.each(['features'] as const)('%s in eight bits', (role) => {
  it('answers nearly as in floating point', async () => {
    const network = pack.manifest.networks[role];
    const input = toTensor([scene(network), faceLike(network)], network);
    const float = await inFloatingPoint(role);
    const [expected, answers] = [await float.run({ input }), await pack.models[role].network.run({ input })];
    await float.close();
    for (const name of Object.keys(network.outputs)) {
      expect(cosine(answers[name]!.data, expected[name]!.data), name).toBeGreaterThan(LEAST_COSINE);
    }
  });
});

async function inFloatingPoint(role: Role): Promise<Network> {
  const { quantised, ...manifest } = pack.manifest.networks[role];
  if (quantised === undefined) return pack.models[role].network;
  return openNetwork(await convertNetwork(manifest), role);
}

function cosine(a: Float32Array, b: Float32Array): number {
  const product = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/** An output of zeros would agree with anything. */
function relativeDifference(own: Float32Array, expected: readonly number[]): number {
  const largest = Math.max(...expected.map(Math.abs));
  expect(largest).toBeGreaterThan(0);
  expect(own.length).toBe(expected.length);
  return own.reduce((max, value, i) => Math.max(max, Math.abs(value - expected[i]!)), 0) / largest;
}

function toTensor(pictures: readonly Float32Array[], network: NetworkManifest): Tensor {
  const { height, width } = network.input;
  const data = new Float32Array(pictures.length * 3 * height * width);
  const plane = height * width;
  for (const [p, picture] of pictures.entries()) {
    const scaled = picture.map(normalised(network));
    for (let i = 0; i < scaled.length; i += 1) {
      data[(p * 3 + (i % 3)) * plane + Math.floor(i / 3)] = scaled[i]!;
    }
  }
  return { data, dims: [pictures.length, 3, height, width] };
}

function normalised({ normalisation: { mean, divisor } }: NetworkManifest) {
  const by = [divisor, divisor, divisor].flat();
  return (value: number, index: number) => (value - mean[index % 3]!) / by[index % 3]!;
}

type Paint = (x: number, y: number, channel: number) => number;

/** Whole values 0…255, as one network requires them, NHWC; `x` and `y` run from −1 to 1. */
function paint({ input: { height, width } }: NetworkManifest, value: Paint): Float32Array {
  return Float32Array.from({ length: height * width * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    const x = (2 * (pixel % width)) / (width - 1) - 1;
    const y = (2 * Math.floor(pixel / width)) / (height - 1) - 1;
    return Math.round(Math.min(255, Math.max(0, value(x, y, i % 3))));
  });
}

function noise(network: NetworkManifest): Float32Array {
  let state = 12345;
  return paint(network, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32) * 255;
  });
}

function scene(network: NetworkManifest): Float32Array {
  return paint(network, (x, y, c) => 128 + 60 * x - 40 * y + 50 * Math.sin(9 * x + c) * Math.cos(7 * y));
}

function faceLike(network: NetworkManifest): Float32Array {
  return paint(network, (x, y, c) => {
    const eye = Math.hypot(Math.abs(x) - 0.3, y + 0.25) < 0.1;
    const mouth = Math.abs(y - 0.4) < 0.06 && Math.abs(x) < 0.3;
    if (eye || mouth) return 40 + 20 * c;
    return Math.hypot(x, 0.8 * y) < 0.75 ? 210 - 30 * c - 25 * x : 90 + 60 * y;
  });
}
