import type { StatusName } from '@wajah/contract';

/**
 * A refusal of a call. Services throw it with the name of a row of the status table and do not depend on HTTP; the
 * envelope plugin turns it into an answer.
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
   * @param fields further fields of the answer, for example similarity and masker of a 411
   */
  constructor(status: StatusName, detail: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.fields = fields;
  }
}

/**
 * An error that the operator must repair: a setting, a file, an argument of a command. The message is one line that
 * names it, what was found and what is allowed or to be done; it is printed without a stack.
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
 * The store cannot be reached or does not answer in time. The transaction was committed or rolled back as a whole.
 * The message contains no secret and no address of a server.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** The store answers reads, but takes no writes: its disk is full, or the database is read-only. */
export class StoreReadOnly extends StoreUnavailable {
  override readonly name = 'StoreReadOnly';
}
