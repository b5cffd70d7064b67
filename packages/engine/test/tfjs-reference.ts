import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import '@tensorflow/tfjs-backend-cpu';
import * as wasm from '@tensorflow/tfjs-backend-wasm';
import * as converter from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';
import type { NetworkManifest } from '../src/packs/manifest.ts';
import { packageFolder } from '../src/packs/source.ts';

const require = createRequire(import.meta.url);

/** Runs one picture (NHWC without batch, in the range that the model wants) and answers by output name. */
export type Reference = (picture: Float32Array) => Promise<Record<string, Float32Array>>;

/** Opens a network of the built-in pack the way its own library runs it: tfjs on the WebAssembly backend. */
export async function openReference(network: NetworkManifest): Promise<Reference> {
  wasm.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist/'));
  await tf.setBackend('wasm');
  const { source } = network;
  if (source.kind === 'onnx') throw new Error(`${network.file} comes from no package`);
  const folder = await packageFolder(source.package, source.version);
  const [description, weights] = source.files.map((file) => readFileSync(join(folder, file.path)));
  const json = JSON.parse(description!.toString('utf8'));
  const { height, width } = network.input;
  const toTensor = (data: Float32Array) => tf.tensor4d(data, [1, height, width, 3]);
  return source.kind === 'tfjs-graph'
    ? graphReference(network, json, arrayBuffer(weights!), toTensor)
    : dlibReference(join(folder, 'dist/face-api.node-wasm.js'), json, arrayBuffer(weights!), toTensor);
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

/**
 * The network of face-api, computed by that library itself. Its build for Node asks for the package
 * `@tensorflow/tfjs`, which is given the parts of it that are installed. It takes pixels and normalises them
 * with a divisor of 255.
 */
async function dlibReference(
  build: string,
  manifest: tf.io.WeightsManifestConfig,
  weights: ArrayBuffer,
  toTensor: ToTensor,
): Promise<Reference> {
  addChainedOperations();
  const given: Record<string, unknown> = {
    '@tensorflow/tfjs': { ...tf, ...converter },
    '@tensorflow/tfjs-backend-wasm': wasm,
  };
  const library = { exports: {} as FaceApi };
  new Function('require', 'module', 'exports', readFileSync(build, 'utf8'))(
    (name: string) => given[name] ?? require(name),
    library,
    library.exports,
  );
  const network = new library.exports.FaceRecognitionNet();
  const specs = manifest.flatMap((group) => group.weights);
  network.loadFromWeightMap(tf.io.decodeWeights(weights, specs));
  return async (picture) => ({
    descriptor: (await (await network.forward(toTensor(picture))).data()) as Float32Array,
  });
}

interface FaceApi {
  FaceRecognitionNet: new () => {
    loadFromWeightMap(weights: tf.NamedTensorMap): void;
    forward(input: tf.Tensor4D): Promise<tf.Tensor>;
  };
}

/** The methods of tensors that face-api calls and that only the whole `@tensorflow/tfjs` package adds. */
function addChainedOperations(): void {
  const reshape = function (this: tf.Tensor, ...shape: number[]) {
    return tf.reshape(this, shape);
  };
  Object.assign(tf.Tensor.prototype, {
    as3D: reshape,
    as4D: reshape,
    div(this: tf.Tensor, by: number) {
      return tf.div(this, by);
    },
    mean(this: tf.Tensor, axes: number[]) {
      return tf.mean(this, axes);
    },
  });
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
