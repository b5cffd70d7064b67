import type { OwnEndpoint } from '@wajah/contract';
import { z } from 'zod';
import { browserUrl, type Environment, loadConfig, urlOf } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { features } from '../features/features.ts';
import type { Answer } from './operator-calls.ts';
import { type Outputs, pairsOf, textOf } from './output.ts';
import { type Terminal, table } from './terminal.ts';

/** What a command has done. */
interface Printed {
  readonly endpoint: OwnEndpoint;
  /** Of the command. */
  readonly name: string;
  readonly answer: Answer;
  /** What was sent, and the client that it was for. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
  /** Where settings are read from. */
  readonly env: Environment | undefined;
}

/**
 * Prints an answer: a list as a table, else every field below those that were sent; with `--json` the answer, or the list
 * of it, as it is.
 */
export async function printAnswer(printed: Printed, json: boolean): Promise<void> {
  const { endpoint, name, terminal, env } = printed;
  const answer = withoutStatus(printed.answer);
  const { note, failure } = outputs[name] ?? {};
  const list = listOf(endpoint);
  if (json) {
    const shown = answer['each'] ?? (list ? answer[list.name] : answer);
    terminal.out(JSON.stringify(shown, null, list ? undefined : 2));
  } else {
    if (list) printList(printed, answer[list.name], list);
    else await printFields(printed, answer);
    const text = note?.({ ...printed.fields, ...answer }, env);
    if (text !== undefined) terminal.note(text);
  }
  const reason = failure?.(answer) ?? null;
  if (reason !== null) throw new OperatorError(reason);
}

interface List {
  /** Field of the answer. */
  readonly name: string;
  /** Of its rows. */
  readonly fields: readonly string[];
}

/** Schemas of the fields of an answer, besides those of the envelope. */
const shapeOf = ({ answer }: OwnEndpoint): z.ZodRawShape => withoutStatus((answer as z.ZodObject).shape);

/** The list that an answer is; undefined: it has none, or others besides. */
function listOf(endpoint: OwnEndpoint): List | undefined {
  const [list, other] = Object.entries(shapeOf(endpoint)).filter(
    ([, schema]) => schema instanceof z.ZodArray,
  );
  if (list === undefined || other !== undefined) return undefined;
  const { element } = list[1] as z.ZodArray;
  return element instanceof z.ZodObject ? { name: list[0], fields: Object.keys(element.shape) } : undefined;
}

function printList({ name, fields, terminal }: Printed, rows: readonly Answer[], list: List): void {
  const { empty = `${list.name}: none`, nulls, columns = list.fields } = outputs[name] ?? {};
  const there = columns.filter((field) => rows.some((row) => row[field] !== undefined));
  const cells = rows.map((row) => there.map((field) => textOf(row[field], nulls?.[field])));
  if (rows.length === 0) terminal.note(fill(empty, fields));
  else terminal.out(table(there, cells));
}

async function printFields(
  { endpoint, name, fields, terminal, env }: Printed,
  answer: Answer,
): Promise<void> {
  const { secret = '', text, nulls } = outputs[name] ?? {};
  if (text) return terminal.out(await text(answer, env));
  if (answer.each) return terminal.out(pairsOf(answer.each).join('\n'));
  const all = Object.keys(shapeOf(endpoint)).map((field) => [field, answer[field] ?? null]);
  const { [secret]: shown, ...others } = { ...fields, ...Object.fromEntries(all) };
  const pairs = pairsOf(others, nulls).join('\n');
  // One that was given is not repeated.
  if (shown) terminal.out(shown);
  if (secret) terminal.note(shown ? `${pairs}\nThe ${secret} is not shown again.` : pairs);
  else if (pairs) terminal.out(pairs);
  if (all.length === 0) terminal.note('Done.');
}

/** The fields of an answer besides those of the envelope. */
export function withoutStatus({ status: _, status_message: __, ...fields }: Answer): Answer {
  return fields;
}

/** Fills the braces of a text: `{a|b|nobody}` is the first of the fields that is given, else the last word as it is. */
export function fill(text: string, fields: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{([^}]*)\}/g, (_, inside: string) => {
    const names = inside.split('|');
    const found = names.map((name) => fields[name]).find((value) => value !== undefined && value !== null);
    if (found === undefined) return names.at(-1)!;
    return Array.isArray(found) ? found.join(', ') : String(found);
  });
}

const enrolAgain = 'enrol these people again with replace, or erase them: wajah gallery check --erase';
const damagedKey = 'where the key is damaged, restore a backup, or delete the gallery and enrol all again';

/** What commands print besides or instead of the fields of their answers. */
const outputs: Outputs = {
  'client list': {
    columns: ['client_id', 'registered', 'used', 'limits', 'created_at'],
    empty: 'There are no clients yet: wajah client create <client_id>',
  },
  'client create': { note: () => 'Neither password nor token is shown again: keep the password.' },
  'client reset-password': {
    secret: 'password',
    note: ({ keep_tokens }) => `Tokens of the client ${keep_tokens ? 'stay valid' : 'are revoked'}.`,
  },
  'client sign-in-link': {
    text: async ({ path }, env) => {
      const config = loadConfig(env);
      const { readOwner } = await import('../store/data-directory.ts');
      const { publicUrl = null, url = urlOf(config) } = readOwner(config.dataDir) ?? {};
      return `${browserUrl({ publicUrl: config.publicUrl ?? publicUrl }, url)}${path}`;
    },
  },
  'gallery list': {
    columns: [
      ...['facegallery_id', 'n_face', 'threshold', 'calibrated_by', 'require_liveness', 'require_consent'],
      ...['retention_days', 'pack', 'embedder', 'created_at'],
    ],
    nulls: { threshold: "the server's" },
  },
  'gallery check': {
    note: ({ facegalleries, rows }) =>
      facegalleries.length + rows.length === 0
        ? 'Everything opens: no template and no face crop is damaged.'
        : undefined,
    failure: ({ facegalleries, rows }) => {
      const count = facegalleries.filter(({ erased }: Answer) => !erased).length;
      const where = `What is damaged is in ${count} ${count === 1 ? 'gallery' : 'galleries'}`;
      if (count > 0) return `${where}: ${enrolAgain}; ${damagedKey}.`;
      return rows.length === 0
        ? null
        : `Rows that cannot be read: ${rows.length}; put them right, or restore a backup.`;
    },
  },
  'person expiring': { empty: 'Nobody is erased within {days|30} days.' },
  'token create': { secret: 'token', nulls: { expires_at: 'never' } },
  'token list': { nulls: { expires_at: 'never' } },
  ...Object.assign({}, ...features.map(({ commands }) => commands?.outputs)),
};
