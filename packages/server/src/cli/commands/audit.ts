import { type Command, InvalidArgumentError } from 'commander';
import type { PlainRecord } from '../../admin/audit-operations.ts';
import { OperatorError } from '../../errors.ts';
import type { AuditFindings, ReceiptToCheck } from '../../operator/audit.ts';
import { type CommandDeps, wholeNumber } from '../command.ts';
import { showProgress } from '../progress.ts';
import { type Columns, printList } from '../terminal.ts';

interface ListOptions {
  readonly since?: string;
  readonly client?: string;
  readonly event?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** Adds `audit list | verify | export`. */
export function addAuditCommands(program: Command, deps: CommandDeps): void {
  const audit = program
    .command('audit')
    .helpCommand(false)
    .description('read, check and export the audit trail; see docs/operations/audit.md');
  addList(audit, deps);
  addVerify(audit, deps);
  addExport(audit, deps);
}

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

function addList(parent: Command, { admin, terminal }: CommandDeps): void {
  parent
    .command('list')
    .description('list the newest records')
    .option('--since <time>', 'ISO 8601, such as 2026-01-31', parseTime)
    .option('--client <client_id>', 'only those of this client')
    .option('--event <event>', 'only those of this event, such as face_enrolled')
    .option('--limit <n>', 'most records', wholeNumber(1, 1000), 100)
    .option('--json', 'print JSON')
    .action(async ({ since, client, event, limit, json }: ListOptions) => {
      const conditions = { since: since ?? null, clientId: client ?? null, event: event ?? null };
      const found = await admin((operations) => operations.listAudit({ ...conditions, limit, before: null }));
      printList(terminal, found, { json, columns, empty: 'No record meets these conditions.' });
    });
}

function addVerify(parent: Command, { admin, audit, terminal }: CommandDeps): void {
  parent
    .command('verify')
    .description('check that no record was changed, removed or inserted; exits with 1 if one was')
    .option('--file <file>', 'check an exported file instead of the store')
    .option('--receipt <number:hash>', 'also that it has the record of a receipt', parseReceipt)
    .action(async ({ file, receipt }: { file?: string; receipt?: ReceiptToCheck }) => {
      const reader = await audit();
      const progress = showProgress('checked', terminal, 'records');
      const found = await (file === undefined
        ? admin((operations) => reader.verify(operations, progress.update, receipt))
        : reader.verifyFile(file, receipt)
      ).finally(progress.end);
      if (!found.sealed) terminal.note('Without the master key only hashes are checked, no seals.');
      if (found.fault !== null) throw new OperatorError(`The audit trail is broken: ${found.fault}.`);
      const range = found.records === 0 ? '' : `, ${found.first} to ${found.last}`;
      const erased = found.erased === 0 ? '' : `; names erased in ${found.erased}`;
      terminal.out(`The audit trail is intact: ${found.records} records${range}${erased}.`);
      if (!receipt) return;
      if (!found.named) throw new OperatorError(noRecord(receipt, found));
      terminal.out(
        `Record ${receipt.number} is that of the receipt: ${found.named.event}, ${found.named.time}.`,
      );
    });
}

/** @param found a trail that is intact */
function noRecord({ number }: ReceiptToCheck, { first, last }: AuditFindings): string {
  return number < first || number > last
    ? `The trail has the records ${first} to ${last}: ${number} has expired, or is of another trail.`
    : `Record ${number} of the trail is not that of the receipt: its hash is another.`;
}

function parseReceipt(given: string): ReceiptToCheck {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(given.toLowerCase()) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new InvalidArgumentError('Allowed: number and hash of a receipt, such as 4712:9b74….');
}

function addExport(parent: Command, { admin, audit, terminal }: CommandDeps): void {
  parent
    .command('export')
    .description('write all records with their hashes as JSON lines')
    .argument('<file>', 'a new file; only this user can read it')
    .action(async (file: string) => {
      const reader = await audit();
      const progress = showProgress('exported', terminal, 'records');
      const count = await admin((operations) => reader.export(operations, file, progress.update)).finally(
        progress.end,
      );
      terminal.out(`Wrote ${count} records to ${file}.`);
    });
}

function parseTime(given: string): string {
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new InvalidArgumentError('Allowed: an ISO 8601 time, such as 2026-01-31 or 2026-01-31T08:00:00Z.');
}
