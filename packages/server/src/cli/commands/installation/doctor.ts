import type { Command } from 'commander';
import type { DoctorFinding } from '../../../doctor/findings.ts';
import { OperatorError } from '../../../errors.ts';
import type { CommandDeps } from '../../command.ts';
import { type Columns, printList } from '../../terminal.ts';

const findingColumns: Columns<DoctorFinding> = {
  '': ({ state }) => ({ good: 'ok', doubtful: 'look', bad: 'BAD' })[state],
  what: ({ what }) => what,
  found: ({ found }) => found,
};

/** Adds `doctor`. */
export function addDoctorCommand(program: Command, { doctor, terminal }: CommandDeps): void {
  program
    .command('doctor')
    .description(
      'check the installation, settings, port, store, keys, clocks and disks; exits with 1 if something must be repaired',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await doctor();
      printList(terminal, findings, { json, columns: findingColumns });
      const wrong = findings.filter(({ state }) => state === 'bad').length;
      if (wrong > 0) throw new OperatorError(`doctor: ${wrong} of ${findings.length} must be repaired`);
    });
}
