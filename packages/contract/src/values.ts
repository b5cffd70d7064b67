/** Values that need no schema: threads and commands load them without zod and the endpoints. */
import { featureScopeMeanings, featureScopes } from './features/declared.ts';

/** Similarities, scores and thresholds have four decimals on the wire. */
const steps = 10_000;

/** Angles have two decimals on the wire. */
const angleSteps = 100;

/** An unlimited quota on the wire: the largest 32-bit integer, which the integers of every language can hold. */
export const unlimited = 2_147_483_647;

/** Tolerated floating-point error, as a share of a step. */
const noise = 1e-6;

/**
 * Cuts a similarity or score (0…1) to four decimals. Thresholds are raised to four decimals, so that a value reaches a
 * threshold exactly when its printed number does, and `verified` never contradicts `similarity`.
 *
 * @example cutFraction(0.62499); // 0.6249
 */
export function cutFraction(value: number): number {
  const step = Math.floor(value * steps + noise) / steps;
  // The noise may have rounded up a value that is below the step.
  return step > value ? (Math.round(step * steps) - 1) / steps : step;
}

/**
 * Raises a threshold to the next number of four decimals.
 *
 * @example raiseThreshold(0.25 + 0.125 * Math.log10(300 / 0.01)); // 0.8097, of 0.80964…
 */
export function raiseThreshold(value: number): number {
  // Without the sum, 0 would be −0.
  return Math.ceil(value * steps - noise) / steps + 0;
}

/**
 * Cuts an angle in degrees to two decimals, towards 0.
 *
 * @example cutDegrees(-11.996); // -11.99, still the front
 */
export function cutDegrees(value: number): number {
  // Without the sum, small negative angles would be −0.
  return Math.trunc(value * angleSteps) / angleSteps + 0;
}

/**
 * Pictures that a person may be enrolled with; each is a template. Programs for cameras train with 10 to 50. A picture
 * that is added rewrites all templates of the person: 51 kB of 50 with 256 dimensions.
 */
export const maxTemplates = 50;

/** Bounds of a password, in code points. */
export const passwordLength = { min: 8, max: 1024 } as const;

/** The scopes of tokens. */
export const scopes = [
  'recognise',
  'enrol',
  'read',
  'pictures',
  'manage',
  ...featureScopes,
  'diagnostics',
  'operate',
] as const;

export type Scope = (typeof scopes)[number];

/** Scopes that no token has unless they are asked for by name; `operate` only a token of an operator. */
export const askedScopes = ['diagnostics', 'operate'] as const satisfies readonly Scope[];
export type AskedScope = (typeof askedScopes)[number];

/** The scopes of an access token issued for a password, which is the client itself: all that need not be asked for. */
export const ordinaryScopes = scopes.filter((scope) => !askedScopes.some((asked) => asked === scope));

/** The scopes of an API token that names none, wherever it is created. */
export const defaultScopes: readonly Scope[] = ['recognise'];

/** What each scope permits, for the documentation. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  recognise: 'detect, verify, identify, compare, and judge liveness',
  enrol: 'enrol, rename, suspend and delete people',
  read: 'list galleries and faces, export what is known of a person, find duplicates, read counters, activity, status, audit trail and records of processing',
  pictures: 'read the face crops of enrolled users, where the operator keeps them, also in an export',
  manage: 'create, change and delete galleries and tokens, register and erase the client',
  ...featureScopeMeanings,
  diagnostics: 'see what liveness sessions measured, and the spoof figures of detection; never implied',
  operate:
    'list, create and erase clients, set their quotas and reset their passwords, by an operator; never implied',
};

/** Where a server has the page of hosted sessions. */
export const hostedPath = '/liveness';

/** Number of steps between the first and the last frontal one. */
export const sessionSteps = { least: 2, most: 5, byDefault: 3 } as const;

/** Least size of a face in a session, pixels of the shorter side of its box. */
export const sessionFace = { least: 60, most: 1000, byDefault: 80 } as const;

/** Width × height of a picture that the server takes. */
export const maxImagePixels = 50_000_000;

/** Minutes that the link of a session is valid. */
export const linkMinutes = { least: 1, most: 1440, byDefault: 10 } as const;

/** Tries that the link of a hosted session is good for. */
export const linkTries = 3;

/** Formats of pictures that are read. What the engine reads is compared with this list by a test. */
const pictureFormats = ['JPEG', 'PNG', 'WebP', 'AVIF'] as const;

/** Their media types. */
export const pictureTypes: readonly string[] = pictureFormats.map((name) => `image/${name.toLowerCase()}`);

/** In a sentence, English and Indonesian. */
export const aPicture = 'JPEG, PNG, WebP or AVIF';

/** The media type, in `Accept`, of answers in the own form, also of a server that imitates another service. */
export const ownForm = 'application/vnd.wajah+json';
