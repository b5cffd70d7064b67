import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../errors.ts';
import { digest } from '../cache.ts';
import type { NetworkManifest } from '../manifest.ts';
import { folderOfPackage } from '../packages.ts';
import { mergeConvolutions } from './merge-convolutions.ts';
import { encodeModel, type OnnxGraph } from './onnx-writer.ts';
import { foldConvolutions } from './quantisation/fold-convolutions.ts';
import { quantise } from './quantisation/quantise.ts';
import { readQuantisedValues } from './quantisation/quantised-values.ts';
import { repairPRelus } from './repair-prelus.ts';
import { convertTfjsGraph, type WantedOutput } from './tfjs-convert.ts';
import { readTfjsGraph } from './tfjs-graph.ts';

/**
 * Converts a network from the files of its npm package to an ONNX file.
 * @param data folder of the quantised values
 * @throws EngineError `pack` when the package is missing or another version, or its files differ from their digests
 */
export async function convertNetwork(network: NetworkManifest, data: URL): Promise<Uint8Array> {
  const graph = await graphOf(network);
  if (network.quantised === undefined) return encodeModel(graph, network.file);
  const values = await readQuantisedValues(new URL(network.quantised, data));
  return encodeModel(quantise(foldConvolutions(graph), values), network.file);
}

/**
 * Converts a network in floating point, with the result of each activation as a further output, for the choice of ranges.
 * @returns the file, and the names of these outputs in the order of the graph
 */
export async function convertWithActivations(
  network: NetworkManifest,
): Promise<{ model: Uint8Array; names: readonly string[] }> {
  const graph = foldConvolutions(await graphOf(network));
  const names = graph.nodes.filter(({ op }) => /^(Clip|Relu)$/.test(op)).map(({ output }) => output);
  const outputs = new Map([...graph.outputs, ...names.map((name) => [name, SPATIAL] as const)]);
  return { model: encodeModel({ ...graph, outputs }, network.file), names };
}

/** Shape of a value before the last: batch, channels, height, width. */
const SPATIAL = ['batch', 'channels', 'height', 'width'];

async function graphOf(network: NetworkManifest): Promise<OnnxGraph> {
  const { source } = network;
  if (source.kind === 'onnx') throw new EngineError('pack', `${network.file} is not made from a package.`);
  const folder = await packageFolder(source.package, source.version);
  const [description, weights] = await Promise.all(
    source.files.map((file) => readPinned(join(folder, file.path), file.path, file.sha256)),
  );
  const text = Buffer.from(description ?? []).toString('utf8');
  const bytes = weights ?? new Uint8Array();
  const graph = readTfjsGraph(text, bytes);
  const repaired = source.mend === 'prelus' ? repairPRelus(graph) : graph;
  const { height, width } = network.input;
  return mergeConvolutions(convertTfjsGraph(repaired, wantedOutputs(network), [height, width]));
}

function wantedOutputs(network: NetworkManifest): Record<string, WantedOutput> {
  const entries = Object.entries(network.outputs).map(([name, { shape, node }]) => {
    if (!node) throw new EngineError('pack', `The output ${name} of ${network.file} names no node.`);
    return [name, { shape, node }] as const;
  });
  return Object.fromEntries(entries);
}

/** @throws EngineError `pack` when the package is missing or another version */
export async function packageFolder(name: string, version: string): Promise<string> {
  const folder = folderOfPackage(name);
  if (!folder) throw new EngineError('pack', `The package ${name} is not installed.`);
  const found = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;
  if (found === version) return folder;
  throw new EngineError(
    'pack',
    `The package ${name} is version ${found}, the model pack requires ${version}.`,
  );
}

async function readPinned(path: string, name: string, sha256: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new EngineError('pack', `The model file ${name} is missing from its package.`, { cause });
  });
  if (digest(bytes) !== sha256) {
    throw new EngineError('pack', `The model file ${name} is not the one that the pack manifest pins.`);
  }
  return bytes;
}
