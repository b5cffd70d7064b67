import { z } from 'zod';
import type { ParamsArgument } from './refusals/sentence.ts';
import { type Phrase, type PhraseCode, phrase, type phrases } from './refusals.ts';
import { findFault, maxNameLength, normaliseName } from './text.ts';

/**
 * A phrase as the message of a schema, which is a text: `parseRequest` reads it. What is allowed; for a custom check, the
 * whole problem.
 *
 * @example z.boolean({ error: message('trueOrFalse') })
 */
export function message<Code extends PhraseCode>(
  code: Code,
  ...params: ParamsArgument<(typeof phrases)[Code]>
): string {
  return JSON.stringify(phrase(code, ...params));
}

/** The phrase of a message; one of zod's own stays as it is. */
export function phraseOf(text: string): Phrase {
  return text.startsWith('{"code":') ? (JSON.parse(text) as Phrase) : phrase('word', { word: text });
}

/** What is wrong with a normalised name; null when it is valid. */
export function nameProblem(name: string, max = maxNameLength): Phrase | null {
  const fault = findFault(name, max);
  if (fault === null) return null;
  if ('length' in fault) return phrase('tooLong', { length: fault.length, most: max });
  return phrase('unprintable', fault);
}

/** Null and blank texts are absent. */
function absentIfBlank(value: unknown): unknown {
  if (value === null) return undefined;
  return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

function lenientName(value: unknown): unknown {
  const given = absentIfBlank(value);
  return typeof given === 'string' ? normaliseName(given) : given;
}

function lenientBoolean(value: unknown): unknown {
  const given = absentIfBlank(value);
  if (typeof given !== 'string') return given;
  const word = given.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : given;
}

function lenientNumber(value: unknown): unknown {
  const given = absentIfBlank(value);
  if (typeof given !== 'string') return given;
  const text = given.trim();
  return /^[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : given;
}

function nameType(max: number) {
  return z
    .string({ error: message('textFromTo', { least: 1, most: max }) })
    .meta({ minLength: 1, maxLength: max })
    .check((context) => {
      const problem = nameProblem(context.value, max);
      if (problem === null) return;
      context.issues.push({ code: 'custom', input: context.value, message: JSON.stringify(problem) });
    });
}

/** A required name: 1 to 120 printable characters after trimming, NFC. */
export function name(description: string, max = maxNameLength) {
  return z.preprocess(lenientName, nameType(max)).meta({ description });
}

/** A field that is undefined when absent, null or blank. */
function optional<Type extends z.ZodType>(
  lenient: (value: unknown) => unknown,
  type: Type,
  description: string,
) {
  return z.preprocess(lenient, type.optional()).optional().meta({ description });
}

/** A list of 1 to `most` names. */
export function names(description: string, most: number) {
  const error = message('listOfNames', { most });
  return z.array(name(description), { error }).min(1, { error }).max(most, { error }).meta({ description });
}

export function optionalName(description: string, max = maxNameLength) {
  return optional(lenientName, nameType(max), description);
}

/** As `optionalName`; a whole number is taken as its digits. */
export function optionalIdentifier(description: string, max = maxNameLength) {
  const lenient = (value: unknown) => lenientName(Number.isSafeInteger(value) ? String(value) : value);
  return optional(lenient, nameType(max), description);
}

/** Why a picture has no bytes, which was found while the body was read. */
export class UndecodedPicture {
  readonly why: { readonly tooLarge: number /** Decoded bytes. */ } | { readonly problem: Phrase };

  constructor(why: UndecodedPicture['why']) {
    this.why = why;
  }
}

/** A picture of a request: its base64 as it was sent, or what came of it while the body was read. */
export type Picture = string | Uint8Array | UndecodedPicture;

/** The type of a picture. Documents and clients know the text only. @param error the message for other values */
export function pictureType(error: string) {
  const type = z.union([z.string(), z.instanceof(Uint8Array), z.instanceof(UndecodedPicture)], { error });
  type._zod.toJSONSchema = () => ({ type: 'string', contentEncoding: 'base64' });
  return type;
}

const pictureField = pictureType(message('pictureText'));

/** A required picture, whose base64 the service decodes. */
export function picture(description: string) {
  return z.preprocess(absentIfBlank, pictureField).meta({ description });
}

export function optionalPicture(description: string) {
  return optional(absentIfBlank, pictureField, description);
}

/** A list of pictures of one person. */
export function optionalPictures(description: string, least: number, most: number) {
  const error = message('listOfPictures', { least, most });
  const type = z
    .array(z.preprocess(absentIfBlank, pictureField), { error })
    .min(least, { error })
    .max(most, { error });
  return optional(absentIfBlank, type, description);
}

const booleanType = z.boolean({ error: message('trueOrFalse') });

export function flag(description: string, byDefault: boolean) {
  return z
    .preprocess(lenientBoolean, booleanType.default(byDefault))
    .default(byDefault)
    .meta({ description });
}

/** A flag that is undefined when absent. @param assumed documented default; absent: the description says it */
export function optionalFlag(description: string, assumed?: boolean) {
  const byDefault = assumed === undefined ? '' : ` Default ${assumed}.`;
  return optional(lenientBoolean, booleanType, description + byDefault);
}

function numberType(min: number, max: number, error: string) {
  return z.number({ error }).min(min, { error }).max(max, { error });
}

export function optionalFraction(description: string) {
  return optional(lenientNumber, numberType(0, 1, message('number', { least: 0, most: 1 })), description);
}

/** A fraction that null resets to its default; undefined when absent or blank. */
export function resettableFraction(description: string) {
  const type = numberType(0, 1, message('numberOrNull', { least: 0, most: 1 }));
  return optional((value) => (value === null ? null : lenientNumber(value)), type.nullable(), description);
}

/** A false match rate from 1e-6, where the similarity is 0.9999, to 1. */
export function optionalRate(description: string) {
  return optional(lenientNumber, numberType(1e-6, 1, message('rate')), description);
}

export function optionalAmount(description: string, min: number, max: number) {
  return optional(
    lenientNumber,
    numberType(min, max, message('number', { least: min, most: max })),
    description,
  );
}

export function optionalCount(description: string, min: number, max: number) {
  const error = message('wholeNumber', { least: min, most: max });
  return optional(lenientNumber, numberType(min, max, error).int({ error }), description);
}

/** A whole number that null resets to its default; undefined when absent or blank. */
export function resettableCount(description: string, min: number, max: number) {
  const error = message('wholeNumberOrNull', { least: min, most: max });
  const type = numberType(min, max, error).int({ error }).nullable();
  return optional((value) => (value === null ? null : lenientNumber(value)), type, description);
}

function wordType<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: message('oneOf', { words }) });
}

type Aliases<Words extends readonly string[]> = Readonly<Record<string, Words[number]>>;

/** Words are taken in any case, with blanks around them, and with a space, `_` or `-` between their parts. */
function plainWord(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
}

function lenientWord(words: readonly string[], aliases: Readonly<Record<string, string>> = {}) {
  const known = new Map([...words.map((one) => [one, one] as const), ...Object.entries(aliases)]);
  const plain = new Map([...known].map(([given, meant]) => [plainWord(given), meant]));
  return (value: unknown): unknown => {
    const given = absentIfBlank(value);
    return typeof given === 'string' ? (plain.get(plainWord(given)) ?? given) : given;
  };
}

/** One of the given words; `aliases` maps other accepted words to them. */
export function word<const Words extends readonly [string, ...string[]]>(
  description: string,
  words: Words,
  aliases: Aliases<Words> = {},
) {
  return z.preprocess(lenientWord(words, aliases), wordType(words)).meta({ description });
}

export function optionalWord<const Words extends readonly [string, ...string[]]>(
  description: string,
  words: Words,
  aliases: Aliases<Words> = {},
) {
  return optional(lenientWord(words, aliases), wordType(words), description);
}

function lenientList(words: readonly string[]) {
  const lenient = lenientWord(words);
  return (value: unknown): unknown => {
    const given = absentIfBlank(value);
    const parts = typeof given === 'string' ? given.split(',') : given;
    return Array.isArray(parts) ? parts.map(lenient) : parts;
  };
}

/** A list of the given words, or a text of words separated by commas. @param least least length */
export function optionalWords<const Words extends readonly [string, ...string[]]>(
  description: string,
  words: Words,
  least: 0 | 1 = 0,
) {
  const error = message('listOfWords', { words });
  const type = z
    .array(wordType(words), { error })
    .min(least, { error })
    .max(4 * words.length, { error });
  return optional(lenientList(words), type, description);
}

/** A time, ISO 8601 with a zone. */
export function optionalInstant(description: string) {
  const type = z.iso.datetime({ offset: true, error: message('aTime') });
  return optional(absentIfBlank, type, description);
}
