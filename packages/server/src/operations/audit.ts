import { operatorEndpoints } from '@wajah/contract';
import { OperatorError } from '../errors.ts';
import type { AuditFindings, AuditSource, ReceiptToCheck } from './audit-trail.ts';
import { argument, type Command, command, option } from './command.ts';
import type { CallEndpoint } from './operator-calls.ts';
import { showProgress } from './terminal.ts';

const sourceOf =
  (call: CallEndpoint): AuditSource =>
  async (page) =>
    (await call(operatorEndpoints.readAuditTrail, page)) as Awaited<ReturnType<AuditSource>>;

const verify: Command = command({
  name: 'audit verify',
  line: 'check that no record was changed or removed',
  about: 'check that no record was changed, removed or inserted; exits with 1 if one was',
  options: {
    file: option('--file <file>', 'check an exported file instead of the store'),
    receipt: option('--receipt <number:hash>', 'also that it has the record of a receipt', receiptOf),
  },
  action: async ({ callAsOperator, audit, terminal }, { file, receipt }) => {
    const reader = await audit();
    const progress = showProgress('checked', terminal, 'records');
    const found = await (file === undefined
      ? callAsOperator((call) => reader.verify(sourceOf(call), progress.update, receipt))
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
  action: async ({ callAsOperator, audit, terminal }, { file }) => {
    const reader = await audit();
    const progress = showProgress('exported', terminal, 'records');
    const count = await callAsOperator((call) =>
      reader.export(sourceOf(call), file, progress.update),
    ).finally(progress.end);
    terminal.out(`Wrote ${count} records to ${file}.`);
  },
});

/** The audit trail, as it is checked outside of the server. */
export const auditCommands = [verify, exported] as const;
