import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { mergeConvolutions } from './merge-convolutions.ts';
import { encodeModel, type OnnxGraph } from './onnx.ts';
import { foldConvolutions } from './quantisation/fold-convolutions.ts';
import { quantise } from './quantisation/quantise.ts';
import { readQuantisedValues } from './quantisation/quantised-values.ts';
import { repairPRelus } from './repair-prelus.ts';
import { convertTfjsGraph, type WantedOutput } from './tfjs-convert.ts';
import { readTfjsGraph } from './tfjs-graph.ts';

/** Folder of the quantised values. */
const DATA = new URL('../data/', import.meta.url);

/** A network of an npm package, as the manifest of the built-in pack describes it. */
export interface PackagedNetwork {
  readonly file: string;
  readonly source: PackageFiles | { readonly kind: 'onnx' };
  /** Size of the input that it is converted for, pixels. */
  readonly input: { readonly height: number; readonly width: number };
  /** Outputs by name: shape without the batch, and node of the graph. */
  readonly outputs: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly node?: string | undefined }>
  >;
  /** File of the values that are computed in eight bits; absent: none. */
  readonly quantised?: string | undefined;
}

/** Topology and weights, as paths in the package. */
interface PackageFiles {
  readonly kind: 'tfjs-graph';
  readonly package: string;
  readonly version: string;
  readonly repair?: 'prelus' | undefined;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

/**
 * Converts a network from the files of its npm package to an ONNX file.
 * @throws Error when the package is missing or another version, or its files differ from their digests
 */
export async function convertNetwork(network: PackagedNetwork): Promise<Uint8Array> {
  const graph = await graphOf(network);
  if (network.quantised === undefined) return encodeModel(graph, network.file);
  const values = await readQuantisedValues(new URL(network.quantised, DATA));
  return encodeModel(quantise(foldConvolutions(graph), values), network.file);
}

/**
 * Converts a network in floating point, with the result of each activation as a further output, for the choice of ranges.
 * @returns the file, and the names of these outputs in the order of the graph
 */
export async function convertWithActivations(
  network: PackagedNetwork,
): Promise<{ model: Uint8Array; names: readonly string[] }> {
  const graph = foldConvolutions(await graphOf(network));
  const names = graph.nodes.filter(({ op }) => /^(Clip|Relu)$/.test(op)).map(({ output }) => output);
  const outputs = new Map([...graph.outputs, ...names.map((name) => [name, SPATIAL] as const)]);
  return { model: encodeModel({ ...graph, outputs }, network.file), names };
}

/** Shape of a value before the last: batch, channels, height, width. */
const SPATIAL = ['batch', 'channels', 'height', 'width'];

async function graphOf(network: PackagedNetwork): Promise<OnnxGraph> {
  const { source } = network;
  if (source.kind !== 'tfjs-graph') throw new Error(`${network.file} is not made from a package.`);
  const folder = await packageFolder(source.package, source.version);
  const [description, weights] = await Promise.all(
    source.files.map((file) => readPinned(join(folder, file.path), file.path, file.sha256)),
  );
  const text = Buffer.from(description ?? []).toString('utf8');
  const bytes = weights ?? new Uint8Array();
  const graph = readTfjsGraph(text, bytes);
  const repaired = source.repair === 'prelus' ? repairPRelus(graph) : graph;
  const { height, width } = network.input;
  return mergeConvolutions(convertTfjsGraph(repaired, wantedOutputs(network), [height, width]));
}

function wantedOutputs(network: PackagedNetwork): Record<string, WantedOutput> {
  const entries = Object.entries(network.outputs).map(([name, { shape, node }]) => {
    if (!node) throw new Error(`The output ${name} of ${network.file} names no node.`);
    return [name, { shape, node }] as const;
  });
  return Object.fromEntries(entries);
}

const require = createRequire(import.meta.url);

/**
 * Folder of an installed package. `require.resolve` would fail: packages need not export their package.json.
 * @throws Error when the package is missing or another version
 */
export async function packageFolder(name: string, version: string): Promise<string> {
  const folders = (require.resolve.paths(name) ?? []).map((modules) => join(modules, name));
  const folder = folders.find((each) => existsSync(join(each, 'package.json')));
  if (!folder) throw new Error(`The package ${name} is not installed.`);
  const found = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;
  if (found === version) return folder;
  throw new Error(`The package ${name} is version ${found}, the model pack requires ${version}.`);
}

async function readPinned(path: string, name: string, sha256: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new Error(`The model file ${name} is missing from its package.`, { cause });
  });
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new Error(`The model file ${name} is not the one that the pack manifest pins.`);
  }
  return bytes;
}
