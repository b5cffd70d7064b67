import { reference } from '../i18n/messages.ts';
import { forHereDocument, postCommand, tokenHeader } from '../ui/call-text.ts';
import type { Operation, Schema } from './openapi.ts';

/** The value of each field; '' is not sent. Pictures are data URLs. */
export type Values = Readonly<Record<string, string>>;

type FieldKind = 'picture' | 'choice' | 'flag' | 'number' | 'json' | 'secret' | 'text';

/** The kind of control of a field. */
export function kindOf(name: string, field: Schema): FieldKind {
  if (field.contentEncoding === 'base64') return 'picture';
  if (field.enum) return 'choice';
  if (/^(password|client_secret)$/.test(name)) return 'secret';
  const types = [field.type, ...(field.anyOf ?? []).map(({ type }) => type)].flat();
  if (types.includes('array') || types.includes('object')) return 'json';
  if (types.includes('boolean')) return 'flag';
  return types.includes('number') || types.includes('integer') ? 'number' : 'text';
}

/** The values of the example; its pictures are placeholders for files. */
export function initialValues({ request, example }: Operation): Values {
  const fields = Object.entries(request.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const given = example[name];
      const kind = kindOf(name, field);
      if (given === undefined || kind === 'picture' || kind === 'secret') return [name, ''];
      return [name, kind === 'json' ? JSON.stringify(withPlaceholders(given), null, 2) : String(given)];
    }),
  );
}

const pictureInExample = /^(\/9j\/|iVBOR).*…$/;

/** Replaces the pictures of an example by `<picture 1>`, `<picture 2>` … */
function withPlaceholders(given: unknown): unknown {
  let count = 0;
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string' && pictureInExample.test(value)) {
      count += 1;
      return placeholder(count);
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(given);
}

const placeholder = (number: number) => `<picture ${number}>`;

/** Whether a field contains pictures. */
export function holdsPictures(field: Schema): boolean {
  return JSON.stringify(field).includes('"contentEncoding":"base64"');
}

/**
 * The fields of the request.
 * @param pictures data URLs for the placeholders of JSON fields, in order
 * @throws Error where the value of a JSON field does not parse
 */
export function fieldsOf(
  { request }: Operation,
  values: Values,
  pictures: readonly string[],
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(request.properties ?? {})) {
    const value = values[name] ?? '';
    if (value !== '') fields[name] = typed(name, field, value, pictures);
  }
  return fields;
}

function typed(name: string, field: Schema, value: string, pictures: readonly string[]): unknown {
  switch (kindOf(name, field)) {
    case 'number':
      return value.trim() === 'null' ? null : Number(value);
    case 'flag':
      return value === 'true';
    case 'json':
      return parse(name, filled(value, pictures));
    default:
      return value;
  }
}

function filled(text: string, pictures: readonly string[]): string {
  return pictures.reduce(
    (before, picture, index) => before.replaceAll(placeholder(index + 1), picture),
    text,
  );
}

function parse(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(reference.badJson(field));
  }
}

/** The call as a shell command; the token is in $TOKEN, pictures are read from files. */
export function curlOf(operation: Operation, values: Values, origin: string): string {
  const { method, path, auth } = operation;
  const entries = Object.entries(operation.request.properties ?? {}).filter(
    ([name, field]) =>
      (values[name] ?? '') !== '' ||
      required(operation, name) ||
      (kindOf(name, field) === 'picture' && operation.example[name] !== undefined),
  );
  const header = auth === 'token' ? [tokenHeader] : [];
  const methodFlag = method === 'GET' || method === 'POST' ? '' : `-X ${method} `;
  if (method !== 'POST') {
    const query = entries.map(([name]) => `${name}=${encodeURIComponent(values[name] || `<${name}>`)}`);
    const address = `${origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
    return [`curl -s ${methodFlag}'${address}'`, ...header].join(' \\\n');
  }
  const lines = entries.map(([name, field]) => {
    const kind = kindOf(name, field);
    return `  ${JSON.stringify(name)}: ${shellValue(name, kind, values[name] ?? '')}`;
  });
  return postCommand(`${origin}${path}`, lines, header);
}

function required({ request }: Operation, name: string): boolean {
  return request.required?.includes(name) ?? false;
}

function shellValue(name: string, kind: ReturnType<typeof kindOf>, value: string): string {
  if (kind === 'picture') return `"${file(`${name}.jpg`)}"`;
  if (kind === 'json') return indented(withFiles(forHereDocument(value || '[]')));
  if (kind === 'number' || kind === 'flag') return value;
  if (kind === 'secret') return '"$PASSWORD"';
  return forHereDocument(JSON.stringify(value));
}

const file = (name: string) => `$(base64 < ${name} | tr -d '\\n')`;

function withFiles(text: string): string {
  return Array.from({ length: 20 }, (_, index) => index + 1).reduce(
    (before, number) => before.replaceAll(placeholder(number), file(`picture-${number}.jpg`)),
    text,
  );
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
