export { EngineError, type EngineErrorCode } from './errors.ts';
export type * from './types.ts';
