/** What a server needs. `@wajah/engine/training` has what only training and evaluation need. */

export {
  type CohortStatistics,
  cohortPairs,
  cohortProbe,
  MAX_COHORT,
  MIN_COHORT,
  measureCohort,
} from './cohort/cohort.ts';
export { EngineError } from './errors.ts';
export { acceptedFormats, imageType } from './imaging/formats.ts';
export {
  type Calibration,
  type Comparer,
  type Embedder,
  openComparer,
  openEmbedder,
  openEngine,
  openEngineInThread,
  packThresholds,
  type StartingEngine,
  startEngine,
  WORKER_MEMORY,
} from './open.ts';
export { prepareBuiltinPack } from './packs/builtin.ts';
export { definitionOf, knownPacks, RECOMMENDED_PACK } from './packs/catalog.ts';
export { type PackChoice, requireUsable } from './packs/choose.ts';
export { companionsOf, downloadsOf, installPack } from './packs/install/install.ts';
export {
  damagedFiles,
  type InstalledPack,
  installedPack,
  installedPacks,
} from './packs/install/installed.ts';
export { type PackDefinition, roles } from './packs/manifest.ts';
export { findPadNetworks, isPadPack, RECOMMENDED_PAD_PACK } from './packs/pad-networks.ts';
export { sameEmbeddingSpec, upgradeFrom } from './packs/upgrade.ts';
export {
  meanSpoofScore,
  meanSpoofThreshold,
  SPOOF_THRESHOLD,
  UNCLEAR_SPOOF_THRESHOLD,
} from './pad/thresholds.ts';
export { proportionalBytes } from './runtime/pool.ts';
export { captureFaults } from './series/capture-faults.ts';
export { type Flatness, flatnessOf, MIN_TURN_DEGREES } from './series/flatness.ts';
export { isSameMoment, nearestShape, replayedFrames, shapeQuery } from './series/same-frame.ts';
export {
  isOneSitting,
  type Stillness,
  sittingChange,
  stillnessOf,
} from './series/stillness.ts';
export {
  alikeSimilarityOf,
  type CalibrationCurve,
  comparisonSimilarityOf,
  HIGHEST_SIMILARITY,
  innerProduct,
  parseCurve,
  similarityOf,
} from './similarity.ts';
export { faceOfCrop } from './stages/detection/detection.ts';
export type * from './types.ts';
