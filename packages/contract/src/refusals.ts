/**
 * The table of refusals: code, row of the status table, and the sentence in English for programs and for people. It needs no
 * schema, so that pages load it without zod.
 */
import { featurePhrases, featureRefusals } from './features/refusals.ts';
import { accountPhrases, accountRefusals } from './refusals/accounts.ts';
import { commonRefusals } from './refusals/common.ts';
import { enrolmentPhrases, enrolmentRefusals } from './refusals/enrolment.ts';
import { fieldPhrases, fieldRefusals } from './refusals/fields.ts';
import { galleryPhrases, galleryRefusals } from './refusals/galleries.ts';
import { httpPhrases, httpRefusals } from './refusals/http.ts';
import { livenessRefusals } from './refusals/liveness.ts';
import { peopleRefusals } from './refusals/people.ts';
import { picturePhrases, pictureRefusals } from './refusals/pictures.ts';
import {
  type ParamsArgument,
  type Phrase,
  type Reader,
  type RefusalRow,
  type Sentence,
  type SentenceParams,
  sentenceOf,
  shownParams,
} from './refusals/sentence.ts';

export type { Phrase, Reader, Sentence, SentenceParams } from './refusals/sentence.ts';

/** Every refusal by its code. A retired code is never reused. */
export const refusals = {
  ...commonRefusals,
  ...fieldRefusals,
  ...pictureRefusals,
  ...enrolmentRefusals,
  ...galleryRefusals,
  ...peopleRefusals,
  ...livenessRefusals,
  ...accountRefusals,
  ...featureRefusals,
  ...httpRefusals,
} as const satisfies Record<string, RefusalRow>;

/** Parts of sentences by their code. */
export const phrases = {
  ...fieldPhrases,
  ...picturePhrases,
  ...enrolmentPhrases,
  ...galleryPhrases,
  ...accountPhrases,
  ...featurePhrases,
  ...httpPhrases,
} as const satisfies Record<string, string>;

/** What a refusal is about: `error` of an answer. */
export type RefusalCode = keyof typeof refusals;
export type PhraseCode = keyof typeof phrases;

/** The parameters of a refusal, named as the placeholders of its sentence; none where it has none. */
export type RefusalParamsArgument<Code extends RefusalCode> = ParamsArgument<
  (typeof refusals)[Code]['sentence']
>;

/** A refusal as an answer shows it. */
export interface Told {
  readonly status: RefusalRow['status'];
  /** The English sentence. */
  readonly detail: Sentence;
  readonly params: SentenceParams;
}

/** The answer of a refusal. @param params of its sentence */
export function toldRefusal(code: RefusalCode, params: Readonly<Record<string, unknown>>): Told {
  const row: RefusalRow = refusals[code];
  return {
    status: row.status,
    detail: forPrograms(row, params),
    params: shownParams(row.sentence, params),
  };
}

function forPrograms(
  { field, sentence }: RefusalRow,
  params: Readonly<Record<string, unknown>>,
  reader?: Reader,
): Sentence {
  const text = sentenceOf(sentence, params, phrases, reader);
  const names = field?.split(', ').map((name) => reader?.nameOf?.(name) ?? name);
  return (names ? `${names.join(', ')}: ${text}` : text) as Sentence;
}

/** A part of a sentence, for a parameter whose format is `phrase`, or of a list. */
export function phrase<Code extends PhraseCode>(
  code: Code,
  ...[params]: ParamsArgument<(typeof phrases)[Code]>
): Phrase {
  return params === undefined ? { code } : { code, params: shownParams(phrases[code], params) };
}

/** A part of a sentence by itself, in English. */
export function wordsOf({ code, params = {} }: Phrase): Sentence {
  const text = (phrases as Readonly<Record<string, string>>)[code];
  return (text === undefined ? code : sentenceOf(text, params, phrases)) as Sentence;
}

/**
 * The sentence of a refusal, of an answer from any version of the server.
 *
 * @param reader for programs, it is the `detail` of the answer
 * @returns undefined where `error` is absent or not known here, or has no sentence in the language of the reader: then
 *   `detail` is all there is
 * @example refusalSentence({ error: 'tokenNotFound', params: {} }, { isPerson: true })
 */
export function refusalSentence(
  answer: { readonly error?: unknown; readonly params?: unknown },
  reader: Reader = {},
): Sentence | undefined {
  const { error, params } = answer;
  if (!isRefusalCode(error)) return undefined;
  // A parameter that names another person is a field of the answer.
  const values = { ...answer, ...(typeof params === 'object' ? params : null) };
  if (!reader.isPerson) return forPrograms(refusals[error], values, reader);
  const sentence = reader.texts ? reader.texts[error] : refusals[error].sentence;
  if (sentence === undefined) return undefined;
  const text = sentenceOf(sentence, values, phrases, reader);
  const { namesFields }: RefusalRow = refusals[error];
  return (namesFields ? text : text.charAt(0).toUpperCase() + text.slice(1)) as Sentence;
}

/** The field that a refusal is about; of several fields that are wrong, the first. */
export function refusedField({ error, params }: { readonly error?: unknown; readonly params?: unknown }) {
  if (!isRefusalCode(error)) return undefined;
  const { field }: RefusalRow = refusals[error];
  const { problems } = (params ?? {}) as { problems?: readonly Phrase[] };
  return field ?? (problems?.[0]?.params?.['field'] as string | undefined);
}

function isRefusalCode(error: unknown): error is RefusalCode {
  return typeof error === 'string' && Object.hasOwn(refusals, error);
}
