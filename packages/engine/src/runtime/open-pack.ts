import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreparedPack } from '../packs/builtin.ts';
import { verifiedFile } from '../packs/files.ts';
import {
  embeddingSpecOf,
  isInstalled,
  type NetworkManifest,
  type PackManifest,
  type Role,
  roles,
  smallerOf,
} from '../packs/manifest.ts';
import type { CalibrationCurve } from '../similarity.ts';
import type { EmbeddingSpec } from '../types.ts';
import type { Model, Models, Network } from './model.ts';
import { withPaddedChannels } from './padded-channels.ts';
import { withoutParametricRelus } from './parametric-relus.ts';
import { openNetwork } from './session.ts';

/** A pack opened for inference in one thread. */
export interface OpenPack {
  readonly embeddingSpec: EmbeddingSpec;
  readonly manifest: PackManifest;
  /** Calibration of the embedder, for `similarityOf`; null before it was measured. */
  readonly curve: CalibrationCurve | null;
  readonly models: Models;
  /** Installed pack whose PAD networks are in use; null: there is none. */
  readonly padPack: string | null;
  close(): Promise<void>;
}

/** Opens a prepared pack in the calling thread. @throws EngineError `pack` when a file was damaged meanwhile */
export async function openPreparedPack(prepared: PreparedPack): Promise<OpenPack> {
  const { manifest, curve, recipe } = prepared;
  const open: Partial<Record<Role, Model>> = {};
  for (const role of await rolesBySize(prepared)) open[role] = await openRole(prepared, role);
  const { padNetworks: pad } = prepared;
  const openPad = (spec: NetworkManifest) => openModel(pad!.folder, spec, spec.file);
  const padNetworks = pad && { near: await openPad(pad.near), close: await openPad(pad.close) };
  const { secondEmbedder: second, installed } = prepared;
  const secondEmbedder = second && installed ? await openModel(installed, second, second.file) : null;
  const others = [...Object.values(padNetworks ?? {}), ...(secondEmbedder ? [secondEmbedder] : [])];
  const all = [...Object.values(open), ...others].flatMap((model) =>
    model.smaller ? [model, model.smaller] : [model],
  );
  return {
    manifest,
    curve,
    embeddingSpec: embeddingSpecOf(manifest),
    models: { ...(open as Record<Role, Model>), recipe, secondEmbedder, padNetworks: padNetworks ?? null },
    padPack: pad?.pack ?? null,
    async close() {
      for (const { network } of all) await network.close();
    },
  };
}

/** The roles, that of the largest file first: what opening it frees is used again by the smaller ones. */
async function rolesBySize(prepared: PreparedPack): Promise<readonly Role[]> {
  const sizes = new Map<Role, number>();
  for (const role of roles) {
    const { folder, spec } = fileOf(prepared, role);
    const { size } = await stat(join(folder, spec.file)).catch(() => ({ size: 0 }));
    sizes.set(role, size);
  }
  return [...roles].sort((a, b) => sizes.get(b)! - sizes.get(a)!);
}

function fileOf({ manifest, folder, installed = folder }: PreparedPack, role: Role) {
  const spec = manifest.networks[role];
  return { spec, folder: isInstalled(spec) ? installed : folder };
}

async function openRole(prepared: PreparedPack, role: Role): Promise<Model> {
  const { spec, folder } = fileOf(prepared, role);
  const model = await openModel(folder, spec, role);
  const smaller = isInstalled(spec) ? null : smallerOf(spec);
  if (!smaller) return model;
  return { ...model, smaller: await openModel(folder, smaller, role) };
}

/**
 * Opens a network in the calling thread. Those of installed packs have the output names of their manifest.
 * @param name of the network in errors
 * @throws EngineError `pack` when its file is missing or damaged
 */
async function openModel(folder: string, spec: NetworkManifest, name: string): Promise<Model> {
  const path = await verifiedFile(folder, spec);
  if (!isInstalled(spec)) return { spec, network: await openNetwork(path, name) };
  const network = await openNetwork(await rewritten(path), name);
  return { spec, network: renameOutputs(network, spec.outputs) };
}

/** Larger files are opened as they are: their convolutions take most of the time, and they would be in memory twice. */
const MOST_REWRITTEN_BYTES = 16 << 20;

/** The network of an installed pack as the runtime computes it fastest; its path where nothing is to be written otherwise. */
async function rewritten(path: string): Promise<string | Uint8Array> {
  if ((await stat(path)).size > MOST_REWRITTEN_BYTES) return path;
  const model = await readFile(path);
  const fast = withoutParametricRelus(withPaddedChannels(model));
  return fast === model ? path : fast;
}

function renameOutputs(network: Network, outputs: NetworkManifest['outputs']): Network {
  const names = Object.entries(outputs);
  const [only] = network.outputs;
  const sources = names.map(([name, { node }]) => {
    if (names.length === 1 && network.outputs.length === 1) return [name, only!] as const;
    return [name, node ?? name] as const;
  });
  return {
    inputs: network.inputs,
    outputs: names.map(([name]) => name),
    async run(feeds) {
      const results = await network.run(feeds);
      const renamed = sources.map(([name, source]) => [name, results[source]] as const);
      return Object.fromEntries(renamed.filter(([, tensor]) => tensor !== undefined)) as typeof results;
    },
    close: () => network.close(),
  };
}
