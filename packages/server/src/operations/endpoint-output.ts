import { type Environment, loadConfig, urlOf } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import type { Answer } from './operator-calls.ts';
import { type Columns, dayOf, printList, type Terminal } from './terminal.ts';

/** What a command has done. */
export interface Printed {
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
  readonly columns: Columns<Row>;
  /** In place of an empty table. */
  readonly empty: (fields: Row) => string;
}

type Print = (
  answer: Row,
  fields: Row,
  terminal: Terminal,
  env: Environment | undefined,
) => void | Promise<void>;

/**
 * Prints an answer: a list as a table, what a command says of its own, else every field; with `--json` the answer, or
 * the list of it, as it is.
 */
export async function printAnswer(
  { name, answer, fields, terminal, env }: Printed,
  json: boolean,
): Promise<void> {
  const shown = withoutStatus(answer);
  const output = outputs[name];
  const isList = typeof output === 'object';
  if (json) {
    const rows = shown['each'] ?? (isList ? shown[output.list] : shown);
    terminal.out(JSON.stringify(rows, null, isList ? undefined : 2));
  } else if (isList) {
    printList(terminal, shown[output.list], { ...output, json, empty: output.empty(fields) });
  } else if (output) await output(shown, fields, terminal, env);
  else terminal.out(lines(shown['each'] ?? shown).join('\n') || 'Done.');
}

/** The fields of an answer besides those of the envelope. */
export function withoutStatus({ status: _, status_message: __, ...fields }: Answer): Answer {
  return fields;
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
const use = ({ limits, used }: Row, name: string) => `${used[name]} of ${limit(limits[name])}`;
const printReceipt = ({ receipt }: Row, { out, note }: Terminal) => {
  if (receipt) out(`Receipt: record ${receipt.number}, ${receipt.at}, ${receipt.hash}`);
  else note('No audit record could be written: there is no receipt.');
};
const quotas = [
  ['n_api_hits', 'hits'],
  ['n_face', 'faces'],
  ['n_facegallery', 'galleries'],
] as const;

/** What commands print that do not print every field. */
const outputs: Readonly<Record<string, List | Print>> = {
  'client list': {
    list: 'clients',
    columns: {
      client_id: ({ client_id }) => client_id,
      registered: ({ registered }) => (registered ? 'yes' : 'no'),
      faces: (client) => use(client, 'n_face'),
      galleries: (client) => use(client, 'n_facegallery'),
      hits: (client) => use(client, 'n_api_hits'),
      created: ({ created_at }) => dayOf(created_at),
    },
    empty: () => 'There are no clients yet: wajah client create <client_id>',
  },
  'client create': ({ expires_in, ...secrets }, _, { out, note }) => {
    for (const name of ['client_id', 'password', 'access_token']) out(`${name.padEnd(12)}  ${secrets[name]}`);
    note(`The access token expires in ${expires_in} seconds. Neither is shown again: keep the password.`);
  },
  'client set-quota': (_, fields, { out }) => {
    const changed = quotas.filter(([field]) => fields[field] !== undefined);
    const text = changed.map(([field, name]) => `${name} ${limit(fields[field])}`).join(', ');
    out(`Quota of ${fields.client_id}: ${text}.`);
  },
  'client set-operator': (_, { client_id, operator }, { out }) =>
    out(`${client_id} is ${operator ? 'an' : 'no'} operator.`),
  'client reset-password': ({ password }, { client_id, keep_tokens }, { out, note }) => {
    if (password !== '') out(password);
    note(
      `${client_id} has a new password${password === '' ? '' : ', which is not shown again'}. Its tokens ${keep_tokens ? 'stay valid' : 'are revoked'}.`,
    );
  },
  'client sign-in-link': async ({ path }, _, { out }, env) => {
    const config = loadConfig(env);
    const { readOwner } = await import('../store/data-directory.ts');
    out(`${readOwner(config.dataDir)?.url ?? urlOf(config)}${path}`);
  },
  'client delete': ({ n_facegallery, n_face, ...answer }, { client_id }, terminal) => {
    terminal.out(`Erased ${client_id}: ${n_facegallery} galleries, ${n_face} faces.`);
    printReceipt(answer, terminal);
  },
  'gallery list': {
    list: 'facegalleries',
    columns: {
      facegallery_id: ({ facegallery_id }) => facegallery_id,
      faces: ({ n_face }) => String(n_face),
      threshold: ({ threshold }) => (threshold === null ? "the server's" : String(threshold)),
      curve: ({ calibrated_by }) => (calibrated_by === 'gallery' ? 'its own' : "the server's"),
      liveness: ({ require_liveness }) => (require_liveness ? 'required' : 'optional'),
      consent: ({ require_consent }) => (require_consent ? 'required' : 'optional'),
      retention: ({ retention_days }) => (retention_days === null ? '' : `${retention_days} days`),
      pack: ({ pack }) => pack ?? '',
      created: ({ created_at }) => dayOf(created_at),
    },
    empty: ({ client_id }) => `${client_id} has no galleries.`,
  },
  'gallery set-threshold': ({ threshold }, { client_id, facegallery_id }, { out }) =>
    out(`Threshold of ${facegallery_id} of ${client_id}: ${threshold ?? 'that of the server'}.`),
  'gallery set-liveness': ({ require_liveness }, { client_id, facegallery_id }, { out }) =>
    out(`Liveness for ${facegallery_id} of ${client_id}: ${require_liveness ? 'required' : 'optional'}.`),
  'gallery set-consent': ({ require_consent }, { client_id, facegallery_id }, { out }) =>
    out(`Consent in ${facegallery_id} of ${client_id}: ${require_consent ? 'required' : 'optional'}.`),
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
  'person suspend': ({ facegallery_ids }, { client_id, user_id }, { out }) =>
    out(`Suspended ${user_id} of ${client_id} in ${facegallery_ids.join(', ')}.`),
  'person resume': ({ facegallery_ids }, { client_id, user_id }, { out }) =>
    out(`Resumed ${user_id} of ${client_id} in ${facegallery_ids.join(', ')}.`),
  'person update': ({ consent, expires_at }, { client_id, facegallery_id, user_id }, { out }) => {
    const reference = consent ? `consent ${consent.reference}` : 'no consent';
    const end = expires_at ? `erased on ${dayOf(expires_at)}` : 'kept without end';
    out(`${user_id} in ${facegallery_id} of ${client_id}: ${reference}, ${end}.`);
  },
  'person expiring': {
    list: 'people',
    columns: {
      erased: ({ expires_at }) => dayOf(expires_at),
      client_id: ({ client_id }) => client_id,
      facegallery_id: ({ facegallery_id }) => facegallery_id,
      user_id: ({ user_id }) => user_id,
      user_name: ({ user_name }) => user_name,
    },
    empty: ({ days = 30 }) => `Nobody is erased within ${days} days.`,
  },
  'person erase': ({ facegallery_ids, receipt, ...counts }, { client_id, user_id }, terminal) => {
    const also = Object.entries(counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`);
    terminal.out(
      `Erased ${user_id} of ${client_id}: ${facegallery_ids.length} galleries, ${also.join(', ')}.`,
    );
    printReceipt({ receipt }, terminal);
  },
  'token create': ({ token, token_id }, _, { out, note }) => {
    out(token);
    note(`Its id is ${token_id}. It is not shown again.`);
  },
  'token list': {
    list: 'tokens',
    columns: {
      id: ({ token_id }) => token_id,
      name: ({ name }) => name,
      scopes: ({ scopes }) => scopes.join(' '),
      for: ({ compreface: service, facegallery_id }) =>
        service ? `CompreFace ${service}${facegallery_id ? ` of ${facegallery_id}` : ''}` : '',
      created: ({ created_at }) => dayOf(created_at),
      expires: ({ expires_at }) => (expires_at ? dayOf(expires_at) : 'never'),
      revoked: ({ revoked_at }) => (revoked_at ? dayOf(revoked_at) : ''),
    },
    empty: ({ client_id }) => `${client_id} has no API tokens.`,
  },
  'token revoke': (_, __, { out }) => out('Revoked.'),
  'webhook create': ({ webhook_id, secret }, _, { out, note }) => {
    out(secret);
    note(`The webhook is ${webhook_id}. The secret is not shown again.`);
  },
  'webhook list': {
    list: 'webhooks',
    columns: {
      id: ({ webhook_id }) => webhook_id,
      url: ({ url }) => url,
      types: ({ types }) => types?.join(' ') ?? 'all',
      state: ({ enabled, disabled_reason }) =>
        enabled ? 'enabled' : `disabled ${disabled_reason ?? ''}`.trim(),
      dropped: ({ dropped }) => String(dropped),
      created: ({ created_at }) => dayOf(created_at),
    },
    empty: ({ client_id }) => `${client_id} has no webhooks.`,
  },
  'webhook rotate': ({ secret, former_until }, _, { out, note }) => {
    out(secret);
    note(`The former secret signs too until ${former_until}.`);
  },
  'webhook delete': (_, __, { out }) => out('Deleted.'),
  'webhook test': ({ delivered, error }, _, { out }) => {
    if (!delivered) throw new OperatorError(`Not delivered: ${error}`);
    out('Delivered.');
  },
  'webhook deliveries': {
    list: 'deliveries',
    columns: {
      id: ({ event_id }) => event_id,
      type: ({ type }) => type,
      state: ({ state }) => state,
      failures: ({ attempts }) => String(attempts),
      created: ({ created_at }) => created_at,
      error: ({ error }) => error ?? '',
    },
    empty: () => 'There are none.',
  },
  'keys rotate': ({ kid, former_until }, { at_once }, { out }) => {
    out(`New tokens are signed with the key ${kid}.`);
    out(
      at_once
        ? 'Earlier tokens are refused; clients request new ones.'
        : `Tokens of the former key stay valid until they expire, at the latest at ${former_until}.`,
    );
  },
  'crops erase': ({ n_crop, n_facegallery }, _, { out }) =>
    out(`Erased ${n_crop} face crops of ${n_facegallery} galleries.`),
  'audit list': {
    list: 'records',
    columns: {
      number: ({ number }) => String(number ?? ''),
      time: ({ time }) => time.slice(0, 19),
      event: ({ event }) => event,
      client_id: ({ client_id }) => client_id ?? '',
      trx_id: ({ trx_id }) => trx_id ?? '',
      facts: ({ facts }) =>
        Object.entries(facts)
          .map(([name, value]) => `${name}=${value}`)
          .join(' '),
    },
    empty: () => 'No record meets these conditions.',
  },
};

function damageLines({
  client_id,
  facegallery_id,
  n_face,
  key,
  templates,
  crops,
  ...gallery
}: Row): string[] {
  const where = `${facegallery_id} of ${client_id}`;
  if (key) {
    return [
      `${where}: its key is damaged, so nothing of its ${n_face} people opens; restore a backup, or delete the gallery and enrol them again.`,
    ];
  }
  const { erased, receipt } = gallery;
  return [
    ...templates.map((userId: string) => `${where}: the template of ${userId} is damaged.`),
    ...crops.map(({ name }: Row) => `${where}: a face crop of ${name} is damaged.`),
    erased
      ? receipt
        ? `Erased. Receipt: record ${receipt.number} of the audit trail, ${receipt.hash}.`
        : 'Erased. No audit record could be written: there is no receipt.'
      : 'Enrol them again with replace, or erase them: wajah gallery check --erase.',
  ];
}
