import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import type { AuditRecord, SealedLink } from '../store/audit-store.ts';
import type { AuditFindings, AuditSource, PlainRecord, ReceiptToCheck } from './audit-trail.ts';
import {
  argument,
  type Command,
  call,
  command,
  json,
  operation,
  option,
  type Perform,
  timeAs,
  wholeNumber,
} from './command.ts';
import { type Columns, printList, showProgress } from './terminal.ts';

const listAudit = operation('listAudit', {
  /** Null: any. */
  input: z.object({
    since: z.iso.datetime().nullable(),
    /** Id of a record, exclusive. */
    before: z.int().nullable(),
    clientId: z.string().nullable(),
    event: z.string().nullable(),
    limit: z.int().min(1).max(1000),
  }),
  act: null,
  /** Newest first. */
  run: async ({ store }, { since, before, clientId, event, limit }) => {
    const query = {
      ...(since !== null && { since: new Date(since) }),
      ...(before !== null && { before }),
      ...(clientId !== null && { clientId }),
      ...(event !== null && { event }),
      limit,
    };
    return (await store.audit.list(query)).map((record) => ({ id: record.id, ...plainRecord(record) }));
  },
});

const readAudit = operation('readAudit', {
  input: z.object({ after: z.int().min(0), limit: z.int().min(1).max(1000) }),
  act: null,
  /** Linked records in order of their number; `after` is exclusive. */
  run: async ({ store }, { after, limit }) => (await store.audit.read(after, limit)).map(plainRecord),
});

const describeAudit = operation('describeAudit', {
  input: z.object({}),
  act: null,
  /** The ends of the chain, what is in no place of it, and its key, sealed under the master key. */
  run: async ({ store }) => {
    const { auditKeyName } = await import('../security/audit-chain.ts');
    const { head, anchor, ...strays } = await store.audit.ends();
    const key = await store.meta.get(auditKeyName);
    return { head: plainLink(head), anchor: plainLink(anchor), ...strays, key };
  },
});

export const auditOperations = [listAudit, readAudit, describeAudit] as const;

function plainRecord({ at, event, clientId, trxId, facts, link }: AuditRecord): PlainRecord {
  return {
    number: link?.number ?? null,
    time: at.toISOString(),
    event,
    client_id: clientId,
    trx_id: trxId,
    facts,
    salt: link?.salt ? hex(link.salt) : null,
    digest: link ? hex(link.digest) : null,
    hash: link ? hex(link.hash) : null,
    seal: link ? hex(link.seal) : null,
  };
}

function plainLink({ number, hash, seal }: SealedLink) {
  return { number, hash: hex(hash), seal: hex(seal) };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const sourceOf = (perform: Perform): AuditSource => ({
  describeAudit: () => perform(describeAudit, {}),
  readAudit: (page) => perform(readAudit, page),
});

const columns: Columns<PlainRecord> = {
  number: ({ number }) => String(number ?? ''),
  time: ({ time }) => time.slice(0, 19),
  event: ({ event }) => event,
  client_id: ({ client_id }) => client_id ?? '',
  trx_id: ({ trx_id }) => trx_id ?? '',
  facts: ({ facts }) =>
    Object.entries(facts)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
};

const verify: Command = command({
  name: 'audit verify',
  line: 'check that no record was changed or removed',
  about: 'check that no record was changed, removed or inserted; exits with 1 if one was',
  options: {
    file: option('--file <file>', 'check an exported file instead of the store'),
    receipt: option('--receipt <number:hash>', 'also that it has the record of a receipt', receiptOf),
  },
  action: async ({ reach, audit, terminal }, { file, receipt }) => {
    const reader = await audit();
    const progress = showProgress('checked', terminal, 'records');
    const found = await (file === undefined
      ? reach((perform) => reader.verify(sourceOf(perform), progress.update, receipt))
      : reader.verifyFile(file, receipt)
    ).finally(progress.end);
    if (!found.sealed) terminal.note('Without the master key only hashes are checked, no seals.');
    if (found.fault !== null) throw new OperatorError(`The audit trail is broken: ${found.fault}.`);
    const range = found.records === 0 ? '' : `, ${found.first} to ${found.last}`;
    const erased = found.erased === 0 ? '' : `; names erased in ${found.erased}`;
    terminal.out(`The audit trail is intact: ${found.records} records${range}${erased}.`);
    if (!receipt) return;
    if (!found.named) throw new OperatorError(noRecord(receipt, found));
    const { event, time } = found.named;
    terminal.out(`Record ${receipt.number} is that of the receipt: ${event}, ${time}.`);
  },
});

/** @param found a trail that is intact */
function noRecord({ number }: ReceiptToCheck, { first, last }: AuditFindings): string {
  return number < first || number > last
    ? `The trail has the records ${first} to ${last}: ${number} has expired, or is of another trail.`
    : `Record ${number} of the trail is not that of the receipt: its hash is another.`;
}

function receiptOf(given: string): ReceiptToCheck {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(given.toLowerCase()) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new OperatorError('Allowed: number and hash of a receipt, such as 4712:9b74….');
}

const exported: Command = command({
  name: 'audit export',
  about: 'write all records with their hashes as JSON lines',
  arguments: { file: argument('<file>', 'a new file; only this user can read it') },
  action: async ({ reach, audit, terminal }, { file }) => {
    const reader = await audit();
    const progress = showProgress('exported', terminal, 'records');
    const count = await reach((perform) => reader.export(sourceOf(perform), file, progress.update)).finally(
      progress.end,
    );
    terminal.out(`Wrote ${count} records to ${file}.`);
  },
});

/** The audit trail. */
export const auditCommands = [
  command({
    name: 'audit',
    heading: 'Stored data:',
    line: 'read, check and export the audit trail',
    about: 'read, check and export the audit trail; see docs/security.md',
  }),
  call({
    name: 'audit list',
    about: 'list the newest records',
    options: {
      since: option(
        '--since <time>',
        'ISO 8601, such as 2026-01-31',
        timeAs('an ISO 8601 time, such as 2026-01-31 or 2026-01-31T08:00:00Z'),
      ),
      client: option('--client <client_id>', 'only those of this client'),
      event: option('--event <event>', 'only those of this event, such as face_enrolled'),
      limit: option('--limit <n>', 'most records', wholeNumber(1, 1000), 100),
      json,
    },
    calls: listAudit,
    read: ({ since, client, event, limit }) => ({
      since: since ?? null,
      clientId: client ?? null,
      event: event ?? null,
      limit,
      before: null,
    }),
    print: (found, { json }, terminal) =>
      printList(terminal, found, { json, columns, empty: 'No record meets these conditions.' }),
  }),
  verify,
  exported,
] as const;
