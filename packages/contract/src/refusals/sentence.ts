import { quote } from '../text.ts';
import { cutFraction } from '../values.ts';
import type { StatusName } from './statuses.ts';

/** The languages that refusals are written in. */
export type Language = 'en' | 'id';

/** Who reads a sentence: programs are told fields and values to send, people have a page with inputs and buttons. */
export type Audience = 'programs' | 'people';

/**
 * A sentence in both languages. `[[…]]`, and the name of a field that it begins with, are for programs only. `{name}` stands for a parameter, `{name:format}` for one in a format:
 *
 * - none: a text or number as it is
 * - `similarity`: a number, with four decimals
 * - `json`, `quoted`: a text between quotation marks; `quoted` shows characters that cannot be printed as `U+202E`
 * - `person`: as `json`, and never in `params`: it names another person, and is a field of the answer of the same name
 * - `phrase`: a part of the sentence that has a row of its own; `phrase?` may be left out
 * - `list`, `rules`, `sentences`: texts or phrases, with `, `, `; ` or `. ` between them
 */
export interface SentenceRow {
  readonly en: string;
  readonly id: string;
}

/** A refusal: how it is answered, and its sentence. */
export interface RefusalRow extends SentenceRow {
  /** Row of the status table. */
  readonly status: StatusName;
  /** Code that CompreFace's clients know it by, where it is not the one of its status. */
  readonly compreface?: number;
}

/** A part of a sentence, by the code of its row. */
export interface Phrase {
  readonly code: string;
  readonly params?: SentenceParams;
}

export type SentenceParam = string | number | Phrase | readonly (string | number | Phrase)[];
export type SentenceParams = Readonly<Record<string, SentenceParam>>;

type Several = readonly (string | number | Phrase)[];

interface Values {
  readonly similarity: number;
  readonly json: string;
  readonly quoted: string;
  readonly person: string;
  readonly phrase: Phrase;
  readonly 'phrase?': Phrase | undefined;
  readonly list: Several;
  readonly rules: Several;
  readonly sentences: Several;
}

type SlotsOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never;
type NameOf<Slot extends string> = Slot extends `${infer Name}:${string}` ? Name : Slot;
type ValueOf<Slot extends string> = Slot extends `${string}:${infer Format}`
  ? Format extends keyof Values
    ? Values[Format]
    : never
  : string | number;
type IsOptional<Slot extends string> = Slot extends `${string}?` ? Slot : never;

/** The parameters of an English sentence, by the names of its placeholders. */
export type ParamsOf<Text extends string> = {
  readonly [Slot in Exclude<SlotsOf<Text>, IsOptional<SlotsOf<Text>>> as NameOf<Slot>]: ValueOf<Slot>;
} & { readonly [Slot in IsOptional<SlotsOf<Text>> as NameOf<Slot>]?: ValueOf<Slot> };

/** Arguments for the parameters of a sentence: may be left out where all of them may. */
export type ParamsArgument<Text extends string> = [SlotsOf<Text>] extends [never]
  ? [params?: Readonly<Record<string, never>>]
  : Readonly<Record<never, never>> extends ParamsOf<Text>
    ? [params?: ParamsOf<Text>]
    : [params: ParamsOf<Text>];

const slot = /\{(\w+)(?::(\w+\??))?\}/g;

const forPrograms = /\[\[(.*?)\]\]/g;

/** The fields that a sentence begins with. */
const fields = /^[a-z_]+(, [a-z_]+)*: /;

/** Names of the wire in people's words. */
const words: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  user_id: { en: 'user ID', id: 'ID pengguna' },
  client_id: { en: 'client ID', id: 'ID klien' },
  facegallery_id: { en: 'gallery', id: 'galeri' },
};

/** A sentence as people read it. */
function forPeople(text: string, language: Language): string {
  const plain = text.replace(forPrograms, '').replace(fields, '');
  return plain.replace(/(?<!\{)\b[a-z]+_id\b/g, (name) => words[name]?.[language] ?? name);
}

const separators: Readonly<Record<string, string>> = { list: ', ', rules: '; ', sentences: '. ' };

/**
 * A sentence with its parameters in one of the languages. Where the wire comes from another version, a phrase that is
 * not known here is its code, and a parameter that is missing stays a placeholder.
 *
 * @param phrases rows of phrases by code
 * @param audience of the sentence and of the phrases in it
 */
export function sentenceOf(
  row: SentenceRow,
  params: Readonly<Record<string, unknown>>,
  phrases: Readonly<Record<string, SentenceRow>>,
  language: Language,
  audience: Audience = 'programs',
): string {
  const part = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return String(value);
    const { code, params: inner = {} } = value as Phrase;
    const phrase = phrases[code];
    return phrase === undefined ? code : sentenceOf(phrase, inner, phrases, language, audience);
  };
  const given = row[language];
  const text = audience === 'people' ? forPeople(given, language) : given.replace(forPrograms, '$1');
  return text.replace(slot, (whole, name: string, format = '') => {
    const value = params[name];
    if (value === undefined) return format.endsWith('?') ? '' : whole;
    if (Array.isArray(value)) return value.map(part).join(separators[format] ?? ', ');
    if (format === 'similarity') return cutFraction(Number(value)).toFixed(4);
    if (format === 'json' || format === 'person') return JSON.stringify(value);
    return format === 'quoted' ? quote(String(value)) : part(value);
  });
}

/** The parameters as the wire shows them: similarities have four decimals, and other people are left out. */
export function shownParams({ en }: SentenceRow, params: Readonly<Record<string, unknown>>): SentenceParams {
  const formats = new Map([...en.matchAll(slot)].map(([, name, format]) => [name, format]));
  const shown = Object.entries(params)
    .filter(([name, value]) => value !== undefined && formats.get(name) !== 'person')
    .map(([name, value]) => [name, formats.get(name) === 'similarity' ? cutFraction(Number(value)) : value]);
  return Object.fromEntries(shown) as SentenceParams;
}
