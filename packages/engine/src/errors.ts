/** Reasons of an `EngineError`. */
export type EngineErrorCode =
  | 'imageType'
  | 'imageBroken'
  | 'busy'
  | 'deadline'
  | 'aborted'
  | 'crashed'
  | 'killed'
  | 'closed'
  | 'pack';

/** Error with a code; `message` is a sentence without paths that may be shown to the caller. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
