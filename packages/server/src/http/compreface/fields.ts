import { nameProblem, normaliseName } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import { z } from 'zod';

const absent = (value: unknown): unknown => (value === null || value === '' ? undefined : value);

function lenientNumber(value: unknown): unknown {
  const given = absent(value);
  return typeof given === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(given) ? Number(given) : given;
}

function lenientFlag(value: unknown): unknown {
  const given = absent(value);
  if (typeof given !== 'string') return given;
  const word = given.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : given;
}

/** The largest number that CompreFace takes, of 32 bits. */
const mostCount = 2 ** 31 - 1;

/** A whole number; absent: the default. */
export const count = (least: number, byDefault: number) => {
  const error = `a whole number from ${least} to ${mostCount}`;
  const whole = z.int({ error }).min(least, { error }).max(mostCount, { error });
  return z.preprocess(lenientNumber, whole.default(byDefault));
};

const flag = (byDefault: boolean) =>
  z.preprocess(lenientFlag, z.boolean({ error: 'true or false' }).default(byDefault));

const fractionError = 'a number from 0 to 1';

/** Least detector score of a face. */
const minScore = z.preprocess(
  lenientNumber,
  z
    .number({ error: fractionError })
    .min(0, { error: fractionError })
    .max(1, { error: fractionError })
    .default(0),
);

/** Slugs, separated by commas; those that are unknown are ignored, as age and gender are. */
const plugins = z.preprocess(
  absent,
  z
    .string({ error: 'slugs of plugins, separated by commas' })
    .default('')
    .transform((given) => new Set(given.split(',').map((slug) => slug.trim().toLowerCase()))),
);

const scale = z.preprocess(
  absent,
  z.enum(['compreface', 'wajah'], { error: 'compreface or wajah' }).default('compreface'),
);

/** A picture as base64; that it is there was checked before. */
export const picture = z.string({ error: 'a picture as a file of a form, or as base64' });

/** What all calls with faces take. */
export const faceFields = {
  limit: count(0, 0),
  det_prob_threshold: minScore,
  face_plugins: plugins,
  status: flag(false),
  detect_faces: flag(true),
  similarity: scale,
};

export const scoreField = { det_prob_threshold: minScore };

export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: 'a UUID' })
  .transform((given) => given.toLowerCase());

const emptyName = phrase('word', { word: 'Subject name cannot be empty' });

const nameType = z.string({ error: 'the name of a subject, 1 to 120 characters' }).check((context) => {
  const problem = context.value === '' ? emptyName : nameProblem(context.value);
  if (problem === null) return;
  context.issues.push({ code: 'custom', input: context.value, message: JSON.stringify(problem) });
});

const normalised = (value: unknown) => (typeof value === 'string' ? normaliseName(value) : value);

/** The name of a subject, which is its user_id. */
export const subject = z.preprocess(normalised, nameType);

/** The name of a subject to come. Clients and proxies resolve . and .. in paths, and would erase all subjects instead. */
export const newSubject = z.preprocess(
  normalised,
  nameType.refine((name) => !/^\.\.?$/.test(name), {
    error: 'a name other than . and .., which no path can have',
  }),
);

export const optionalSubject = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() === '' ? undefined : normalised(value)),
  nameType.optional(),
);
