/** The keywords of a JSON schema that the page uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly contentEncoding?: string;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Example {
  readonly description?: string;
  readonly value?: Record<string, string>;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly 'x-destroys'?: boolean;
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

/** The server's OpenAPI document. */
export interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

/** A refusal of an endpoint. */
export interface Refusal {
  readonly http: string;
  readonly status: string;
  readonly message: string;
  readonly when: string;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Other methods that the same path answers. */
  readonly also: readonly string[];
  readonly path: string;
  readonly summary: string;
  readonly auth: 'token' | 'credentials' | 'none';
  /** What it takes away cannot be had back. */
  readonly destroys: boolean;
  readonly request: Schema;
  /** Whether the body may also be a multipart form, with files as pictures. */
  readonly takesForm: boolean;
  readonly example: Readonly<Record<string, unknown>>;
  readonly answer: Schema;
  readonly answerExample: unknown;
  readonly refusals: readonly Refusal[];
}

/** The endpoints in the order of the document, each with its first method. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) => {
    const [first, ...others] = Object.entries(methods);
    if (!first) return [];
    const [method, operation] = first;
    return [operationOf(document, { path, method, operation, also: others.map(([name]) => name) })];
  });
}

function operationOf(
  document: Document,
  found: { path: string; method: string; operation: RawOperation; also: string[] },
): Operation {
  const { path, method, operation, also } = found;
  const body = operation.requestBody?.content['application/json'];
  const good = operation.responses['200']?.content?.['application/json'];
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    also: also.map((name) => name.toUpperCase()),
    path,
    summary: operation.summary ?? '',
    auth: authOf(operation),
    destroys: operation['x-destroys'] === true,
    request: body?.schema ? resolve(document, body.schema) : schemaOfParameters(operation),
    takesForm: operation.requestBody?.content['multipart/form-data'] !== undefined,
    example: (body?.example ?? exampleOfParameters(operation)) as Record<string, unknown>,
    answer: good?.schema ? resolve(document, good.schema) : {},
    answerExample: good?.example,
    refusals: refusalsOf(document, operation),
  };
}

function authOf({ security = [] }: RawOperation): Operation['auth'] {
  if (security.some((scheme) => 'accesstoken' in scheme)) return 'token';
  return security.length > 0 ? 'credentials' : 'none';
}

function contentOf(document: Document, { $ref, content }: Response): Response['content'] {
  if ($ref === undefined) return content;
  return document.components?.responses?.[$ref.split('/').at(-1) ?? '']?.content;
}

/** Resolves a reference. Of several schemas the first, that of the success, is used. */
function resolve(document: Document, schema: Schema): Schema {
  const chosen = schema.oneOf?.[0] ?? schema;
  if (chosen.$ref === undefined) return chosen;
  const name = chosen.$ref.split('/').at(-1) ?? '';
  return document.components?.schemas?.[name] ?? {};
}

function schemaOfParameters({ parameters = [] }: RawOperation): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description = '', schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function exampleOfParameters({ parameters = [] }: RawOperation): Record<string, unknown> {
  const known = parameters.filter(({ example }) => example !== undefined);
  return Object.fromEntries(known.map(({ name, example }) => [name, example]));
}

function refusalsOf(document: Document, { responses }: RawOperation): Refusal[] {
  return Object.entries(responses).flatMap(([http, response]) =>
    Object.values(contentOf(document, response)?.['application/json']?.examples ?? {}).map(
      ({ description: when = '', value = {} }) => ({
        http,
        status: value['status'] ?? '',
        message: value['status_message'] ?? '',
        when,
      }),
    ),
  );
}

export interface FieldLine {
  /** Path of the field: `batch[].image`. */
  readonly name: string;
  readonly type: string;
  /** `1 to 120 characters` */
  readonly limits: string;
  readonly description: string;
  readonly required: boolean;
  readonly fallback?: unknown;
}

/** Every field of an object, nested ones below their parent. */
export function fieldLines(schema: Schema, before = ''): FieldLine[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = before + name;
    const inner = innerOf(field);
    const line: FieldLine = {
      name: path,
      type: typeOf(field),
      limits: limitsOf(field),
      description: field.description ?? '',
      required: schema.required?.includes(name) ?? false,
      fallback: field.default,
    };
    return [line, ...(inner ? fieldLines(inner.schema, `${path}${inner.joint}`) : [])];
  });
}

function innerOf(field: Schema): { schema: Schema; joint: string } | undefined {
  if (field.properties) return { schema: field, joint: '.' };
  if (field.items?.properties) return { schema: field.items, joint: '[].' };
  const { additionalProperties: other } = field;
  if (typeof other === 'object' && other.properties) return { schema: other, joint: '.*.' };
  return undefined;
}

/** @example typeOf({ type: 'array', items: { type: 'string' } }); // 'list of string' */
function typeOf(field: Schema): string {
  if (field.contentEncoding === 'base64') return 'base64';
  if (field.anyOf) return [...new Set(field.anyOf.map(typeOf))].join(' or ');
  if (field.type === 'array') return `list of ${field.items ? typeOf(field.items) : 'anything'}`;
  if (typeof field.type === 'string') return field.type;
  return Array.isArray(field.type) ? field.type.join(' or ') : 'anything';
}

function limitsOf(field: Schema): string {
  if (field.enum) return field.enum.map(String).join(', ');
  if (field.items?.enum) return field.items.enum.map(String).join(', ');
  const choice = field.anyOf?.find(({ type }) => type !== 'null');
  if (choice && field.anyOf!.length <= 2) return limitsOf(choice);
  const ranges = [
    range(field.minLength, field.maxLength, ' characters'),
    range(field.minItems, field.maxItems, ' entries'),
    range(field.minimum, field.maximum, ''),
  ];
  return ranges.filter((text) => text !== '').join(', ');
}

/** Bounds of the number format are omitted. */
function range(least: number | undefined, most: number | undefined, unit: string): string {
  const low = least !== undefined && Math.abs(least) < Number.MAX_SAFE_INTEGER ? least : undefined;
  const high = most !== undefined && Math.abs(most) < Number.MAX_SAFE_INTEGER ? most : undefined;
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (high !== undefined) return `at most ${high}${unit}`;
  return low !== undefined ? `at least ${low}${unit}` : '';
}
