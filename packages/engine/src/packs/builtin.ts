import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../errors.ts';
import { type CalibrationCurve, readCurve } from '../similarity.ts';
import { verifiedFile } from './files.ts';
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

/** Folder of the built-in networks, which the build fills. */
export const NETWORKS: string = fileURLToPath(new URL('../../networks', import.meta.url));

/** Prepares the built-in models. @throws EngineError `pack` when a network is missing or damaged */
export async function prepareBuiltinPack(): Promise<PreparedPack> {
  const manifest = await builtinManifest();
  for (const network of networksOf(manifest)) await requireNetwork(network);
  const curve = await readCurve(new URL(required(manifest.curve), DATA));
  return { manifest, folder: NETWORKS, curve, recipe: await recipeOf(manifest) };
}

async function requireNetwork(network: NetworkManifest): Promise<void> {
  await verifiedFile(NETWORKS, network).catch((cause: EngineError) => {
    const remedy = 'Install the program again (in a checkout: npm run build).';
    throw new EngineError('pack', `${cause.message} ${remedy}`, { cause });
  });
}

/** The networks of a pack, each followed by that for a smaller input. */
export function networksOf({ networks }: PackManifest): NetworkManifest[] {
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
