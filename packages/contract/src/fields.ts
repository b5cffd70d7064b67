import { z } from 'zod';
import { maxNameLength, nameProblem, normaliseName } from './text.ts';

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
    .string({ error: `a text of 1 to ${max} characters` })
    .meta({ minLength: 1, maxLength: max })
    .check((context) => {
      const problem = nameProblem(context.value, max);
      if (problem !== null) context.issues.push({ code: 'custom', input: context.value, message: problem });
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

export function optionalName(description: string, max = maxNameLength) {
  return optional(lenientName, nameType(max), description);
}

/** As `optionalName`; a whole number is taken as its digits. */
export function optionalIdentifier(description: string, max = maxNameLength) {
  const lenient = (value: unknown) => lenientName(Number.isSafeInteger(value) ? String(value) : value);
  return optional(lenient, nameType(max), description);
}

const pictureType = z
  .string({ error: 'a JPEG or PNG, as base64 or as a file of a form' })
  .meta({ contentEncoding: 'base64' });

/** A required picture as base64 text, which the service decodes. */
export function picture(description: string) {
  return z.preprocess(absentIfBlank, pictureType).meta({ description });
}

export function optionalPicture(description: string) {
  return optional(absentIfBlank, pictureType, description);
}

const booleanType = z.boolean({ error: 'true or false' });

export function flag(description: string, byDefault: boolean) {
  return z
    .preprocess(lenientBoolean, booleanType.default(byDefault))
    .default(byDefault)
    .meta({ description });
}

/** A flag that is undefined when absent. @param assumed documented default */
export function optionalFlag(description: string, assumed: boolean) {
  return optional(lenientBoolean, booleanType, `${description} Default ${assumed}.`);
}

function numberType(min: number, max: number, error: string) {
  return z.number({ error }).min(min, { error }).max(max, { error });
}

export function optionalFraction(description: string) {
  return optional(lenientNumber, numberType(0, 1, 'a number from 0 to 1'), description);
}

/** A fraction that null resets to its default; undefined when absent or blank. */
export function resettableFraction(description: string) {
  const type = numberType(0, 1, 'a number from 0 to 1, or null');
  return optional((value) => (value === null ? null : lenientNumber(value)), type.nullable(), description);
}

/** A false match rate from 1e-6, where the similarity is 0.9999, to 1. */
export function optionalRate(description: string) {
  return optional(lenientNumber, numberType(1e-6, 1, 'a rate from 1e-6 to 1, such as "1e-4"'), description);
}

export function optionalAmount(description: string, min: number, max: number) {
  return optional(lenientNumber, numberType(min, max, `a number from ${min} to ${max}`), description);
}

export function optionalCount(description: string, min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return optional(lenientNumber, numberType(min, max, error).int({ error }), description);
}

/** A whole number that null resets to its default; undefined when absent or blank. */
export function resettableCount(description: string, min: number, max: number) {
  const error = `a whole number from ${min} to ${max}, or null`;
  const type = numberType(min, max, error).int({ error }).nullable();
  return optional((value) => (value === null ? null : lenientNumber(value)), type, description);
}

function wordType<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `one of ${words.join(', ')}` });
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
  const error = `a list of ${words.join(', ')}`;
  const type = z
    .array(wordType(words), { error })
    .min(least, { error })
    .max(4 * words.length, { error });
  return optional(lenientList(words), type, description);
}

/** A time, ISO 8601 with a zone. */
export function optionalInstant(description: string) {
  const type = z.iso.datetime({ offset: true, error: 'a time such as 2026-01-31T12:00:00.000Z' });
  return optional(absentIfBlank, type, description);
}
