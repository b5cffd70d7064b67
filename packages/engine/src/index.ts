export { EngineError, type EngineErrorCode } from './errors.ts';
export { faceOfCrop } from './face-crop.ts';
export { anglesOf, cofactors, fitRotation, type Matrix3, turn } from './geometry-3d.ts';
export {
  type Calibration,
  type Embedder,
  type EngineOptions,
  openEmbedder,
  openEngine,
  openEngineInThread,
  type PooledEngineOptions,
  sameContract,
} from './open.ts';
export { openBuiltinPack, prepareBuiltinPack } from './packs/builtin.ts';
export { definitionOf, knownPacks } from './packs/catalog.ts';
export { openPack, type PackChoice, requireUsable } from './packs/choose.ts';
export { installPack } from './packs/install.ts';
export { damagedFiles, type InstalledPack, installedPack, installedPacks } from './packs/installed.ts';
export { type PackDefinition, roles } from './packs/manifest.ts';
export type { Network, OpenPack, Role, Tensor } from './packs/pack.ts';
export { type Flatness, flatnessOf, leastTurn, type TurnedFace } from './series/flatness.ts';
export type { FrameView } from './series/frame-view.ts';
export { type FrameProbe, probeOf } from './series/repeats.ts';
export { type SkinnedFace, type Stillness, stillnessOf } from './series/still.ts';
export { type Curve, innerProduct, parseCurve, similarityOf } from './similarity.ts';
export type { Cue } from './spoof/cue.ts';
export { SPOOF_CUES } from './spoof/cues.ts';
export type { SpoofEvidence } from './spoof/evidence.ts';
export { namesDigest, spoofScore, spoofThreshold } from './spoof/fusion.ts';
export type { RgbPixels } from './spoof/view.ts';
export { type Bend, bent } from './stages/bend.ts';
export type { Openness } from './stages/eyes.ts';
export { turnOf } from './stages/pose.ts';
export { blend, type TemplatePart, type TemplateRecipe } from './stages/template.ts';
export type * from './types.ts';
export { dissect, spoofEvidenceOf, type WorkbenchFace, type WorkbenchPicture } from './workbench.ts';
