import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import '@tensorflow/tfjs-backend-cpu';
import * as wasm from '@tensorflow/tfjs-backend-wasm';
import * as converter from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';
import type { NetworkManifest } from '../../packages/engine/src/packs/manifest.ts';
import { packageFolder } from '../src/convert.ts';

const require = createRequire(import.meta.url);

/** Runs one picture (NHWC without batch, in the range that the model requires) and answers by output name. */
export type Reference = (picture: Float32Array) => Promise<Record<string, Float32Array>>;

/** Opens a network of the built-in pack the way its own library runs it: tfjs on the WebAssembly backend. */
export async function openReference(network: NetworkManifest): Promise<Reference> {
  wasm.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist/'));
  await tf.setBackend('wasm');
  const { source } = network;
  if (source.kind !== 'tfjs-graph') throw new Error(`${network.file} comes from no package`);
  const folder = await packageFolder(source.package, source.version);
  const [description, weights] = source.files.map((file) => readFileSync(join(folder, file.path)));
  const json = JSON.parse(description!.toString('utf8'));
  const { height, width } = network.input;
  const graph = source.repair === 'prelus' ? repaired(json.modelTopology) : json.modelTopology;
  const topology = withInput(graph, height, width);
  const type = typeOfInput(topology);
  const toTensor = (data: Float32Array) => tf.tensor4d(data, [1, height, width, 3], type);
  return graphReference(network, { ...json, modelTopology: topology }, arrayBuffer(weights!), toTensor);
}

type ToTensor = (data: Float32Array) => tf.Tensor4D;

async function graphReference(
  network: NetworkManifest,
  json: { modelTopology: object; weightsManifest: tf.io.WeightsManifestConfig },
  weightData: ArrayBuffer,
  toTensor: ToTensor,
): Promise<Reference> {
  const weightSpecs = json.weightsManifest.flatMap((group) => group.weights);
  const handler = tf.io.fromMemory({ modelTopology: json.modelTopology, weightSpecs, weightData });
  const model = await converter.loadGraphModel(handler);
  return async (picture) => {
    const answers: Record<string, Float32Array> = {};
    for (const [name, { node }] of Object.entries(network.outputs)) {
      const output = model.execute(toTensor(picture), node!) as tf.Tensor;
      answers[name] = (await output.data()) as Float32Array;
    }
    return answers;
  };
}

interface JsonNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: Readonly<Record<string, object>>;
}

interface JsonGraph {
  readonly node: readonly JsonNode[];
}

/** The graph with an input of this size: parts that take any size are converted for the one that is wanted. */
function withInput({ node, ...rest }: JsonGraph, height: number, width: number): JsonGraph {
  const dim = [1, height, width, 3].map((size) => ({ size: String(size) }));
  const resized = node.map((one) =>
    one.op === 'Placeholder' ? { ...one, attr: { ...one.attr, shape: { shape: { dim } } } } : one,
  );
  return { ...rest, node: resized };
}

function typeOfInput({ node }: JsonGraph): 'int32' | 'float32' {
  const input = node.find(({ op }) => op === 'Placeholder');
  return JSON.stringify(input?.attr?.['dtype']).includes('INT32') ? 'int32' : 'float32';
}

/**
 * The same repair as `repair-prelus.ts`, in the file: each subtraction reads its two values the other way round,
 * and each ReLU that was fused into a depthwise convolution is a node of its own again, read by the addition alone.
 */
function repaired({ node, ...rest }: { node: readonly JsonNode[] }): { node: readonly JsonNode[] } {
  const relu = Buffer.from('Relu').toString('base64');
  const bias = Buffer.from('BiasAdd').toString('base64');
  const fused = new Set(
    node
      .filter(({ op, attr }) => op === 'FusedDepthwiseConv2dNative' && JSON.stringify(attr).includes(relu))
      .map(({ name }) => name),
  );
  const repaired = node.flatMap((one): JsonNode[] => {
    const input = one.input ?? [];
    if (one.op === 'Sub') return [{ ...one, input: [...input].reverse() }];
    if (one.op === 'Add' && fused.has(input[0]!)) return [{ ...one, input: [`${input[0]}/relu`, input[1]!] }];
    if (!fused.has(one.name)) return [one];
    return [
      { ...one, attr: { ...one.attr, fused_ops: { list: { s: [bias] } } } },
      { name: `${one.name}/relu`, op: 'Relu', input: [one.name], attr: {} },
    ];
  });
  return { ...rest, node: repaired };
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
