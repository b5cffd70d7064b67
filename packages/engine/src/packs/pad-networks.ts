import { damagedFiles, type InstalledPack, installedPacks } from './install/installed.ts';
import { type NetworkManifest, type PackDefinition, replaceable } from './manifest.ts';

/** Pack of PAD networks that a server should run with: docs/accuracy.md has the error rates with it and without it. */
export const RECOMMENDED_PAD_PACK = 'pad';

/** Whether a pack has PAD networks and no others: it is used beside the chosen pack and cannot be chosen itself. */
export function isPadPack({ networks }: Pick<PackDefinition, 'networks'>): boolean {
  const replaces = replaceable.some((role) => networks[role]);
  return !replaces && networks['spoof-near'] !== undefined && networks['spoof-wide'] !== undefined;
}

/** PAD networks of an installed pack; plain data that is sent to worker threads. */
export interface PreparedPadNetworks {
  /** Name of the pack. */
  readonly pack: string;
  readonly folder: string;
  readonly near: NetworkManifest;
  readonly wide: NetworkManifest;
  /** Absent in packs of two networks. */
  readonly close?: NetworkManifest | undefined;
}

/**
 * Finds the PAD networks of an installed pack that has a near and a wide one, is undamaged and whose licence is accepted:
 * the first that has a close one too, else the first. They run beside any pack; the built-in signals work without them.
 */
export async function findPadNetworks(
  packsDir: string,
  acceptNonCommercial: boolean,
): Promise<PreparedPadNetworks | undefined> {
  const packs = await installedPacks(packsDir);
  const hasClose = ({ definition }: InstalledPack) => definition.networks['spoof-close'] !== undefined;
  for (const pack of [...packs.filter(hasClose), ...packs.filter((pack) => !hasClose(pack))]) {
    const { networks, commercial } = pack.definition;
    const { 'spoof-near': near, 'spoof-wide': wide, 'spoof-close': close } = networks;
    if (!near || !wide || !(commercial || acceptNonCommercial)) continue;
    if ((await damagedFiles(pack)).length > 0) continue;
    return { pack: pack.definition.id, folder: pack.folder, near, wide, close };
  }
  return undefined;
}
