import { damagedFiles, installedPacks } from './install/installed.ts';
import { isRecognitionPack, type NetworkManifest, type PackDefinition } from './manifest.ts';

/** Pack of PAD networks that a server should run with: docs/accuracy.md has the error rates with it and without it. */
export const RECOMMENDED_PAD_PACK = 'pad';

/** Roles of the PAD networks of a pack. */
const PAD_ROLES = ['spoof-near', 'spoof-close'] as const;

/** Whether a pack has PAD networks and no others: it is used beside the chosen pack and cannot be chosen itself. */
export function isPadPack({ networks }: Pick<PackDefinition, 'networks'>): boolean {
  return !isRecognitionPack({ networks }) && PAD_ROLES.every((role) => networks[role]);
}

/** PAD networks of an installed pack; plain data that is sent to worker threads. */
export interface PreparedPadNetworks {
  /** Name of the pack. */
  readonly pack: string;
  readonly folder: string;
  readonly near: NetworkManifest;
  readonly close: NetworkManifest;
}

/**
 * Finds the PAD networks of the first installed pack that has all of them, is undamaged and whose licence is accepted. They
 * run beside any pack; without them presentations are not judged.
 */
export async function findPadNetworks(
  packsDir: string,
  acceptNonCommercial: boolean,
): Promise<PreparedPadNetworks | undefined> {
  for (const pack of await installedPacks(packsDir)) {
    const { networks, commercial } = pack.definition;
    const [near, close] = PAD_ROLES.map((role) => networks[role]);
    if (!near || !close || !(commercial || acceptNonCommercial)) continue;
    if ((await damagedFiles(pack)).length > 0) continue;
    return { pack: pack.definition.id, folder: pack.folder, near, close };
  }
  return undefined;
}
