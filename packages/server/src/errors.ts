import type { StatusName } from '@wajah/contract';
import {
  type RefusalCode,
  type RefusalParamsArgument,
  refusalSentence,
  type Sentence,
  type SentenceParams,
  toldRefusal,
} from '@wajah/contract/refusals';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A refusal of a call. Services throw it with the code of a row of the table of refusals (`refusals/` of the contract, a
 * file for each area) and the values of its placeholders, and do not depend on HTTP; the envelope plugin turns it into an
 * answer. `detail` is the English sentence, never with a path, a stack or picture data; `error` and `params` are for
 * programs and for other languages.
 *
 * A new refusal is a row: `code: { status, en, id }`, where `{name}` is a parameter, `{name:format}` one in a format
 * (`SentenceRow` lists them). Values are raw: a number is no text, a similarity is not cut. What only some sentences have
 * is a parameter `{name:phrase?}`, whose value is `phrase(code, params)` of the phrases of the area. `params` are
 * checked: a wrong or missing name does not compile. Never a parameter: secrets, pictures, paths. Another person's id
 * has the format `person`.
 *
 * @example throw new Refusal('faceTooSmall', { field: 'image', size: 62, minimum: 100 });
 * @example throw new Refusal('tooManyCalls', { most: 60, seconds: 3 }, { retry_after: 3 });
 */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'Refusal';

  readonly code: RefusalCode;
  readonly status: StatusName;
  readonly detail: Sentence;
  declare readonly message: Sentence;
  /** As the answer shows them: similarities have four decimals, other people are left out. */
  readonly params: SentenceParams;
  /** Further fields of the answer, for example similarity and masker of a 411. */
  readonly fields: Fields;

  /**
   * @param code row of the table of refusals
   * @param params values of its placeholders
   * @param fields further fields of the answer
   */
  constructor(code: Code, ...[params = {}, fields = {}]: [...RefusalParamsArgument<Code>, fields?: Fields]) {
    const { status, detail, params: shown } = toldRefusal(code, params);
    super(detail);
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.params = shown;
    this.fields = fields;
  }

  /** `detail` with the fields as the caller's wire calls them. @param names by those of the services */
  detailWith(names: Readonly<Record<string, string>>): string {
    const told = { ...this.fields, error: this.code, params: this.params };
    return refusalSentence(told, { nameOf: (field) => names[field] ?? field }) ?? this.detail;
  }
}

/** Sealed bytes are damaged or were sealed with another context or key. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** The wrapped key of a gallery does not open: nothing of the gallery does. */
export class GalleryKeyError extends SealError {}

/** A row of the database has a value that this program does not write: somebody changed it. */
export class DamagedRow extends SealError {
  /** Table and column. */
  readonly place: string;

  /** @param place table and column @param row which one, without a person; null: unknown */
  constructor(place: string, row: string | null = null) {
    super(`${place}${row === null ? '' : ` of the row ${row}`} has a value that this program does not write`);
    this.place = place;
  }
}

/**
 * An error that the operator must repair: a setting, a file, an argument of a command. The message is one line that
 * names it, what was found and what is allowed or to be done; it is printed without a stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  declare readonly message: Sentence;
}

/** A call of a command that the app has refused. */
export class CallRefused extends OperatorError {
  /** Of the row of the table of refusals. */
  readonly code: string;
  readonly params: object;
  constructor(code: string, params: object, detail: string) {
    super(detail);
    this.code = code;
    this.params = params;
  }
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
 * Imports a package that need not be installed, by a name that the compiler does not resolve: it imports the server.
 * @param missing what the operator reads where it is not installed
 * @throws OperatorError that says so
 */
export async function importOptional(name: string, missing: string): Promise<unknown> {
  try {
    return await import(name);
  } catch (error) {
    // The second is the code of a server that runs from its sources.
    if (!/^ERR_(MODULE_NOT_FOUND|LOAD_URL)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new OperatorError(missing, { cause: error });
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
