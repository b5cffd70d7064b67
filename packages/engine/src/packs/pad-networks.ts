import { openNetwork } from '../runtime/session.ts';
import { type CacheIndex, readCached } from './cache.ts';
import { renameOutputs } from './conversion/rename-outputs.ts';
import { filesOf } from './install/install.ts';
import { damagedFiles, installedPacks } from './install/installed.ts';
import type { NetworkManifest } from './manifest.ts';
import type { PadNetworks } from './pack.ts';

/** Passive spoof nets of an installed pack; plain data, so that one thread finds and many open them. */
export interface PreparedPadNetworks {
  readonly folder: string;
  readonly index: CacheIndex;
  readonly near: NetworkManifest;
  readonly wide: NetworkManifest;
}

/**
 * The spoof nets that are installed beside whichever pack runs: the first whole pack that brings both and whose
 * licence is allowed. A damaged one is passed over, as the built-in measure does without.
 */
export async function findPadNetworks(
  packsDir: string,
  acceptNonCommercial: boolean,
): Promise<PreparedPadNetworks | undefined> {
  for (const pack of await installedPacks(packsDir)) {
    const { networks, commercial } = pack.definition;
    const { 'spoof-near': near, 'spoof-wide': wide } = networks;
    if (!near || !wide || !(commercial || acceptNonCommercial)) continue;
    if ((await damagedFiles(pack)).length > 0) continue;
    const index = Object.fromEntries(filesOf(pack.definition).map(({ name, sha256 }) => [name, sha256]));
    return { folder: pack.folder, index, near, wide };
  }
  return undefined;
}

/** Opens them in the calling thread. @throws EngineError `pack` when a file was damaged since they were found */
export async function openPadNetworks({
  folder,
  index,
  near,
  wide,
}: PreparedPadNetworks): Promise<PadNetworks> {
  const open = async (spec: NetworkManifest) => {
    const network = await openNetwork(await readCached(folder, spec.file, index), spec.file);
    return { spec, network: renameOutputs(network, spec.outputs) };
  };
  return { near: await open(near), wide: await open(wide) };
}
