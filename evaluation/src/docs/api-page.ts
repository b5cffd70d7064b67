import { type Endpoint, endpointList, refusalsOf, statuses } from '@wajah/contract';
import { z } from 'zod';
import { curlOf, curlSetUp } from './curl.ts';
import { codeBlock, markdownTable, page } from './markdown.ts';

/** What is used of a field's JSON Schema. */
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
  token: 'Needs an access token, in `Accesstoken` or as `Authorization: Bearer`.',
  credentials: "Needs the client's credentials, in the body or as HTTP Basic.",
  none: 'Open to everybody.',
};

/** docs/api.md: every endpoint with its fields, refusals and an example. */
export function apiPage(): string {
  return page(
    'API',
    'Bodies are JSON; fields may also be sent as query parameters where the method usually has no body (GET, ' +
      'DELETE). `image` fields are base64 of a JPEG or PNG; a data URL, base64url and line breaks are accepted. ' +
      'Numbers and booleans may be given as text; unknown fields are ignored. Every answer carries `status` and ' +
      '`status_message` ([errors.md](errors.md)) and the header `X-Trx-Id`. The same as OpenAPI 3.1: ' +
      '[openapi.json](openapi.json), served at `/openapi.json`.',
    `The commands on this page take this for granted:\n\n${codeBlock('sh', curlSetUp)}`,
    markdownTable(
      ['endpoint', 'what it does'],
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
    ...(fields.length > 0 ? [markdownTable(['field', 'type', 'required', 'meaning'], fields)] : []),
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
