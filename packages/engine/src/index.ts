export { EngineError, type EngineErrorCode } from './errors.ts';
export { type EngineOptions, openEngine, openEngineInThread, type PooledEngineOptions } from './open.ts';
export { openBuiltinPack, prepareBuiltinPack } from './packs/builtin.ts';
export type { Network, OpenPack, Role, Tensor } from './packs/pack.ts';
export { type Curve, innerProduct, parseCurve, similarityOf } from './similarity.ts';
export type { RgbPixels } from './stages/spoof-crop.ts';
export { SPOOF_NAMES, spoofFeatures } from './stages/spoof-features.ts';
export type * from './types.ts';
export { dissect, type WorkbenchFace, type WorkbenchPicture } from './workbench.ts';
