/**
 * The table of refusals: code, row of the status table, and the sentence in both languages for programs and for people. It needs no schema, so that
 * pages load it without zod.
 */
import { accountPhrases, accountRefusals } from './refusals/accounts.ts';
import { commonPhrases, commonRefusals } from './refusals/common.ts';
import { comprefacePhrases, comprefaceRefusals } from './refusals/compreface.ts';
import { enrolmentPhrases, enrolmentRefusals } from './refusals/enrolment.ts';
import { fieldPhrases, fieldRefusals } from './refusals/fields.ts';
import { galleryPhrases, galleryRefusals } from './refusals/galleries.ts';
import { httpPhrases, httpRefusals } from './refusals/http.ts';
import { livenessPhrases, livenessRefusals } from './refusals/liveness.ts';
import { peoplePhrases, peopleRefusals } from './refusals/people.ts';
import { picturePhrases, pictureRefusals } from './refusals/pictures.ts';
import {
  type Audience,
  type Language,
  type ParamsArgument,
  type Phrase,
  type RefusalRow,
  type SentenceParams,
  type SentenceRow,
  sentenceOf,
  shownParams,
} from './refusals/sentence.ts';
import { webhookPhrases, webhookRefusals } from './refusals/webhooks.ts';

export type { Language, Phrase, SentenceParams } from './refusals/sentence.ts';

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
  ...webhookRefusals,
  ...httpRefusals,
  ...comprefaceRefusals,
} as const;

/** Parts of sentences by their code. */
export const phrases = {
  ...commonPhrases,
  ...fieldPhrases,
  ...picturePhrases,
  ...enrolmentPhrases,
  ...galleryPhrases,
  ...peoplePhrases,
  ...livenessPhrases,
  ...accountPhrases,
  ...webhookPhrases,
  ...httpPhrases,
  ...comprefacePhrases,
} as const;

/** What a refusal is about: `error` of an answer. */
export type RefusalCode = keyof typeof refusals;
export type PhraseCode = keyof typeof phrases;

/** The parameters of a refusal, named as the placeholders of its sentence; none where it has none. */
export type RefusalParamsArgument<Code extends RefusalCode> = ParamsArgument<(typeof refusals)[Code]['en']>;

/** A refusal as an answer shows it. */
export interface Told {
  readonly status: RefusalRow['status'];
  /** The English sentence. */
  readonly detail: string;
  readonly params: SentenceParams;
}

/** The answer of a refusal. @param params of its sentence */
export function toldRefusal(code: RefusalCode, params: Readonly<Record<string, unknown>>): Told {
  const row: RefusalRow = refusals[code];
  return {
    status: row.status,
    detail: sentenceOf(row, params, phrases, 'en'),
    params: shownParams(row, params),
  };
}

/** A part of a sentence, for a parameter whose format is `phrase`, or of a list. */
export function phrase<Code extends PhraseCode>(
  code: Code,
  ...[params]: ParamsArgument<(typeof phrases)[Code]['en']>
): Phrase {
  return params === undefined ? { code } : { code, params: shownParams(phrases[code], params) };
}

/** A part of a sentence by itself. */
export function wordsOf({ code, params = {} }: Phrase, language: Language = 'en'): string {
  const row: SentenceRow | undefined = (phrases as Readonly<Record<string, SentenceRow>>)[code];
  return row === undefined ? code : sentenceOf(row, params, phrases, language);
}

/**
 * The detail of a refusal in a language, of an answer from any version of the server.
 *
 * @returns undefined where `error` is absent or not known here: then `detail` is all there is
 * @example refusalSentence({ error: 'tokenExpired', params: {} }, 'id')
 */
export function refusalSentence(
  answer: { readonly error?: unknown; readonly params?: unknown },
  language: Language,
  audience: Audience = 'programs',
): string | undefined {
  const { error, params } = answer;
  const row: SentenceRow | undefined = (refusals as Readonly<Record<string, RefusalRow>>)[String(error)];
  if (row === undefined || !Object.hasOwn(refusals, String(error))) return undefined;
  // A parameter that names another person is a field of the answer.
  const values = { ...answer, ...(typeof params === 'object' ? params : null) };
  return sentenceOf(row, values, phrases, language, audience);
}
