import { EngineError } from '../../errors.ts';

/** Formats that are read. */
export type ImageFormat = 'jpeg' | 'png';

/** A file that ends early. */
export function truncated(format: ImageFormat, options?: ErrorOptions): EngineError {
  return fault(format, 'ends before the picture is complete', options);
}

/** A file that breaks the rules of its format. */
export function damaged(format: ImageFormat, options?: ErrorOptions): EngineError {
  return fault(format, 'is damaged', options);
}

function fault(format: ImageFormat, what: string, options?: ErrorOptions): EngineError {
  const message = `The ${format.toUpperCase()} file ${what}; send the original file.`;
  return new EngineError('imageBroken', message, options);
}
