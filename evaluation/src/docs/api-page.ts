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
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly contentEncoding?: string;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** Subjects: a page each, with its title and the tags of its endpoints. */
const subjects: Readonly<Record<string, readonly [title: string, ...tags: Endpoint['tag'][]]>> = {
  tokens: ['Tokens', 'oauth'],
  galleries: ['Galleries', 'facegallery'],
  faces: ['Faces', 'face', 'compare'],
  liveness: ['Liveness', 'liveness'],
  people: ['People', 'person'],
  clients: ['Clients, activity and webhooks', 'client'],
  server: ['Server', 'system'],
};

/** Refusals that nearly every endpoint has; the overview names them. */
const general = new Set(['400', '401', '403', '429', '500', '503']);

/** docs/api.md and a page below docs/api for each subject: text by path. */
export function apiPages(): [path: string, text: string][] {
  const pages = Object.entries(subjects).map(([name, [title, ...tags]]) => {
    return { name, title, own: endpointList.filter(({ tag }) => tags.includes(tag)) };
  });
  return [
    ['docs/api.md', overview(pages)],
    ...pages.map(({ name, title, own }): [string, string] => {
      const lead = '[What holds for all endpoints](../api.md), with the variables that the commands use.';
      return [`docs/api/${name}.md`, page(`API: ${title.toLowerCase()}`, lead, ...own.map(section))];
    }),
  ];
}

interface SubjectPage {
  readonly name: string;
  readonly title: string;
  readonly own: readonly Endpoint[];
}

function overview(pages: readonly SubjectPage[]): string {
  return page(
    'API',
    'What holds for all endpoints. Types and limits of every field are in [openapi.json](openapi.json), which the server ' +
      'shows at `/docs` and returns at `/openapi.json`; for generators that do not know OpenAPI 3.1 a release ' +
      'has `openapi-3.0.json`; as a collection of Postman: [postman.json](postman.json). ' +
      '[Programs](programs.md) shows whole programs.',
    markdownTable(
      ['subject', 'endpoints'],
      pages.map(({ name, title, own }) => [
        `[${title}](api/${name}.md)`,
        own
          .map(({ id, path }) => `[${path.split('/').pop()}](api/${name}.md#${String(id).toLowerCase()})`)
          .join(', '),
      ]),
    ),
    [
      '- **Bodies** are JSON. For GET and DELETE the fields may also be query parameters.',
      '- **Forms**: endpoints that take pictures also read `multipart/form-data`, with the same names, limits and errors. A picture is a file; every other field is a text. A part of a list or object is named `frames[0].image` or `frames[0][image]`; objects, lists and their entries may also be JSON. A field is sent once, only lists are repeated.',
      '- **Pictures** (`image` and `…_image`) are base64 of a JPEG or PNG. A data URL, base64url and line breaks are accepted.',
      '- **Numbers and booleans** may be sent as text. Unknown fields are ignored.',
      '- **Access**: an access token, in the header `Accesstoken` or as `Authorization: Bearer`, unless the endpoint says otherwise.',
      '- **Answers** have `status` and `status_message` ([errors.md](errors.md)) and the header `X-Trx-Id`. Every endpoint may refuse with 400, 401, 403, 429, 500 or 503; others are named with it.',
      '- **Extension** marks fields that are not in the specification of the API.',
    ].join('\n'),
    `The commands use these variables and this function:\n\n${codeBlock('sh', curlSetUp)}`,
    `A picture as a file of a form:\n\n${codeBlock('sh', curlForm)}`,
    '## Common fields',
    Array.from(commonFields, ([name, field]) => fieldLine(name, field, false)).join('\n'),
  );
}

const access: Readonly<Record<Endpoint['auth'], string>> = {
  token: '',
  credentials: " Requires the client's credentials, in the body or as HTTP Basic.",
  none: ' Requires no authentication.',
};

function section(one: Endpoint): string {
  const schema = schemaOf(one);
  const lines = fieldLines(schema, '');
  const refusals = refusalsOf(one).map((name) => statuses[name].status);
  const own = refusals.filter((status) => !general.has(status));
  return [
    `## ${one.id}`,
    `\`${one.methods.join('` or `')}\` \`${one.path}\``,
    `${one.summary}${access[one.auth]}`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    codeBlock('sh', curlOf(one)),
    ...(one.path === '/openapi.json' ? [] : [`Answer:\n\n${json(one.example.answer)}`]),
    ...(own.length > 0 ? [`Refusals: ${[...new Set(own)].sort().join(', ')}.`] : []),
  ].join('\n\n');
}

function schemaOf(one: Endpoint): FieldSchema {
  return z.toJSONSchema(one.request, { io: 'input', unrepresentable: 'any' }) as FieldSchema;
}

/** Fields that three endpoints or more describe in the same words; of one name the most frequent description. */
const commonFields = new Map<string, FieldSchema>();
const timesDescribed = new Map<string, number>();
for (const one of endpointList) {
  for (const [name, field] of Object.entries(schemaOf(one).properties ?? {})) {
    const times = timesDescribed.get(`${name} ${field.description}`) ?? 0;
    timesDescribed.set(`${name} ${field.description}`, times + 1);
    const most = timesDescribed.get(`${name} ${commonFields.get(name)?.description}`) ?? 2;
    if (times + 1 > most) commonFields.set(name, field);
  }
}

function isCommon(name: string, field: FieldSchema): boolean {
  return commonFields.get(name)?.description === field.description;
}

/** A line for each field, and one that names the common ones; `trx_id` is only on the overview. */
function fieldLines({ properties = {}, required = [] }: FieldSchema, parent: string): string[] {
  const fields = Object.entries(properties).filter(([name]) => parent !== '' || name !== 'trx_id');
  const shared = fields.filter(([name, field]) => isCommon(name, field));
  const names = shared.map(([name]) => `\`${parent}${name}\`${required.includes(name) ? ' (required)' : ''}`);
  const own = fields
    .filter(([name, field]) => !isCommon(name, field))
    .flatMap(([name, field]) => {
      const nested = field.properties ? field : field.items;
      const path = `${parent}${name}`;
      const inner = nested?.properties ? fieldLines(nested, `${path}${field.items ? '[]' : ''}.`) : [];
      return [fieldLine(path, field, required.includes(name)), ...inner];
    });
  const line = `- ${names.join(', ')}: [common fields](../api.md#common-fields)`;
  return names.length > 0 ? [line, ...own] : own;
}

function fieldLine(path: string, field: FieldSchema, isRequired: boolean): string {
  const facts = [isRequired ? 'required' : '', typeText(field)].filter((fact) => fact !== '');
  const about = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  return `- \`${path}\`${about}: ${(field.description ?? '').replaceAll('\n', ' ')}`;
}

/** What a reader needs of the type; a plain text has none. */
function typeText(field: FieldSchema): string {
  if (field.const !== undefined) return `\`${String(field.const)}\``;
  if (field.enum) return field.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (field.anyOf)
    return field.anyOf
      .map(typeText)
      .filter((text) => text !== '')
      .join(' or ');
  if (field.contentEncoding === 'base64') return 'picture';
  const size = field.type === 'array' ? `at most ${field.maxItems ?? 'any'}` : '';
  const range = field.minimum === undefined ? '' : `${field.minimum}…${field.maximum ?? ''}`;
  const byDefault = field.default === undefined ? '' : `default ${String(field.default)}`;
  const kind = field.type === 'string' || field.type === 'array' ? '' : (field.type ?? '');
  return [kind, size, range, byDefault].filter((fact) => fact !== '').join(', ');
}

function json(value: unknown): string {
  return codeBlock('json', JSON.stringify(value, null, 2));
}
