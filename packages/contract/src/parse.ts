import type { z } from 'zod';
import { phraseOf, UndecodedPicture } from './fields.ts';
import { type Phrase, phrase, type RefusalParamsArgument, type Told, toldRefusal } from './refusals.ts';
import { codePointLength } from './text.ts';

/** Fields whose absence has its own status. */
const absent = {
  image: 'imageNull',
  user_id: 'userIdNull',
  user_name: 'userNameNull',
  facegallery_id: 'galleryIdNull',
  target_image: 'targetImageNull',
  source_image: 'sourceImageNull',
} as const;

type FieldCode = 'fieldsMalformed' | (typeof absent)[keyof typeof absent];

/** Fields whose value is never quoted in a detail. */
const secrets = new Set<PropertyKey | undefined>([
  'password',
  'client_secret',
  'new_password',
  'sign_in_code',
  'token',
  'liveness_token',
  'nonce',
]);
/** Longest text that a detail quotes, characters. */
const quotable = 40;
/** Fields named in one detail. */
const maxNamed = 3;

/** The refusal of a request: its code and parameters, and what they mean: which fields are wrong, and how. */
export interface RequestRefusal extends Pick<Told, 'status' | 'detail'> {
  readonly code: FieldCode;
  readonly params: NonNullable<RefusalParamsArgument<FieldCode>[0]>;
}

export type ParsedRequest<T> =
  | { readonly ok: true; readonly value: T }
  | ({ readonly ok: false } & RequestRefusal);

/**
 * Parses a decoded request body; a body that is absent or null counts as empty, and an empty list where no field is
 * needed. Never throws.
 *
 * @param schema an object schema of this package
 * @returns the value, or the first wrong field's refusal in the order of the schema's fields
 * @example parseRequest(galleryRequest, { facegallery_id: 'office' })
 */
export function parseRequest<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
): ParsedRequest<z.output<Schema>> {
  const given = isPhpEmpty(body) && schema.safeParse({}).success ? {} : (body ?? {});
  if (typeof given !== 'object' || Array.isArray(given)) {
    return refused('fieldsMalformed', [phrase('bodyNoObject', { found: describe(given) })]);
  }
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  return explain(parsed.error.issues, Object.keys(schema.shape));
}

/** PHP writes an array without fields as a list. */
const isPhpEmpty = (body: unknown) => Array.isArray(body) && body.length === 0;

function refused(code: FieldCode, problems: readonly Phrase[]): { ok: false } & RequestRefusal {
  const { status, detail } = toldRefusal(code, { problems });
  return { ok: false, code, params: { problems }, status, detail };
}

function explain(issues: readonly z.core.$ZodIssue[], fields: readonly string[]) {
  const ordered = issues.toSorted((a, b) => place(a, fields) - place(b, fields));
  const byPath = new Map<string, z.core.$ZodIssue>();
  for (const issue of ordered) {
    const path = pathName(issue.path);
    if (!byPath.has(path)) byPath.set(path, issue);
  }
  const named = [...byPath]
    .slice(0, maxNamed)
    .map(([field, issue]) => phrase('fieldProblem', { field, problem: problemOf(issue) }));
  const first = ordered[0];
  return refused(first === undefined ? 'fieldsMalformed' : codeOf(first), named);
}

function place(issue: z.core.$ZodIssue, fields: readonly string[]): number {
  return fields.indexOf(String(issue.path[0]));
}

function codeOf(issue: z.core.$ZodIssue): FieldCode {
  const [field, ...deeper] = issue.path;
  if (issue.input !== undefined || deeper.length > 0) return 'fieldsMalformed';
  return absent[String(field) as keyof typeof absent] ?? 'fieldsMalformed';
}

/** The message of a schema is what is allowed; that of a custom check is the whole problem. */
function problemOf(issue: z.core.$ZodIssue): Phrase {
  const message = phraseOf(issue.message);
  if (issue.code === 'custom') return message;
  const isSecret = secrets.has(issue.path.at(-1));
  const found = isSecret ? phrase('aSecret', { type: typeof issue.input }) : describe(issue.input);
  return phrase('foundAllowed', { found, allowed: message });
}

/** `batch[2].image` */
function pathName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

/** A value in words, for a sentence. */
function describe(value: unknown): Phrase {
  if (value === undefined || value === null) return phrase('nothing');
  if (Array.isArray(value)) return phrase('aListOf', { count: value.length });
  if (value instanceof Uint8Array || value instanceof UndecodedPicture) return phrase('onePicture');
  if (typeof value === 'object') return phrase('anObject');
  if (typeof value !== 'string') return phrase('aValue', { type: typeof value, value: String(value) });
  if (value.length <= quotable) return phrase('theText', { value });
  return phrase('aTextOf', { length: codePointLength(value) });
}

/** `facegallery_id` → `facegalleryId`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** `T` with every field name in camelCase, in nested objects and lists too. */
export type CamelCased<T> = T extends Uint8Array | UndecodedPicture
  ? T
  : T extends readonly (infer Item)[]
    ? CamelCased<Item>[]
    : T extends object
      ? { [Field in keyof T as Field extends string ? CamelCase<Field> : Field]: CamelCased<T[Field]> }
      : T;

/**
 * Copies a JSON value with its field names converted from snake_case to camelCase, at any depth. Values are unchanged.
 *
 * @example camelCased({ facegallery_id: 'a_b' }); // { facegalleryId: 'a_b' }
 */
export function camelCased<T>(value: T): CamelCased<T> {
  return converted(value) as CamelCased<T>;
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null || isPicture(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [camelCase(name), converted(part)]));
}

function isPicture(value: object): boolean {
  return value instanceof Uint8Array || value instanceof UndecodedPicture;
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
