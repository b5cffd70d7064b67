import type { Phrase, PhraseCode } from '@wajah/contract/refusals';
import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';

/** Where and how a text stops being JSON. */
export interface JsonFault {
  /** UTF-16 units, from 0. */
  readonly offset: number;
  /** Lines and columns from 1. */
  readonly line: number;
  readonly column: number;
  readonly problem: Phrase;
}

const problems: Readonly<Record<ReturnType<typeof printParseErrorCode>, PhraseCode>> = {
  InvalidSymbol: 'jsonSymbol',
  InvalidNumberFormat: 'jsonNumber',
  PropertyNameExpected: 'jsonName',
  ValueExpected: 'jsonValue',
  ColonExpected: 'jsonColon',
  CommaExpected: 'jsonComma',
  CloseBraceExpected: 'jsonBrace',
  CloseBracketExpected: 'jsonBracket',
  EndOfFileExpected: 'jsonEnd',
  InvalidCommentToken: 'jsonComment',
  UnexpectedEndOfComment: 'jsonComment',
  UnexpectedEndOfString: 'jsonStringEnd',
  UnexpectedEndOfNumber: 'jsonNumberEnd',
  InvalidUnicode: 'jsonUnicode',
  InvalidEscapeCharacter: 'jsonEscape',
  InvalidCharacter: 'jsonControl',
  '<unknown ParseErrorCode>': 'jsonMalformed',
};

/** Thrown to stop the parser at the first fault. */
const stop = new Error('the first fault was found');

/**
 * The first fault of a text that `JSON.parse` refuses; null when it is nested too deeply to be located. The message of
 * `JSON.parse` quotes the text, which may be a picture, and does not always name the place.
 *
 * @example findJsonFault('{"a":}') // { offset: 5, line: 1, column: 6, problem: { code: 'jsonValue' } }
 */
export function findJsonFault(text: string): JsonFault | null {
  let fault: JsonFault | null = null;
  const onError: JSONVisitor['onError'] = (code, offset, _length, line, character) => {
    fault = {
      offset,
      line: line + 1,
      column: character + 1,
      problem: { code: problems[printParseErrorCode(code)] },
    };
    throw stop;
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (error !== stop && !(error instanceof RangeError)) throw error;
  }
  return fault;
}
