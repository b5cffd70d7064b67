import { z } from 'zod';
import { maxNameLength, nameProblem, normaliseName } from './text.ts';

/** Null and blank text count as absent. */
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

/** The same; absent, null and blank are all undefined. */
export function optionalName(description: string, max = maxNameLength) {
  return z.preprocess(lenientName, nameType(max).optional()).optional().meta({ description });
}

const pictureType = z.string({ error: 'a base64 text of a JPEG or PNG' }).meta({ contentEncoding: 'base64' });

/** A required picture as base64 text; it is decoded by the service. */
export function picture(description: string) {
  return z.preprocess(absentIfBlank, pictureType).meta({ description });
}

export function optionalPicture(description: string) {
  return z.preprocess(absentIfBlank, pictureType.optional()).optional().meta({ description });
}

const booleanType = z.boolean({ error: 'true or false' });

export function flag(description: string, byDefault: boolean) {
  return z
    .preprocess(lenientBoolean, booleanType.default(byDefault))
    .default(byDefault)
    .meta({ description });
}

/** A flag that is undefined when absent; `assumed` is only documentation. */
export function optionalFlag(description: string, assumed: boolean) {
  return z
    .preprocess(lenientBoolean, booleanType.optional())
    .optional()
    .meta({ description: `${description} Default ${assumed}.` });
}

export function optionalFraction(description: string) {
  const error = 'a number from 0 to 1';
  const type = z.number({ error }).min(0, { error }).max(1, { error });
  return z.preprocess(lenientNumber, type.optional()).optional().meta({ description });
}

/** A fraction that null takes back to what holds without it; absent and blank leave it as it is. */
export function resettableFraction(description: string) {
  const error = 'a number from 0 to 1, or null';
  const type = z.number({ error }).min(0, { error }).max(1, { error });
  return z
    .preprocess((value) => (value === null ? null : lenientNumber(value)), type.nullable().optional())
    .optional()
    .meta({ description });
}

/** A false accept rate from 1e-6, where similarity is 1, to 1. */
export function optionalRate(description: string) {
  const error = 'a rate from 1e-6 to 1, such as "1e-4"';
  const type = z.number({ error }).min(1e-6, { error }).max(1, { error });
  return z.preprocess(lenientNumber, type.optional()).optional().meta({ description });
}

export function optionalCount(description: string, min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  const type = z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
  return z.preprocess(lenientNumber, type.optional()).optional().meta({ description });
}

/** One of the given words, or of the aliases that stand for them. */
function wordType<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `one of ${words.join(', ')}` });
}

function resolveAlias(value: unknown, aliases: Readonly<Record<string, string>>): unknown {
  const given = absentIfBlank(value);
  if (typeof given !== 'string') return given;
  return Object.hasOwn(aliases, given) ? aliases[given] : given;
}

export function word<const Words extends readonly [string, ...string[]]>(
  description: string,
  words: Words,
  aliases: Readonly<Record<string, Words[number]>> = {},
) {
  return z.preprocess((value) => resolveAlias(value, aliases), wordType(words)).meta({ description });
}

export function optionalWord<const Words extends readonly [string, ...string[]]>(
  description: string,
  words: Words,
  aliases: Readonly<Record<string, Words[number]>> = {},
) {
  return z
    .preprocess((value) => resolveAlias(value, aliases), wordType(words).optional())
    .optional()
    .meta({ description });
}

function lenientList(value: unknown): unknown {
  const given = absentIfBlank(value);
  return typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given;
}

/** A list of the given words, each at most once counted; a text is taken as words between commas. */
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
  return z.preprocess(lenientList, type.optional()).optional().meta({ description });
}

const instantError = 'a moment as 2026-01-31T12:00:00.000Z';

/** A moment, ISO 8601 with a zone. */
export function optionalInstant(description: string) {
  const type = z.iso.datetime({ offset: true, error: instantError });
  return z.preprocess(absentIfBlank, type.optional()).optional().meta({ description });
}
