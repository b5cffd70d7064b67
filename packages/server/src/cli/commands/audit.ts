import { type Command, InvalidArgumentError } from 'commander';
import type { PlainRecord } from '../../admin/audit-operations.ts';
import { OperatorError } from '../../errors.ts';
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
    .description('read, check and export the audit trail; see docs/operations.md');
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
    .action(async ({ file }: { file?: string }) => {
      const reader = await audit();
      const progress = showProgress('checked', terminal, 'records');
      const found = await (file === undefined
        ? admin((operations) => reader.verify(operations, progress.update))
        : reader.verifyFile(file)
      ).finally(progress.end);
      if (!found.sealed) terminal.note('Without the master key only hashes are checked, no seals.');
      if (found.fault !== null) throw new OperatorError(`The audit trail is broken: ${found.fault}.`);
      const range = found.records === 0 ? '' : `, ${found.first} to ${found.last}`;
      const erased = found.erased === 0 ? '' : `; names erased in ${found.erased}`;
      terminal.out(`The audit trail is intact: ${found.records} records${range}${erased}.`);
    });
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
