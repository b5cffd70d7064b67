import type { StatusName } from '@wajah/contract';

/**
 * A refusal that the caller is told about. Services throw it by the name of a row of the status table and
 * know nothing of HTTP; the envelope plugin turns it into an answer.
 *
 * @example throw new Refusal('faceTooSmall', 'image: the face is 62 px, the minimum is 100 px');
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  readonly status: StatusName;
  readonly detail: string;
  readonly fields: Readonly<Record<string, unknown>>;

  /**
   * @param status row of the status table
   * @param detail one sentence for the caller: the field, the measured value, the limit, what to do;
   *   never a path, a stack or picture data
   * @param fields further fields of the answer (a 411 carries similarity and masker, say)
   */
  constructor(status: StatusName, detail: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.fields = fields;
  }
}

/**
 * What the operator must repair: a setting, a file, an argument of a command. The message is one complete line
 * that names the thing, what was found and what is allowed or to be done; it is printed without a stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/**
 * Rethrows expected errors of `work` as an OperatorError.
 * @param isExpected whether an error is one that the operator must repair, not a defect
 * @param prefix of the message
 */
export async function asOperatorError<T>(
  work: () => Promise<T>,
  isExpected: (error: Error) => boolean,
  prefix = '',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !isExpected(error)) throw error;
    throw new OperatorError(prefix + error.message, { cause: error });
  }
}

/**
 * The store cannot be reached or does not answer in time. What was being written is there whole or not at all.
 * The message names no secret and no server's address.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
