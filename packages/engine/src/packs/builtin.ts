import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { type CalibrationCurve, readCurve } from '../similarity.ts';
import {
  cacheFault,
  createCache,
  digest,
  isIntact,
  requireConverted,
  shippedFolder,
  writeWhole,
} from './files.ts';
import { type NetworkManifest, type PackManifest, parseManifest, roles, smallerOf } from './manifest.ts';
import type { PreparedPadNetworks } from './pad-networks.ts';
import { dimensionsOf, readRecipe, type TemplateRecipe } from './recipe.ts';

const DATA = new URL('../../data/', import.meta.url);

/** A pack whose files are verified; plain data that is sent to workers. */
export interface PreparedPack {
  readonly manifest: PackManifest;
  /** Folder of the built-in networks. */
  readonly folder: string;
  readonly curve: CalibrationCurve | null;
  readonly recipe: TemplateRecipe | null;
  /** Folder of the installed pack whose networks replace built-in ones. */
  readonly installed?: string;
  /** Of the installed pack: its vector is a part of the recipe. */
  readonly secondEmbedder?: NetworkManifest | undefined;
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
  const folder = await convertedNetworks(cacheDir, manifest, onConversion);
  const curve = await readCurve(new URL(required(manifest.curve), DATA));
  return { manifest, folder, curve, recipe: await recipeOf(manifest) };
}

/** Why a start could not store the networks that it converts; null: it can, or they are converted already. */
export async function conversionFault(cacheDir: string): Promise<string | null> {
  const manifest = await builtinManifest();
  const { isConverted } = await networkFolder(cacheDir, manifest, networksOf(manifest));
  return isConverted ? null : cacheFault(cacheDir);
}

/** The folder of the converted networks, or that which they are to be converted into. */
async function networkFolder(cacheDir: string, manifest: PackManifest, networks: readonly NetworkManifest[]) {
  const key = digest(Buffer.from(networks.map(({ source }) => source.sha256).join())).slice(0, 16);
  const name = `${manifest.id}-${manifest.version}-${key}`;
  const shipped = shippedFolder('networks');
  for (const parent of shipped === undefined ? [cacheDir] : [shipped, cacheDir]) {
    const folder = join(parent, name);
    if (await isIntact(folder, networks)) return { folder, isConverted: true };
  }
  return { folder: join(cacheDir, name), isConverted: false };
}

async function convertedNetworks(
  cacheDir: string,
  manifest: PackManifest,
  onConversion?: OnConversion,
): Promise<string> {
  const networks = networksOf(manifest);
  const { folder, isConverted } = await networkFolder(cacheDir, manifest, networks);
  if (isConverted) return folder;
  // Before the conversion, which takes longer than to see that its result cannot be stored.
  await createCache(folder);
  onConversion?.(0, networks.length);
  for (const [index, network] of networks.entries()) {
    await writeWhole(folder, network.file, await converted(network));
    onConversion?.(index + 1, networks.length);
  }
  return folder;
}

/** @throws EngineError `pack` when the network cannot be converted, or not to the file that the manifest pins */
async function converted(network: NetworkManifest): Promise<Uint8Array> {
  try {
    // Releases have the networks and not the converter. Most starts find converted files.
    const { convertNetwork } = await import('@wajah/models/convert');
    return requireConverted(network, await convertNetwork(network));
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
  return [folder, installed, padNetworks?.folder].filter((it) => it !== undefined);
}

async function recipeOf({ template, embedding }: PackManifest): Promise<TemplateRecipe | null> {
  return template === undefined ? null : requireLength(await readRecipe(new URL(template, DATA)), embedding);
}

/** @throws EngineError `pack` when the length of the recipe's templates differs from the pack's */
export function requireLength(recipe: TemplateRecipe, embedding: PackManifest['embedding']): TemplateRecipe {
  const dimensions = dimensionsOf(recipe);
  if (dimensions === embedding.dimensions) return recipe;
  throw new EngineError(
    'pack',
    `The recipe makes templates of ${dimensions} values, the pack's have ${embedding.dimensions}.`,
  );
}

function required(curve: string | undefined): string {
  if (curve === undefined) throw new EngineError('pack', 'The built-in pack names no calibration curve.');
  return curve;
}
