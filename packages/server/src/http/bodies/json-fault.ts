import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';

/** Where and how a text stops being JSON. */
export interface JsonFault {
  /** UTF-16 units, from 0. */
  readonly offset: number;
  /** Lines and columns from 1. */
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

const problems: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'a word or character that JSON does not have; names and texts need double quotes',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a field name in double quotes was expected',
  ValueExpected: 'a value was expected',
  ColonExpected: 'a colon was expected',
  CommaExpected: 'a comma was expected',
  CloseBraceExpected: 'a comma or } was expected',
  CloseBracketExpected: 'a comma or ] was expected',
  EndOfFileExpected: 'the end was expected',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'comments are not allowed',
  UnexpectedEndOfString: 'a text does not end with a double quote',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'a text has an invalid \\u escape',
  InvalidEscapeCharacter: 'a text has an invalid escape',
  InvalidCharacter: 'a text has a control character',
  '<unknown ParseErrorCode>': 'it is malformed',
};

/** Thrown to stop the parser at the first fault. */
const stop = new Error('the first fault was found');

/**
 * The first fault of a text that `JSON.parse` refuses; null when it is nested too deeply to be located. The message of
 * `JSON.parse` quotes the text, which may be a picture, and does not always name the place.
 *
 * @example findJsonFault('{"a":}') // { offset: 5, line: 1, column: 6, problem: 'a value was expected' }
 */
export function findJsonFault(text: string): JsonFault | null {
  let fault: JsonFault | null = null;
  const onError: JSONVisitor['onError'] = (code, offset, _length, line, character) => {
    fault = { offset, line: line + 1, column: character + 1, problem: problems[printParseErrorCode(code)] };
    throw stop;
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (error !== stop && !(error instanceof RangeError)) throw error;
  }
  return fault;
}
