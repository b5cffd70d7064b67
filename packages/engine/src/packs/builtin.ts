import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { openNetwork } from '../runtime/session.ts';
import { type CalibrationCurve, readCurve } from '../similarity.ts';
import type { Model } from '../stages/model.ts';
import { dimensionsOf, readRecipe, type TemplateRecipe } from '../stages/template/template.ts';
import type { EmbeddingSpec } from '../types.ts';
import { createCache, type Digests, digest, isIntact, verifiedFile, writeWhole } from './files.ts';
import { openInstalledNetwork } from './install/installed.ts';
import {
  type NetworkManifest,
  type PackManifest,
  parseManifest,
  type Role,
  roles,
  smallerOf,
} from './manifest.ts';
import type { OpenPack } from './pack.ts';
import { shippedFolder } from './packages.ts';
import { openPadNetworks, type PreparedPadNetworks } from './pad-networks.ts';

const DATA = new URL('../../data/', import.meta.url);

/** A pack whose files are verified; plain data that is sent to workers. */
export interface PreparedPack {
  readonly manifest: PackManifest;
  /** Folder of the built-in networks, and their SHA-256. */
  readonly folder: string;
  readonly digests: Digests;
  readonly curve: CalibrationCurve | null;
  readonly recipe: TemplateRecipe | null;
  /** Networks of an installed pack that replace built-in ones. */
  readonly installed?: { readonly folder: string; readonly digests: Digests };
  /** Execution providers in the order of preference; absent: cpu. */
  readonly providers?: readonly string[] | undefined;
  /** Installed PAD networks. */
  readonly padNetworks?: PreparedPadNetworks | undefined;
}

/** Receives the number of converted networks, and of all. */
export type OnConversion = (done: number, total: number) => void;

/**
 * Prepares the built-in models. A release brings them converted; otherwise they are converted into the cache (about a
 * second) when they are missing or damaged. Safe in concurrent processes and threads.
 * @param cacheDir folder, created when missing
 * @param onConversion receives the number of converted networks and of all; not called where the cache has them
 * @throws EngineError `pack`
 */
export async function prepareBuiltinPack(
  cacheDir: string,
  onConversion?: OnConversion,
): Promise<PreparedPack> {
  const manifest = await builtinManifest();
  const { folder, digests } = await convertedNetworks(cacheDir, manifest, onConversion);
  const curve = await readCurve(new URL(required(manifest.curve), DATA));
  return { manifest, folder, digests, curve, recipe: await recipeOf(manifest) };
}

async function convertedNetworks(
  cacheDir: string,
  manifest: PackManifest,
  onConversion?: OnConversion,
): Promise<{ folder: string; digests: Digests }> {
  const networks = networksOf(manifest);
  const digests = Object.fromEntries(networks.map(({ file, source }) => [file, source.sha256]));
  const key = digest(Buffer.from(JSON.stringify(digests))).slice(0, 16);
  const name = `${manifest.id}-${manifest.version}-${key}`;
  const shipped = shippedFolder('networks');
  for (const parent of shipped === undefined ? [cacheDir] : [shipped, cacheDir]) {
    const folder = join(parent, name);
    if (await isIntact(folder, digests)) return { folder, digests };
  }
  const folder = join(cacheDir, name);
  // Before the conversion, which takes longer than to see that its result cannot be stored.
  await createCache(folder);
  onConversion?.(0, networks.length);
  for (const [index, network] of networks.entries()) {
    await writeWhole(folder, network.file, await converted(network));
    onConversion?.(index + 1, networks.length);
  }
  return { folder, digests };
}

/** @throws EngineError `pack` when the network cannot be converted, or not to the file that the manifest pins */
async function converted(network: NetworkManifest): Promise<Uint8Array> {
  try {
    // Releases have the networks and not the converter. Most starts find converted files.
    const { convertNetwork } = await import('@wajah/models/convert');
    const bytes = await convertNetwork(network);
    const found = digest(bytes);
    if (found === network.source.sha256) return bytes;
    throw new Error(
      `${network.file} was converted to a file of the SHA-256 ${found}, the pack pins another.`,
    );
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const missing = `${network.file} is missing or damaged: install @wajah/models again.`;
    throw new EngineError('pack', code === 'ERR_MODULE_NOT_FOUND' ? missing : message, { cause });
  }
}

/** The networks of a pack, each followed by that for a smaller input. */
function networksOf({ networks }: PackManifest): NetworkManifest[] {
  return roles.flatMap((role) => {
    const smaller = smallerOf(networks[role]);
    return smaller ? [networks[role], smaller] : [networks[role]];
  });
}

export async function builtinManifest(): Promise<PackManifest> {
  return parseManifest(await readFile(new URL('builtin-pack.json', DATA), 'utf8'));
}

/** Folders that a pack's files are read from when it is opened. */
export function modelFolders({ folder, installed, padNetworks }: PreparedPack): string[] {
  return [folder, installed?.folder, padNetworks?.folder].filter((it) => it !== undefined);
}

/** Opens a prepared pack in the calling thread. @throws EngineError `pack` when a file was damaged meanwhile */
export async function openPreparedPack(prepared: PreparedPack): Promise<OpenPack> {
  const { manifest, curve, recipe } = prepared;
  const open: Partial<Record<Role, Model>> = {};
  for (const role of await rolesBySize(prepared)) open[role] = await openRole(prepared, role);
  const padNetworks = prepared.padNetworks
    ? await openPadNetworks(prepared.padNetworks, prepared.providers)
    : null;
  const all = [...Object.values(open), ...Object.values(padNetworks ?? {})].flatMap((model) =>
    model.smaller ? [model, model.smaller] : [model],
  );
  return {
    manifest,
    curve,
    embeddingSpec: embeddingSpecOf(manifest),
    models: { ...(open as Record<Role, Model>), recipe, padNetworks },
    padPack: prepared.padNetworks?.pack ?? null,
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

function fileOf({ manifest, folder, installed }: PreparedPack, role: Role) {
  const spec = manifest.networks[role];
  const replaced = spec.source.kind === 'onnx' && installed;
  return { spec, folder: replaced ? replaced.folder : folder, installed: replaced || undefined };
}

async function openRole(prepared: PreparedPack, role: Role): Promise<Model> {
  const { providers, digests } = prepared;
  const { spec, folder, installed } = fileOf(prepared, role);
  if (installed) {
    return { network: await openInstalledNetwork(folder, spec, installed.digests, role, providers), spec };
  }
  const open = async (one: NetworkManifest): Promise<Model> => ({
    network: await openNetwork(await verifiedFile(folder, one.file, digests), role, providers),
    spec: one,
  });
  const smaller = smallerOf(spec);
  return { ...(await open(spec)), smaller: smaller ? await open(smaller) : undefined };
}

/** Specification that templates of a pack are pinned to. */
export function embeddingSpecOf(manifest: PackManifest): EmbeddingSpec {
  return { pack: manifest.id, version: manifest.version, ...manifest.embedding };
}

/** Prepares and opens the built-in pack in the calling thread. */
export async function openBuiltinPack(cacheDir: string): Promise<OpenPack> {
  return openPreparedPack(await prepareBuiltinPack(cacheDir));
}

/** @throws EngineError `pack` when the length of the recipe's templates differs from the manifest */
async function recipeOf({ template, embedding }: PackManifest): Promise<TemplateRecipe | null> {
  if (template === undefined) return null;
  const recipe = await readRecipe(new URL(template, DATA));
  const dimensions = dimensionsOf(recipe);
  if (dimensions === embedding.dimensions) return recipe;
  throw new EngineError(
    'pack',
    `${template} makes templates of ${dimensions} values, the pack's have ${embedding.dimensions}.`,
  );
}

function required(curve: string | undefined): string {
  if (curve === undefined) throw new EngineError('pack', 'The built-in pack names no calibration curve.');
  return curve;
}
