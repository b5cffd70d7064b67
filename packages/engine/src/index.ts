export { EngineError, type EngineErrorCode } from './errors.ts';
export { faceOfCrop } from './imaging/face-crop.ts';
export { anglesOf, cofactors, fitRotation, type Matrix3, turn } from './imaging/geometry-3d.ts';
export { openBuiltinPack, prepareBuiltinPack } from './packs/builtin.ts';
export { definitionOf, knownPacks } from './packs/catalog.ts';
export { openPack, type PackChoice, requireUsable } from './packs/choose.ts';
export { installPack } from './packs/install/install.ts';
export {
  damagedFiles,
  type InstalledPack,
  installedPack,
  installedPacks,
} from './packs/install/installed.ts';
export { type PackDefinition, roles } from './packs/manifest.ts';
export type { Network, OpenPack, Role, Tensor } from './packs/pack.ts';
export type { PadEvidence } from './pad/evidence.ts';
export { namesDigest, spoofScore, spoofThreshold } from './pad/fusion.ts';
export type { PadSignal } from './pad/signal.ts';
export { PAD_SIGNALS } from './pad/signals.ts';
export type { RgbPixels } from './pad/view.ts';
export {
  type Calibration,
  type Embedder,
  type EngineOptions,
  openEmbedder,
  openEngine,
  openEngineInThread,
  type PooledEngineOptions,
  sameEmbeddingSpec,
} from './runtime/open.ts';
export { type Flatness, flatnessOf, leastTurn, type TurnedFace } from './series/flatness.ts';
export type { FrameView } from './series/frame-view.ts';
export { type PerceptualHashQuery, perceptualHashQuery } from './series/perceptual-hash-query.ts';
export { type SkinnedFace, type Stillness, stillnessOf } from './series/stillness.ts';
export { type Curve, innerProduct, parseCurve, similarityOf } from './similarity.ts';
export { turnOf } from './stages/mesh/pose.ts';
export type { Openness } from './stages/states/eyes.ts';
export { type PiecewiseLinear, piecewiseLinear } from './stages/states/piecewise-linear.ts';
export { blend, type TemplatePart, type TemplateRecipe } from './stages/template/template.ts';
export {
  extractTrainingFeatures,
  spoofEvidenceOf,
  type TrainingFace,
  type TrainingPicture,
} from './training/extract-training-features.ts';
export type * from './types.ts';
