import { browserUrl, type Environment, loadConfig, urlOf } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import type { Answer } from './operator-calls.ts';
import { dayOf, printList, type Terminal } from './terminal.ts';

/** What a command has done. */
interface Printed {
  /** Of the command. */
  readonly name: string;
  readonly answer: Answer;
  /** What was sent, and the client that it was for. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
  /** Where settings are read from. */
  readonly env: Environment | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the table of endpoints says what a row has
type Row = any;

/** A list that is printed as a table. */
interface List {
  /** Field of the answer. */
  readonly list: string;
  /** Cells by heading: fields of a row, or what is made of it. */
  readonly columns: Readonly<Record<string, string | ((row: Row) => string)>>;
  /** In place of an empty table; a text as `fill` takes it. */
  readonly empty: string;
}

type Print = (answer: Row, fields: Row, terminal: Terminal, env: Environment | undefined) => unknown;

/**
 * Prints an answer: a list as a table, what a command says of its own, else every field; with `--json` the answer, or
 * the list of it, as it is.
 */
export async function printAnswer(printed: Printed, json: boolean): Promise<void> {
  const { name, answer, fields, terminal, env } = printed;
  const shown = withoutStatus(answer);
  const output = outputs[name];
  const isList = typeof output === 'object';
  if (json) {
    const rows = shown['each'] ?? (isList ? shown[output.list] : shown);
    terminal.out(JSON.stringify(rows, null, isList ? undefined : 2));
  } else if (isList) {
    const columns = Object.entries(output.columns).map(([heading, cell]) => [
      heading,
      typeof cell === 'string' ? (row: Row) => cellOf(row[cell]) : cell,
    ]);
    const empty = fill(output.empty, fields);
    printList(terminal, shown[output.list], { json, columns: Object.fromEntries(columns), empty });
  } else if (typeof output === 'string') terminal.out(fill(output, { ...fields, ...shown }));
  else if (output) await output(shown, fields, terminal, env);
  else terminal.out(lines(shown['each'] ?? shown).join('\n') || 'Done.');
  const failure = failures[name]?.(shown) ?? null;
  if (failure !== null) throw new OperatorError(failure);
}

/** Why a command fails that has printed its answer; null: it does not. */
const failures: Readonly<Record<string, (answer: Row) => string | null>> = {
  'gallery check': ({ facegalleries }) => {
    const count = facegalleries.filter(({ erased }: Row) => !erased).length;
    return count === 0 ? null : `What is damaged is in ${count} ${count === 1 ? 'gallery' : 'galleries'}.`;
  },
  'webhook test': ({ delivered, error }) => (delivered ? null : `Not delivered: ${error}`),
};

/** The fields of an answer besides those of the envelope. */
export function withoutStatus({ status: _, status_message: __, ...fields }: Answer): Answer {
  return fields;
}

/**
 * Fills the braces of a text: `{a|b|nobody}` is the first of the fields that is given, else the last word as it is;
 * `{a?yes:no}` says whether a field is true.
 */
export function fill(text: string, fields: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{([^}]*)\}/g, (_, inside: string) => {
    const [, field, whenTrue, whenFalse] = /^(\w+)\?(.*):(.*)$/.exec(inside) ?? [];
    if (field !== undefined) return (fields[field] ? whenTrue : whenFalse)!;
    const names = inside.split('|');
    const found = names.map((name) => fields[name]).find((value) => value !== undefined && value !== null);
    if (found === undefined) return names.at(-1)!;
    return Array.isArray(found) ? found.join(', ') : String(found);
  });
}

/** A value in a cell; of a time the day. */
function cellOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(' ');
  const text = String(value ?? '');
  return /^\d{4}-\d\d-\d\dT/.test(text) ? dayOf(text) : text;
}

/** Fields under each other, the parts of an object or a list indented. */
function lines(value: unknown, indent = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) =>
      typeof one === 'object' && one !== null
        ? lines(one, `${indent}  `).map((line, at) => (at === 0 ? `${indent}- ${line.trimStart()}` : line))
        : [`${indent}- ${one}`],
    );
  }
  return Object.entries(value as object).flatMap(([name, one]) => {
    const isPart = typeof one === 'object' && one !== null && Object.keys(one).length > 0;
    if (isPart) return [`${indent}${name}:`, ...lines(one, `${indent}  `)];
    return [`${indent}${name}: ${typeof one === 'object' ? (one === null ? 'none' : '–') : one}`];
  });
}

const unlimited = 2_147_483_647;
const limit = (amount: number) => ([-1, unlimited].includes(amount) ? 'unlimited' : String(amount));
const use =
  (name: string) =>
  ({ limits, used }: Row) =>
    `${used[name]} of ${limit(limits[name])}`;
const printReceipt = ({ receipt }: Row, { out, note }: Terminal) => {
  if (receipt) out(`Receipt: record ${receipt.number}, ${receipt.at}, ${receipt.hash}`);
  else note('No audit record could be written: there is no receipt.');
};
const quotas = { n_api_hits: 'hits', n_face: 'faces', n_facegallery: 'galleries' } as const;
const required = (field: string) => (row: Row) => (row[field] ? 'required' : 'optional');

/** Columns that have the names of their fields. */
const named = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, field]));

/** What commands print that do not print every field; a text as `fill` takes it. */
const outputs: Readonly<Record<string, string | List | Print>> = {
  'client list': {
    list: 'clients',
    columns: {
      ...named('client_id', 'registered'),
      faces: use('n_face'),
      galleries: use('n_facegallery'),
      hits: use('n_api_hits'),
      created: 'created_at',
    },
    empty: 'There are no clients yet: wajah client create <client_id>',
  },
  'client create': ({ expires_in, ...secrets }, _, { out, note }) => {
    for (const name of ['client_id', 'password', 'access_token']) out(`${name.padEnd(12)}  ${secrets[name]}`);
    note(`The access token expires in ${expires_in} seconds. Neither is shown again: keep the password.`);
  },
  'client set-quota': (_, fields, { out }) => {
    const changed = Object.entries(quotas).filter(([field]) => fields[field] !== undefined);
    const text = changed.map(([field, name]) => `${name} ${limit(fields[field])}`).join(', ');
    out(`Quota of ${fields.client_id}: ${text}.`);
  },
  'client set-operator': '{client_id} is {operator?an:no} operator.',
  'client reset-password': ({ password }, { client_id, keep_tokens }, { out, note }) => {
    if (password !== '') out(password);
    const shown = password === '' ? '' : ', which is not shown again';
    note(
      `${client_id} has a new password${shown}. Its tokens ${keep_tokens ? 'stay valid' : 'are revoked'}.`,
    );
  },
  'client sign-in-link': async ({ path }, _, { out }, env) => {
    const config = loadConfig(env);
    const { readOwner } = await import('../store/data-directory.ts');
    const { publicUrl = null, url = urlOf(config) } = readOwner(config.dataDir) ?? {};
    out(`${browserUrl({ publicUrl: config.publicUrl ?? publicUrl }, url)}${path}`);
  },
  'client delete': ({ n_facegallery, n_face, ...answer }, { client_id }, terminal) => {
    terminal.out(`Erased ${client_id}: ${n_facegallery} galleries, ${n_face} faces.`);
    printReceipt(answer, terminal);
  },
  'gallery list': {
    list: 'facegalleries',
    columns: {
      facegallery_id: 'facegallery_id',
      faces: 'n_face',
      threshold: ({ threshold }) => cellOf(threshold ?? "the server's"),
      curve: ({ calibrated_by }) => (calibrated_by === 'gallery' ? 'its own' : "the server's"),
      liveness: required('require_liveness'),
      consent: required('require_consent'),
      retention: ({ retention_days: days }) => (days === null ? '' : `${days} days`),
      pack: ({ pack, embedder }) => (pack === null ? '' : `${pack} (${embedder})`),
      created: 'created_at',
    },
    empty: '{client_id} has no galleries.',
  },
  'gallery set-threshold': 'Threshold of {facegallery_id} of {client_id}: {threshold|that of the server}.',
  'gallery set-liveness':
    'Liveness for {facegallery_id} of {client_id}: {require_liveness?required:optional}.',
  'gallery set-consent': 'Consent in {facegallery_id} of {client_id}: {require_consent?required:optional}.',
  'gallery set-retention': ({ retention_days: days }, { client_id, facegallery_id }, { out }) =>
    out(`Retention in ${facegallery_id} of ${client_id}: ${days === null ? 'without end' : `${days} days`}.`),
  'gallery calibration': (answer, { client_id, facegallery_id }, { out }) => {
    const { cohort_mode: mode, cohort_version: version, cohort_people: people } = answer;
    const statistics = people === 0 ? 'no statistics' : `statistics of ${people} people, version ${version}`;
    out(`Calibration of ${facegallery_id} of ${client_id}: ${mode}, ${statistics}.`);
  },
  'gallery check': ({ facegalleries }, _, { out }) => {
    if (facegalleries.length === 0) out('Everything opens: no template and no face crop is damaged.');
    for (const gallery of facegalleries) for (const line of damageLines(gallery)) out(line);
  },
  'person suspend': 'Suspended {user_id} of {client_id} in {facegallery_ids}.',
  'person resume': 'Resumed {user_id} of {client_id} in {facegallery_ids}.',
  'person update': ({ consent, expires_at: end }, { client_id, facegallery_id, user_id }, { out }) => {
    const reference = consent ? `consent ${consent.reference}` : 'no consent';
    const kept = end ? `erased on ${dayOf(end)}` : 'kept without end';
    out(`${user_id} in ${facegallery_id} of ${client_id}: ${reference}, ${kept}.`);
  },
  'person expiring': {
    list: 'people',
    columns: { erased: 'expires_at', ...named('client_id', 'facegallery_id', 'user_id', 'user_name') },
    empty: 'Nobody is erased within {days|30} days.',
  },
  'person erase': ({ facegallery_ids: ids, receipt, ...counts }, { client_id, user_id }, terminal) => {
    const also = Object.entries(counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`);
    terminal.out(`Erased ${user_id} of ${client_id}: ${ids.length} galleries, ${also.join(', ')}.`);
    printReceipt({ receipt }, terminal);
  },
  'token create': ({ token, token_id }, _, { out, note }) => {
    out(token);
    note(`Its id is ${token_id}. It is not shown again.`);
  },
  'token list': {
    list: 'tokens',
    columns: {
      id: 'token_id',
      ...named('name', 'scopes'),
      for: ({ compreface: service, facegallery_id: gallery }) =>
        service ? `CompreFace ${service}${gallery ? ` of ${gallery}` : ''}` : '',
      created: 'created_at',
      expires: ({ expires_at }) => cellOf(expires_at ?? 'never'),
      revoked: 'revoked_at',
    },
    empty: '{client_id} has no API tokens.',
  },
  'token revoke': 'Revoked.',
  'webhook create': ({ webhook_id, secret }, _, { out, note }, env) => {
    out(secret);
    note(`The webhook is ${webhook_id}. The secret is not shown again.`);
    if (!loadConfig(env).webhooks.on)
      note('A server with these settings sends none: set WAJAH_WEBHOOKS=true.');
  },
  'webhook list': {
    list: 'webhooks',
    columns: {
      id: 'webhook_id',
      url: 'url',
      types: ({ types }) => cellOf(types ?? 'all'),
      state: ({ enabled, disabled_reason: reason }) =>
        enabled ? 'enabled' : `disabled ${reason ?? ''}`.trim(),
      dropped: 'dropped',
      created: 'created_at',
    },
    empty: '{client_id} has no webhooks.',
  },
  'webhook rotate': ({ secret, former_until }, _, { out, note }) => {
    out(secret);
    note(`The former secret signs too until ${former_until}.`);
  },
  'webhook delete': 'Deleted.',
  'webhook test': ({ delivered }, _, { out }) => {
    if (delivered) out('Delivered.');
  },
  'webhook deliveries': {
    list: 'deliveries',
    columns: {
      id: 'event_id',
      ...named('type', 'state'),
      failures: 'attempts',
      created: ({ created_at }) => created_at,
      error: 'error',
    },
    empty: 'There are none.',
  },
  'keys rotate': ({ kid, former_until }, { at_once }, { out }) => {
    out(`New tokens are signed with the key ${kid}.`);
    out(
      at_once
        ? 'Earlier tokens are refused; clients request new ones.'
        : `Tokens of the former key stay valid until they expire, at the latest at ${former_until}.`,
    );
  },
  'crops erase': 'Erased {n_crop} face crops of {n_facegallery} galleries.',
  'audit list': {
    list: 'records',
    columns: {
      number: 'number',
      time: ({ time }) => `${time.slice(0, 19)}Z`,
      ...named('event', 'client_id', 'trx_id'),
      facts: ({ facts }) =>
        Object.entries(facts)
          .map(([name, value]) => `${name}=${value}`)
          .join(' '),
    },
    empty: 'No record meets these conditions.',
  },
};

function damageLines({ client_id, facegallery_id, n_face, key, templates, crops, ...erasure }: Row) {
  const where = `${facegallery_id} of ${client_id}`;
  if (key) {
    return [
      `${where}: its key is damaged, so nothing of its ${n_face} people opens; restore a backup, or delete the gallery and enrol them again.`,
    ];
  }
  const { erased, receipt } = erasure;
  return [
    ...templates.map((userId: string) => `${where}: the template of ${userId} is damaged.`),
    ...crops.map(({ name }: Row) => `${where}: a face crop of ${name} is damaged.`),
    !erased
      ? 'Enrol them again with replace, or erase them: wajah gallery check --erase.'
      : receipt
        ? `Erased. Receipt: record ${receipt.number} of the audit trail, ${receipt.hash}.`
        : 'Erased. No audit record could be written: there is no receipt.',
  ];
}
