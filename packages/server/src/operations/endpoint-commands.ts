import {
  type Command as CommandColumn,
  type Confirmation,
  commandEndpoints,
  endpoints,
  type OwnEndpoint,
  operatorEndpoint,
  phraseOf,
} from '@wajah/contract';
import { refusalSentence, wordsOf } from '@wajah/contract/refusals';
import { z } from 'zod';
import { CallRefused, OperatorError } from '../errors.ts';
import { requirePrivateFile } from '../security/keys/private-file.ts';
import {
  argument,
  type Command,
  type CommandDeps,
  confirmed,
  flag,
  json,
  type Parameter,
  yes,
} from './command.ts';
import { fill, printAnswer, withoutStatus } from './endpoint-output.ts';
import type { Answer, CallEndpoint } from './operator-calls.ts';
import { callForPeople, peopleFile } from './people-file.ts';
import { type Terminal, writeNew } from './terminal.ts';

/** A command as its endpoint declares it. */
interface Declared {
  readonly endpoint: OwnEndpoint;
  readonly column: CommandColumn;
  /** `client create` */
  readonly name: string;
  /** Fields that are arguments, in their order. */
  readonly placed: readonly string[];
  /** Names of the options by field, with the name of their value. */
  readonly options: Readonly<Record<string, string>>;
}

type Given = Readonly<Record<string, unknown>>;
type Fields = Record<string, unknown>;

/** The commands that call an endpoint, in the order of the table. */
export const endpointCommands: readonly Command[] = commandEndpoints.flatMap((row) => {
  const endpoint = operatorEndpoint(row);
  const columns = [endpoint.command ?? []].flat() as readonly (string | CommandColumn)[];
  return columns.map((column) =>
    commandOf(endpoint, typeof column === 'string' ? { usage: column } : column),
  );
});

function commandOf(endpoint: OwnEndpoint, column: CommandColumn): Command {
  const words = column.usage.split(' ');
  const placed = words.filter((word) => word.startsWith('<')).map((word) => word.slice(1, -1));
  const name = words.slice(0, words.length - placed.length).join(' ');
  const others = Object.keys(endpoint.request.shape).filter(
    (field) => ![...placed, 'trx_id'].includes(field),
  );
  const named = () =>
    Object.fromEntries(others.map((field) => [field, `${field.replaceAll('_', '-')} <value>`]));
  const declared = { endpoint, column, name, placed, options: column.options ?? named() };
  const about = column.about ?? endpoint.summary;
  return {
    name,
    about: `${about.slice(0, 1).toLowerCase()}${about.slice(1).replace(/\.$/, '')}`,
    arguments: Object.fromEntries(placed.map((field) => [field, argumentOf(declared, field)])),
    options: {
      ...Object.fromEntries(Object.keys(declared.options).map((field) => [field, optionOf(declared, field)])),
      ...(column.file && { file: peopleFile }),
      ...(column.confirm && { yes }),
      json,
      ...(column.out && {
        out: { flags: '--out <file>', about: 'write JSON into a new file that only this user can read' },
      }),
    },
    action: (deps, given: Given) =>
      deps.callAsOperator((call) =>
        given['file'] === undefined
          ? run(declared, given, call, deps)
          : runForFile(declared, given, call, deps),
      ),
  };
}

/** The schema of a field; `client_id` may be whom the call is made for. */
function schemaOf({ endpoint }: Declared, field: string): z.ZodType {
  return (
    (endpoint.request.shape[field] as z.ZodType | undefined) ??
    z.string().meta({ description: 'whom the call is made for' })
  );
}

interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly default?: unknown;
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
}

/** What help says of a field, with its words, in the names of the command line. */
function aboutOf(declared: Declared, field: string): string {
  const schema = schemaOf(declared, field);
  const words = jsonSchemaOf(schema).enum ?? jsonSchemaOf(schema).items?.enum;
  const said = (schema.meta()?.description ?? '').replace(/^Extension: /, '').replace(/\.$/, '');
  const text = takesNull(schema) ? said.replace(/\bnull\b/, 'none') : said;
  const named = text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => nameOf(declared, word));
  return words ? `${named}; of ${words.join(', ')}` : named;
}

function takesNull(schema: z.ZodType): boolean {
  return schema.safeParse(null).data === null;
}

function argumentOf(declared: Declared, field: string): Parameter<unknown> {
  const schema = schemaOf(declared, field);
  const isFlag = jsonSchemaOf(schema).type === 'boolean';
  const words = declared.column.words ?? (['yes', 'no'] as const);
  const isOptional = declared.column.file?.field === field;
  const name = isOptional ? `[${field}]` : `<${field}>`;
  if (!isFlag) return argument(name, aboutOf(declared, field), parserOf(schema));
  const parse = (given: string) => {
    if (words.includes(given)) return given === words[0];
    throw new OperatorError(`Allowed: ${words.join(' or ')}.`);
  };
  return argument(`<${words.join('|')}>`, aboutOf(declared, field), parse);
}

function optionOf(declared: Declared, field: string): Parameter<unknown> {
  const schema = schemaOf(declared, field);
  const text = declared.options[field]!;
  const about = aboutOf(declared, field);
  if (jsonSchemaOf(schema).type === 'boolean') return flag(`--${text.split(' ')[0]}`, about);
  const readsFile = isRead(declared, field);
  return { flags: `--${text}`, about, parse: readsFile ? undefined : parserOf(schema) };
}

/** What is allowed is said by the schema of the field. `none` is null where a field may be. */
function parserOf(schema: z.ZodType): (given: string) => unknown {
  const isTime = jsonSchemaOf(schema).format === 'date-time';
  const isNullable = takesNull(schema);
  return (given) => {
    const parsed = schema.safeParse(
      isNullable && given === 'none' ? null : isTime ? asInstant(given) : given,
    );
    if (parsed.success && (parsed.data !== undefined || given.trim() !== '')) return parsed.data;
    const { error = schema.safeParse({}).error } = parsed;
    const problem = wordsOf(phraseOf(error?.issues[0]?.message ?? ''));
    const others = `${isTime ? ', or a day such as 2026-01-31 (from its beginning in UTC)' : ''}${isNullable ? ', or none' : ''}`;
    throw new OperatorError(`Allowed: ${problem}${others}.`);
  };
}

/** A day is its beginning in UTC; the schema of the field judges both. */
function asInstant(given: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given}T00:00:00Z` : given;
}

/** A password is read from a file, or where it is `-` from the standard input. */
function isRead({ options }: Declared, field: string): boolean {
  return field === 'password' && options[field] !== undefined;
}

async function run(
  declared: Declared,
  given: Given,
  call: CallEndpoint,
  { terminal, env }: Pick<CommandDeps, 'terminal' | 'env'>,
): Promise<void> {
  const { endpoint, column } = declared;
  const absent = column.file && given[column.file.field] === undefined;
  if (absent) throw new OperatorError(`<${column.file.field}> is missing (or --file)`);
  const fields = await fieldsOf(declared, given, terminal);
  await confirm(column.confirm, fields, given['yes'] === true, terminal);
  // Where it is no field of the request, it is whom the call is made for.
  const isField = 'client_id' in endpoint.request.shape;
  const { client_id: named, ...others } = fields;
  const clientId = isField ? undefined : (named as string | undefined);
  const body = isField ? fields : others;
  const make = column.each === 'client' ? callForEach : callWhole;
  const answer = await make(declared, body, call, clientId).catch((error: unknown) => {
    throw withOptions(error, declared);
  });
  const printed = { endpoint, name: declared.name, answer, fields, terminal, env };
  const file = given['out'];
  if (typeof file !== 'string') return printAnswer(printed, given['json'] === true);
  await writeNew(file, `${JSON.stringify(withoutStatus(answer), null, 2)}\n`);
  terminal.out(`Wrote ${file}.`);
}

function runForFile(
  { endpoint, column, placed }: Declared,
  given: Given,
  call: CallEndpoint,
  deps: Pick<CommandDeps, 'terminal' | 'library'>,
): Promise<void> {
  const { field, question } = column.file!;
  if (given[field] !== undefined)
    throw new OperatorError(`--file is not used with <${field}>: it names the people`);
  return callForPeople(call, deps, {
    endpoint,
    question,
    file: String(given['file']),
    clientId: String(given[placed[0]!]),
    agreed: given['yes'] === true,
    json: given['json'] === true,
  });
}

async function fieldsOf(
  { column, placed, options }: Declared,
  given: Given,
  terminal: Terminal,
): Promise<Fields> {
  const fields: Fields = { ...column.defaults };
  for (const field of [...placed, ...Object.keys(options)]) {
    const value = given[field];
    if (value === undefined || value === false) continue;
    fields[field] = field === 'password' ? await readSecret(options[field]!, String(value), terminal) : value;
  }
  // A flag that is an argument may be false.
  for (const field of placed) if (given[field] === false) fields[field] = false;
  return fields;
}

/** Blanks are part of a password. */
async function readSecret(option: string, given: string, terminal: Terminal): Promise<string> {
  if (given === '-') return terminal.readLine();
  return option.includes('<file>') ? requirePrivateFile(given).split(/\r?\n/, 1)[0]! : given;
}

async function confirm(
  confirmation: Confirmation | undefined,
  fields: Fields,
  agreed: boolean,
  terminal: Terminal,
): Promise<void> {
  if (!confirmation) return;
  const { question, when, sets } = confirmation;
  if (when !== undefined && (fields[when] ?? false) === false) return;
  const refusal = 'Nothing was changed. Answer y, or pass --yes where no one can answer.';
  await confirmed(terminal, agreed, fill(question, fields), refusal);
  if (sets !== undefined) fields[sets] = true;
}

/** All pages of a list. */
async function callWhole(
  { endpoint, column: { follow } }: Declared,
  fields: Fields,
  call: CallEndpoint,
  clientId: string | undefined,
): Promise<Answer> {
  const answer = await call(endpoint, fields, clientId);
  if (follow === undefined) return answer;
  const list = Object.keys(answer).find((name) => Array.isArray(answer[name]))!;
  let next = answer[`next_${follow}`];
  while (next !== undefined && next !== null) {
    const page = await call(endpoint, { ...fields, [follow]: next }, clientId);
    answer[list].push(...page[list]);
    next = page[`next_${follow}`];
  }
  return answer;
}

/** Once for each client, or for the one that is named. */
async function callForEach(
  { endpoint }: Declared,
  fields: Fields,
  call: CallEndpoint,
  clientId: string | undefined,
): Promise<Answer> {
  if (clientId !== undefined) return { each: [withoutStatus(await call(endpoint, fields, clientId))] };
  const each: Answer[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page: Answer = await call(endpoints.listClients, after === undefined ? {} : { after });
    for (const { client_id: one } of page.clients)
      each.push(withoutStatus(await call(endpoint, fields, one)));
    after = page.next_after;
  }
  return { each };
}

/** A refusal names fields; the operator has given options. */
function withOptions(error: unknown, declared: Declared): unknown {
  if (!(error instanceof CallRefused)) return error;
  const { code, params, message } = error;
  const reader = { nameOf: (field: string) => nameOf(declared, field) };
  return new OperatorError(refusalSentence({ error: code, params }, reader) ?? message, { cause: error });
}

/** The option of a field, or the field where it has none. */
function nameOf({ options }: Declared, field: string): string {
  const option = options[field];
  return option === undefined ? field : `--${option.split(' ')[0]}`;
}
