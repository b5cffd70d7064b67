import type { EngineErrorCode } from '../../errors.ts';
import type { PreparedPack } from '../../packs/builtin.ts';
import type { AnalyzeRequest, ImageLimits } from '../../types.ts';

/** What a worker needs to start. */
export interface WorkerSettings {
  readonly pack: PreparedPack;
  readonly limits: ImageLimits;
}

/** What a worker is asked for: `open` comes first; `analyze` is followed by the bytes of a picture; `ping` does nothing. */
export type Task =
  | { readonly open: WorkerSettings }
  | { readonly analyze: AnalyzeRequest /** Milliseconds since the epoch. */; readonly deadline: number }
  | { readonly ping: true };

/** Answer to a task. */
export type Answer = Outcome & {
  /** Resident memory of the worker, bytes. */
  readonly residentBytes: number;
};

/** Errors lose their class between processes, so engine errors are sent as data; `failed` is the stack of another one. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly refused: { readonly code: EngineErrorCode; readonly message: string } }
  | { readonly failed: string };
