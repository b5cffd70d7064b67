import { type Endpoint, endpointList, refusalsOf, statuses } from '@wajah/contract';
import { z } from 'zod';
import { curlForm, curlOf, curlSetUp } from './curl.ts';
import { codeBlock, markdownTable, page } from './markdown.ts';

/** The part of a field's JSON Schema that the page shows. */
interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly contentEncoding?: string;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

const access: Readonly<Record<Endpoint['auth'], string>> = {
  token: 'Requires an access token, in the header `Accesstoken` or as `Authorization: Bearer`.',
  credentials: "Requires the client's credentials, in the body or as HTTP Basic.",
  none: 'Requires no authentication.',
};

/** docs/api.md: every endpoint with its fields, refusals and an example. */
export function apiPage(): string {
  return page(
    'API',
    'Every endpoint with its fields, an example and its refusals. The same as OpenAPI 3.1: ' +
      '[openapi.json](openapi.json), which the server also returns at `/openapi.json`; for generators that do not know 3.1: ' +
      '[openapi-3.0.json](openapi-3.0.json); as a collection of Postman: [postman.json](postman.json). [Programs](programs.md) shows whole programs in other languages.',
    [
      '- **Bodies** are JSON. For GET and DELETE the fields may also be query parameters.',
      '- **Forms**: endpoints that take pictures also read `multipart/form-data`, with the same names, limits and errors. A picture is a file; every other field is a text. A part of a list or object is named `frames[0].image` or `frames[0][image]`; objects, lists and their entries may also be JSON. A field is sent once, only lists are repeated.',
      '- **Pictures** (`image` and `…_image`) are base64 of a JPEG or PNG. A data URL, base64url and line breaks are accepted.',
      '- **Numbers and booleans** may be sent as text. Unknown fields are ignored.',
      '- **Answers** have `status` and `status_message` ([errors.md](errors.md)) and the header `X-Trx-Id`.',
      '- **Extension** marks endpoints and fields that are not in the specification of the API.',
    ].join('\n'),
    `The commands on this page use these variables and this function:\n\n${codeBlock('sh', curlSetUp)}`,
    `A picture as a file of a form:\n\n${codeBlock('sh', curlForm)}`,
    markdownTable(
      ['endpoint', 'description'],
      endpointList.map((one) => [`[${one.path}](#${one.id.toLowerCase()})`, one.summary]),
    ),
    ...endpointList.map(section),
  );
}

function section(one: Endpoint): string {
  const schema = z.toJSONSchema(one.request, { io: 'input', unrepresentable: 'any' }) as FieldSchema;
  const fields = fieldRows(schema, '');
  const refusals = refusalsOf(one).map((name) => statuses[name]);
  return [
    `## ${one.id}`,
    `\`${one.methods.join('` or `')}\` \`${one.path}\``,
    `${one.summary} ${access[one.auth]}`,
    ...(fields.length > 0 ? [markdownTable(['field', 'type', 'required', 'description'], fields)] : []),
    ...(Object.keys(one.example.request).length > 0 ? [`Request:\n\n${json(one.example.request)}`] : []),
    codeBlock('sh', curlOf(one)),
    ...(one.path === '/openapi.json' ? [] : [`Answer:\n\n${json(one.example.answer)}`]),
    ...(refusals.length > 0
      ? [`Refusals: ${refusals.map(({ status, message }) => `${status} ${message}`).join(' · ')}.`]
      : []),
  ].join('\n\n');
}

function fieldRows({ properties = {}, required = [] }: FieldSchema, parent: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = parent + name;
    const nested = field.properties ? field : field.items;
    const inner = nested?.properties ? fieldRows(nested, `${path}${field.items ? '[]' : ''}.`) : [];
    const row = [
      `\`${path}\``,
      typeText(field),
      required.includes(name) ? 'yes' : '',
      field.description ?? '',
    ];
    return [row, ...inner];
  });
}

function typeText(field: FieldSchema): string {
  if (field.const !== undefined) return `\`${String(field.const)}\``;
  if (field.enum) return field.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (field.anyOf) return field.anyOf.map(typeText).join(' or ');
  if (field.contentEncoding === 'base64') return 'base64 picture';
  const size = field.type === 'array' ? `, at most ${field.maxItems ?? 'any'}` : '';
  const length = field.maxLength === undefined ? '' : `, at most ${field.maxLength} characters`;
  const range = field.minimum === undefined ? '' : `, ${field.minimum}…${field.maximum ?? ''}`;
  const byDefault = field.default === undefined ? '' : `, default ${String(field.default)}`;
  return `${field.type ?? 'any'}${size}${length}${range}${byDefault}`;
}

function json(value: unknown): string {
  return codeBlock('json', JSON.stringify(value, null, 2));
}
