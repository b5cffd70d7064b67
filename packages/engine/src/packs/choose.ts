import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import type { CalibrationCurve } from '../similarity.ts';
import { type PreparedPack, prepareBuiltinPack, requireLength } from './builtin.ts';
import { damagedFiles, type InstalledPack, installedCurve, installedPack } from './install/installed.ts';
import { isRecognitionPack, type PackDefinition, type PackManifest, roles } from './manifest.ts';
import { findPadNetworks, isPadPack } from './pad-networks.ts';
import { provisionalCurve } from './provisional-curve.ts';
import { readRecipe } from './recipe.ts';

/** The pack to run, and the folder of installed packs. */
export interface PackChoice {
  /** `builtin`, or the name of an installed pack. */
  readonly id: string;
  readonly packsDir: string;
  /** Whether packs may be used whose licences do not state that they allow commercial use. */
  readonly acceptNonCommercial: boolean;
  /** Leaves out installed PAD networks, to measure without them. */
  readonly withoutPadNetworks?: boolean;
  /** PAD networks that are on their way: awaited before installed ones are looked for. Never rejects. */
  readonly padNetworksArrive?: Promise<unknown>;
}

/**
 * Prepares a pack: the built-in networks, replaced by those of the chosen pack, and the installed PAD networks.
 * @throws EngineError `pack`
 */
export async function preparePack(choice?: PackChoice): Promise<PreparedPack> {
  const builtin = await prepareBuiltinPack();
  if (!choice) return builtin;
  await choice.padNetworksArrive;
  const base = {
    ...builtin,
    padNetworks: choice.withoutPadNetworks
      ? undefined
      : await findPadNetworks(choice.packsDir, choice.acceptNonCommercial),
  };
  if (choice.id === base.manifest.id) return base;
  const pack = await installedPack(choice.packsDir, choice.id);
  const { definition, folder } = pack;
  requireUsable(definition, choice.acceptNonCommercial);
  const damaged = await damagedFiles(pack);
  if (damaged.length > 0) {
    const names = damaged.join(', ');
    throw new EngineError(
      'pack',
      `The pack ${definition.id} is damaged (${names}): wajah models pull ${definition.id}.`,
    );
  }
  return {
    ...base,
    manifest: completed(definition, base.manifest),
    curve: await curveOf(pack, base.curve),
    recipe: await recipeOf(pack, base),
    installed: folder,
    secondEmbedder: definition.networks['second-embedder'],
  };
}

/** @throws EngineError `pack` for a pack that replaces no network, or whose licence was not accepted */
export function requireUsable(
  { id, networks, commercial }: PackDefinition,
  acceptNonCommercial: boolean,
): void {
  if (!isRecognitionPack({ networks })) {
    if (isPadPack({ networks })) {
      throw new EngineError(
        'pack',
        `The pack ${id} is not chosen: once it is installed, a server uses its networks for presentation attack detection beside any pack, from its next start.`,
      );
    }
    throw new EngineError(
      'pack',
      `The pack ${id} brings no network that finds or compares faces; a server cannot run on it.`,
    );
  }
  if (commercial || acceptNonCommercial) return;
  throw new EngineError(
    'pack',
    `The pack ${id} has files whose licence does not allow, or does not say that it allows, commercial use: set WAJAH_ACCEPT_NONCOMMERCIAL=true if yours is none.`,
  );
}

/** @throws EngineError `pack` for a second embedder that adds to another version of the built-in templates */
async function recipeOf(pack: InstalledPack, base: PreparedPack): Promise<PreparedPack['recipe']> {
  const { id, networks, adds, embedding } = pack.definition;
  if (networks.embedder) return null;
  if (!adds || !embedding || !base.recipe) return base.recipe;
  const { version } = base.manifest;
  if (adds.to === version) {
    return requireLength(
      [...base.recipe, ...(await readRecipe(join(pack.folder, adds.template)))],
      embedding,
    );
  }
  throw new EngineError(
    'pack',
    `The pack ${id} adds to templates of version ${adds.to} of the built-in pack, which is version ${version}: wajah models pull ${id}.`,
  );
}

/** The pack's own curve, that of the built-in templates, or a provisional one; null: nothing is known of the scores. */
async function curveOf(
  pack: InstalledPack,
  builtin: CalibrationCurve | null,
): Promise<CalibrationCurve | null> {
  const { id, networks, published } = pack.definition;
  const own = await installedCurve(pack);
  if (own || !(networks.embedder || networks['second-embedder'])) return own ?? builtin;
  return published && builtin?.cohort ? provisionalCurve(id, published, builtin.cohort.knots) : null;
}

/** Templates are pinned to the chosen pack even if it has no embedder: another detector or mesh changes templates. */
function completed(definition: PackDefinition, base: PackManifest): PackManifest {
  const { id, version, networks, embedding, threshold } = definition;
  const chosen = roles.map((role) => [role, networks[role] ?? base.networks[role]] as const);
  return {
    format: 1,
    id,
    version,
    embedding: embedding ?? base.embedding,
    upgrades: [],
    threshold: threshold ?? base.threshold,
    networks: { ...base.networks, ...Object.fromEntries(chosen) },
  };
}
