import type { Endpoint } from '@wajah/contract';
import { openApiDocument } from '@wajah/contract/openapi';
import fc from 'fast-check';

/** What the published document says of a value: JSON Schema, as far as requests use it. */
interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: 'string' | 'boolean' | 'number' | 'integer' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly format?: 'date-time';
  readonly contentEncoding?: 'base64';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly { in: string; name: string; required: boolean; schema: Schema }[];
  readonly requestBody?: { content: { 'application/json': { schema: Schema } } };
}

/** A value of a request: `['batch', 0, 'image']`. */
export interface Place {
  readonly path: readonly [string, ...(string | number)[]];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

const published = openApiDocument('0.1.0') as { paths: Record<string, Record<string, Operation>> } & Record<
  string,
  unknown
>;

function resolved(schema: Schema): Schema {
  const { $ref, anyOf } = schema;
  if (anyOf) return resolved(anyOf[0]!);
  if ($ref === undefined) return schema;
  const parts = $ref.slice(2).split('/');
  // biome-ignore lint/suspicious/noExplicitAny: a path through any JSON
  return resolved(parts.reduce((at: any, part) => at[part], published));
}

/** All values of a request, of its lists' first entries and of its objects. */
export function placesOf({ path, methods }: Endpoint): Place[] {
  const { requestBody, parameters = [] } = published.paths[path]![methods[0].toLowerCase()]!;
  const body = requestBody?.content['application/json'].schema;
  if (body) return placesIn([], resolved(body));
  const query = parameters.filter((one) => one.in === 'query');
  return query.flatMap(({ name, schema, required }) => placesAt([name], schema, required));
}

function placesIn(path: readonly (string | number)[], { properties = {}, required = [] }: Schema): Place[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    placesAt([...path, name] as unknown as Place['path'], schema, required.includes(name)),
  );
}

function placesAt(path: Place['path'], given: Schema, isRequired: boolean): Place[] {
  const schema = resolved(given);
  const items = schema.items && resolved(schema.items);
  const inside = items?.properties ? placesIn([...path, 0], items) : placesIn(path, schema);
  return [{ path, schema, isRequired }, ...inside];
}

/** `batch[0].image` */
export function nameOf(path: Place['path']): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1);
}

/** The fields with another value at this place. */
export function replaced(
  fields: unknown,
  [part, ...rest]: readonly (string | number)[],
  value: unknown,
): object {
  const held = fields as Record<string | number, unknown> | undefined;
  const inner = rest.length === 0 ? value : replaced(held?.[part!], rest, value);
  return typeof part === 'number' ? [inner] : { ...held, [part!]: inner };
}

/** Characters that no name may have. */
const unprintable = ['\0', '\n', '\u2028', '\u202e', '\u200b', '\ufeff', '\ud800'].map((one) => `😀${one}b`);
const noNumbers = ['x', '0x10', 'NaN', '٣', '1,5', '1e9999', '--1'];
const noTimes = ['yesterday', '2026-01-31', '2026-01-31T12:00:00', '2026-02-30T00:00:00Z'];

const hasNames = ({ items }: Schema) => items?.type === 'string' && !items.enum;

/** Values next to what is allowed, and others that are not. A whole number is an identifier, too. */
function edges(schema: Schema): { bounds: unknown[]; others: unknown[] } {
  const { minimum = 0, maximum = 0, minItems = 0, maxItems = 0, maxLength = 0, items = {} } = schema;
  const kinds = [3.5, true, {}, []];
  switch (schema.type) {
    case 'boolean':
      return { bounds: ['ja'], others: ['0', 3.5, {}, []] };
    case 'integer':
      return { bounds: [minimum - 1, maximum + 1], others: [...noNumbers, minimum + 0.5, true, {}, []] };
    case 'number':
      return { bounds: [minimum - 0.01, maximum * 1.01], others: [...noNumbers, true, {}, []] };
    case 'object':
      return { bounds: [], others: [3.5, true, 'x', [3]] };
    case 'array': {
      const few = minItems > 0 ? [[]] : [];
      const many = Array(maxItems + 1).fill(items.enum?.[0] ?? {});
      if (hasNames(schema)) {
        const names = many.map((_, i) => `u${i}`);
        return { bounds: [...few, names], others: [{}, true, 3.5, 'x', [3.5]] };
      }
      return { bounds: [...few, many], others: [{}, true, 3.5, 'x', ['x'], [3.5]] };
    }
    default:
      if (schema.enum) return { bounds: ['not of the list'], others: kinds };
      if (schema.format) return { bounds: ['2026-01-31'], others: [...noTimes, ...kinds] };
      if (schema.contentEncoding) return { bounds: [], others: kinds };
      return { bounds: ['é'.repeat(maxLength + 1)], others: [...unprintable, ...kinds] };
  }
}

/** Values that are not allowed, of them `examples` always. */
export function wrongValues(schema: Schema): { values: fc.Arbitrary<unknown>; examples: [unknown][] } {
  const { type, minimum = 0, maximum = 0 } = schema;
  const { bounds, others } = edges(schema);
  const beyond = [
    fc.double({ min: maximum, minExcluded: true, noDefaultInfinity: true, noNaN: true }),
    fc.double({ max: Math.min(minimum, -1e-6), maxExcluded: true, noDefaultInfinity: true, noNaN: true }),
  ];
  const numbers = type === 'integer' || type === 'number' ? [...beyond, beyond[0]!.map(String)] : [];
  return { values: fc.oneof(fc.constantFrom(...others), ...numbers), examples: bounds.map((one) => [one]) };
}

/** How a refusal begins behind the field: what was found, of a secret only the type, and what is allowed. */
export function refusalOf(schema: Schema, given: unknown): RegExp {
  const { minimum, maximum, maxItems, maxLength = 0 } = schema;
  const name = schema.type === 'string' && !schema.enum && !schema.format && !schema.contentEncoding;
  if (name && typeof given === 'string' && given.trim() !== '') {
    if (given.length > maxLength)
      return new RegExp(`^: found ${given.length} characters, at most ${maxLength} are allowed$`);
    const code = given.charCodeAt(2).toString(16).toUpperCase().padStart(4, '0');
    return new RegExp(`^: found U\\+${code} at character 2, only printable characters are allowed$`);
  }
  const words = (schema.enum ?? schema.items?.enum ?? []).join(', ');
  const allowed = {
    boolean: 'true or false',
    integer: `a whole number from ${minimum} to ${maximum}`,
    number: `a (number|rate) from (${minimum}|1e-6) to ${maximum}`,
    object: 'an object with ',
    array: words
      ? `(a list|one) of ${words}`
      : schema.items?.contentEncoding
        ? `(a list of \\d to ${maxItems} pictures|a JPEG, PNG, WebP or AVIF)`
        : hasNames(schema)
          ? `(a list of 1 to ${maxItems} texts|a text of 1 to )`
          : `(a list of 1 to ${maxItems} objects|an object with )`,
    string: words
      ? `one of ${words}`
      : `(a text of 1 to ${maxLength}|a time such as|a JPEG, PNG, WebP or AVIF)`,
  }[schema.type!];
  return new RegExp(`^(\\[0\\])?: found ${found(schema, given)}; allowed is ${allowed}`);
}

function found({ type }: Schema, given: unknown): string {
  const isSingle = type === 'array' && Array.isArray(given) && given.length === 1;
  const one = isSingle ? given[0] : given;
  if (Array.isArray(one)) return `(a list of ${one.length}|a object)`;
  if (one === undefined || one === null) return 'nothing';
  if (typeof one === 'object') return 'an? object';
  // A text of a number is that number.
  if (typeof one === 'string')
    return type === 'string' ? '(nothing|the text ".*")' : '(nothing|the (text|number) .*)';
  return `(the ${typeof one} ${String(one).replace('+', '\\+')}|a ${typeof one})`;
}
