/** Why the engine refused. */
export type EngineErrorCode =
  | 'imageType'
  | 'imageBroken'
  | 'busy'
  | 'deadline'
  | 'aborted'
  | 'closed'
  | 'pack';

/** A named refusal of the engine; `message` is a sentence without paths, fit for the caller's eyes. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
