import { quote } from '../text.ts';
import { cutFraction } from '../values.ts';
import type { StatusName } from './statuses.ts';

/** Who reads sentences: programs, where nothing else is said. */
export interface Reader {
  /** People have a page with inputs and buttons; programs are told fields and values to send. */
  readonly isPerson?: boolean;
  /** Sentences in another language than English by code; those of phrases are English where they are missing. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  /** What a field is called, as the option of a command. */
  nameOf?(field: string): string;
  similarity?(value: number): string;
  /** @param value as ISO 8601 */
  time?(value: string): string;
}

/** A refusal: how it is answered, and its sentence. */
export interface RefusalRow {
  /** Row of the status table. */
  readonly status: StatusName;
  /** What it is about, with which the sentence begins for programs. */
  readonly field?: string;
  /** It is of sentences that each begin with the name of a field, which is as it is. */
  readonly namesFields?: true;
  /**
   * In English. `[[…]]` is for programs only, `[[…|…]]` for programs and for people. `{name}` stands for a parameter,
   * `{name:format}` for one in a format:
   *
   * - none: a text or number as it is
   * - `similarity`: a number, with four decimals
   * - `time`: ISO 8601
   * - `json`, `quoted`: a text between quotation marks; `quoted` shows characters that cannot be printed as `U+202E`
   * - `person`: as `json`, and never in `params`: it names another person, and is a field of the answer of the same name
   * - `phrase`: a part of the sentence that has a row of its own; `phrase?` may be left out
   * - `list`, `rules`, `sentences`: texts or phrases, with `, `, `; ` or `. ` between them
   */
  readonly sentence: string;
}

type Reading =
  | ('includes' | 'startsWith' | 'endsWith' | 'indexOf' | 'lastIndexOf' | 'search')
  | ('match' | 'matchAll' | 'split' | 'slice' | 'substring' | 'replace' | 'replaceAll');

/** A text for whoever reads it, and not for code, which has the code and the parameters: to take it apart does not compile. */
export type Sentence = string & { readonly [Name in Reading]: never };

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
  readonly time: string;
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

const forSome = /\[\[(.*?)(?:\|(.*?))?\]\]/g;

/** Names of fields in a sentence whose parameters are not yet in it: those of several words. */
const fieldNames = /(?<![{\w])[a-z]+(?:_[a-z]+)+\b/g;

const separators: Readonly<Record<string, string>> = { list: ', ', rules: '; ', sentences: '. ' };

const sameName = (field: string) => field;
const fourDecimals = (similarity: number) => cutFraction(similarity).toFixed(4);

/**
 * A sentence with its parameters. Where the wire comes from another version, a phrase that is not known here is its code,
 * and a parameter that is missing stays a placeholder.
 *
 * @param phrases English phrases by code
 * @param reader of the sentence and of the phrases in it
 */
export function sentenceOf(
  sentence: string,
  params: Readonly<Record<string, unknown>>,
  phrases: Readonly<Record<string, string>>,
  reader: Reader = {},
): string {
  const { isPerson, texts, nameOf = sameName, similarity = fourDecimals, time = String } = reader;
  const part = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return String(value);
    const { code, params: inner = {} } = value as Phrase;
    const phrase = texts?.[code] ?? phrases[code];
    return phrase === undefined ? code : sentenceOf(phrase, inner, phrases, reader);
  };
  const text = sentence.replace(forSome, (_, programs: string, people = '') =>
    isPerson ? people : programs,
  );
  return text.replace(fieldNames, nameOf).replace(slot, (whole, name: string, format = '') => {
    const value = params[name];
    if (value === undefined) return format.endsWith('?') ? '' : whole;
    if (Array.isArray(value)) return value.map(part).join(separators[format] ?? ', ');
    if (name === 'field') return nameOf(String(value));
    if (format === 'similarity') return similarity(Number(value));
    if (format === 'time') return time(String(value));
    if (format === 'json' || format === 'person') return JSON.stringify(value);
    return format === 'quoted' ? quote(String(value)) : part(value);
  });
}

/** The parameters as the wire shows them: similarities have four decimals, and other people are left out. */
export function shownParams(sentence: string, params: Readonly<Record<string, unknown>>): SentenceParams {
  const formats = new Map([...sentence.matchAll(slot)].map(([, name, format]) => [name, format]));
  const shown = Object.entries(params)
    .filter(([name, value]) => value !== undefined && formats.get(name) !== 'person')
    .map(([name, value]) => [name, formats.get(name) === 'similarity' ? cutFraction(Number(value)) : value]);
  return Object.fromEntries(shown) as SentenceParams;
}
