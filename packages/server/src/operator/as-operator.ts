import { EngineError } from '@wajah/engine';
import { OperatorError } from '../errors.ts';

/**
 * What the engine finds wrong with a pack is for the operator to repair, not a defect.
 * @throws OperatorError in the place of an EngineError; others as they are
 */
export async function asOperator<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  }
}
