import { builtinManifest } from '../packs/builtin.ts';
import type { PackChoice } from '../packs/choose.ts';
import { installedPack } from '../packs/install/installed.ts';
import type { PackDefinition } from '../packs/manifest.ts';
import { findPadNetworks } from '../packs/pad-networks.ts';
import { spoofThresholds } from '../pad/fusion.ts';

/**
 * The thresholds that a server has by default with a pack, 0…1, and where its calibration comes from, without opening its
 * networks.
 * @throws EngineError `pack` when it is not installed
 */
export async function packThresholds({ id, packsDir, acceptNonCommercial }: PackChoice) {
  const builtin = await builtinManifest();
  const installed = id === builtin.id ? null : (await installedPack(packsDir, id)).definition;
  const chosen = installed ?? builtin;
  const padNetworks = await findPadNetworks(packsDir, acceptNonCommercial);
  return {
    threshold: chosen.threshold ?? builtin.threshold,
    spoofThreshold: spoofThresholds(padNetworks !== undefined).spoofThreshold,
    calibration: installed ? calibrationOf(installed) : 'measured',
  } as const;
}

function calibrationOf({ networks, curve, published }: PackDefinition) {
  if (!networks.embedder || curve !== undefined) return 'measured';
  return published ? 'provisional' : 'missing';
}
