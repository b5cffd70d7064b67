import { OperatorError } from '../../errors.ts';
import { argument, command, dataHeading, option } from '../../operations/command.ts';
import type { Outputs } from '../../operations/output.ts';
import type { ReceiptToCheck } from './trail.ts';

export const auditCommands = [
  command({
    name: 'audit',
    heading: dataHeading,
    line: 'read, check and export the audit trail',
    about: 'read, check and export the audit trail; see docs/security.md',
  }),
  command({
    name: 'audit verify',
    line: 'check that no record was changed or removed',
    about: 'check that no record was changed, removed or inserted; exits with 1 if one was',
    options: {
      file: option('--file <file>', 'check an exported file instead of the store'),
      receipt: option('--receipt <number:hash>', 'also that it has the record of a receipt', receiptOf),
    },
    action: async (deps, given) => (await import('./trail.ts')).verify(deps, given),
  }),
  command({
    name: 'audit export',
    about: 'write all records with their hashes as JSON lines',
    arguments: { file: argument('<file>', 'a new file; only this user can read it') },
    action: async (deps, given) => (await import('./trail.ts')).exportTo(deps, given),
  }),
];

function receiptOf(given: string): ReceiptToCheck {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(given.toLowerCase()) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new OperatorError('Allowed: number and hash of a receipt, such as 4712:9b74….');
}

export const auditOutputs: Outputs = {
  'audit list': { columns: ['number', 'time', 'event', 'client_id', 'trx_id', 'facts'] },
};
