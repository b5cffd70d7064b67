export { EngineError, type EngineErrorCode } from './errors.ts';
export { openBuiltinPack, prepareBuiltinPack } from './packs/builtin.ts';
export type { Network, OpenPack, Role, Tensor } from './packs/pack.ts';
export { type Curve, innerProduct, parseCurve, similarityOf } from './similarity.ts';
export type * from './types.ts';
