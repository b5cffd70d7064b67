import { EngineError } from '../errors.ts';
import type { CalibrationCurve } from '../similarity.ts';
import { openPreparedPack, type PreparedPack, prepareBuiltinPack } from './builtin.ts';
import type { CacheIndex } from './cache.ts';
import { filesOf } from './install/install.ts';
import { damagedFiles, installedCurve, installedPack } from './install/installed.ts';
import { type PackDefinition, type PackManifest, replaceable } from './manifest.ts';
import type { OpenPack } from './pack.ts';
import { findPadNetworks } from './pad-networks.ts';

/** Which pack to run, and where packs are. */
export interface PackChoice {
  /** `builtin`, or the name of an installed pack. */
  readonly id: string;
  readonly packsDir: string;
  /** Whether packs may be used whose licences do not allow, or do not say that they allow, commercial use. */
  readonly acceptNonCommercial: boolean;
}

/**
 * Prepares a chosen pack: the built-in networks, in their places those that the pack brings, and the spoof nets that
 * are installed.
 */
export async function preparePack(cacheDir: string, choice?: PackChoice): Promise<PreparedPack> {
  const builtin = await prepareBuiltinPack(cacheDir);
  if (!choice) return builtin;
  const base = { ...builtin, spoofNets: await findPadNetworks(choice.packsDir, choice.acceptNonCommercial) };
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
    recipe: definition.networks.embedder ? null : base.recipe,
    installed: { folder, index: indexOf(definition) },
  };
}

/** Prepares and opens a pack in the calling thread. @throws EngineError `pack` */
export async function openPack(cacheDir: string, choice?: PackChoice): Promise<OpenPack> {
  return openPreparedPack(await preparePack(cacheDir, choice));
}

/** @throws EngineError `pack` for a pack that finds and compares no faces, or whose licence was not acknowledged */
export function requireUsable(
  { id, networks, commercial }: PackDefinition,
  acceptNonCommercial: boolean,
): void {
  if (!replaceable.some((role) => networks[role])) {
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

/** Without an embedder of its own a pack still has its own name in what templates are pinned to: others find other faces. */
function completed(definition: PackDefinition, base: PackManifest): PackManifest {
  const { id, version, networks, embedding, threshold } = definition;
  const chosen = replaceable.map((role) => [role, networks[role] ?? base.networks[role]] as const);
  return {
    format: 1,
    id,
    version,
    embedding: embedding ?? base.embedding,
    threshold: threshold ?? base.threshold,
    networks: { ...base.networks, ...Object.fromEntries(chosen) },
  };
}

async function curveOf(
  pack: Awaited<ReturnType<typeof installedPack>>,
  base: CalibrationCurve | null,
): Promise<CalibrationCurve | null> {
  const own = await installedCurve(pack);
  return own ?? (pack.definition.networks.embedder ? null : base);
}

function indexOf(definition: PackDefinition): CacheIndex {
  return Object.fromEntries(filesOf(definition).map(({ name, sha256 }) => [name, sha256]));
}
