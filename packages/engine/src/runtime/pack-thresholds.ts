import { builtinManifest } from '../packs/builtin.ts';
import type { PackChoice } from '../packs/choose.ts';
import { installedPack } from '../packs/install/installed.ts';
import { findPadNetworks } from '../packs/pad-networks.ts';
import { spoofThresholds } from '../pad/fusion.ts';

/**
 * The thresholds that a server has by default with a pack, 0…1, without opening its networks.
 * @throws EngineError `pack` when it is not installed
 */
export async function packThresholds({ id, packsDir, acceptNonCommercial }: PackChoice) {
  const builtin = await builtinManifest();
  const chosen = id === builtin.id ? builtin : (await installedPack(packsDir, id)).definition;
  const padNetworks = await findPadNetworks(packsDir, acceptNonCommercial);
  return {
    threshold: chosen.threshold ?? builtin.threshold,
    spoofThreshold: spoofThresholds(padNetworks !== undefined).spoofThreshold,
  };
}
