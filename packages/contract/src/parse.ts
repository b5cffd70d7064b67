import type { z } from 'zod';
import type { StatusName } from './errors.ts';
import { codePointLength, quote } from './text.ts';

/** Fields whose absence has its own status. */
const absent: Readonly<Record<string, StatusName>> = {
  image: 'imageNull',
  user_id: 'userIdNull',
  user_name: 'userNameNull',
  facegallery_id: 'galleryIdNull',
  target_image: 'targetImageNull',
  source_image: 'sourceImageNull',
};

/** Fields whose value is never quoted in a detail. */
const secrets = new Set<PropertyKey | undefined>([
  'password',
  'client_secret',
  'token',
  'liveness_token',
  'nonce',
]);
/** Longest text that a detail quotes, characters. */
const quotable = 40;
/** Fields named in one detail. */
const maxNamed = 3;

/** The refusal of a request: a row of the status table and a sentence. */
export interface RequestRefusal {
  readonly status: StatusName;
  /** Names each wrong field, what was found and what is allowed. */
  readonly detail: string;
}

export type ParsedRequest<T> =
  | { readonly ok: true; readonly value: T }
  | ({ readonly ok: false } & RequestRefusal);

/**
 * Parses a decoded request body; a body that is absent or null counts as empty. Never throws.
 *
 * @param schema an object schema of this package
 * @returns the value, or the first wrong field's refusal in the order of the schema's fields
 * @example parseRequest(galleryRequest, { facegallery_id: 'office' })
 */
export function parseRequest<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
): ParsedRequest<z.output<Schema>> {
  const given = body ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    return malformed(`the body: found ${describe(given)}; allowed is a JSON object`);
  }
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, ...explain(parsed.error.issues, Object.keys(schema.shape)) };
}

function malformed(detail: string): { ok: false } & RequestRefusal {
  return { ok: false, status: 'malformed', detail };
}

function explain(issues: readonly z.core.$ZodIssue[], fields: readonly string[]): RequestRefusal {
  const ordered = issues.toSorted((a, b) => place(a, fields) - place(b, fields));
  const byPath = new Map<string, z.core.$ZodIssue>();
  for (const issue of ordered) {
    const path = pathName(issue.path);
    if (!byPath.has(path)) byPath.set(path, issue);
  }
  const named = [...byPath].slice(0, maxNamed).map(([path, issue]) => `${path}: ${sentence(issue)}`);
  const first = ordered[0];
  return { status: first === undefined ? 'malformed' : statusOf(first), detail: named.join('. ') };
}

function place(issue: z.core.$ZodIssue, fields: readonly string[]): number {
  return fields.indexOf(String(issue.path[0]));
}

function statusOf(issue: z.core.$ZodIssue): StatusName {
  const [field, ...deeper] = issue.path;
  if (issue.input !== undefined || deeper.length > 0) return 'malformed';
  return absent[String(field)] ?? 'malformed';
}

/** The message of a schema is what is allowed; that of a custom check is the whole sentence. */
function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return issue.message;
  const found = secrets.has(issue.path.at(-1)) ? `a ${typeof issue.input}` : describe(issue.input);
  return `found ${found}; allowed is ${issue.message}`;
}

/** `batch[2].image` */
function pathName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

/** A value in words, for a sentence. */
function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return `the ${typeof value} ${String(value)}`;
  if (value.length <= quotable) return `the text ${quote(value)}`;
  return `a text of ${codePointLength(value)} characters`;
}
