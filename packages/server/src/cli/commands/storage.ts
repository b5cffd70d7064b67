import type { Command } from 'commander';
import type { DoctorFinding } from '../../doctor/findings.ts';
import { OperatorError } from '../../errors.ts';
import type { CommandDeps } from '../command.ts';
import { showProgress } from '../progress.ts';
import { type Columns, megabytes, printList, table } from '../terminal.ts';

/** Adds `backup`, `migrate-store` and `doctor`. */
export function addStorageCommands(program: Command, deps: CommandDeps): void {
  addBackup(program, deps);
  addMigrate(program, deps);
  addDoctor(program, deps);
}

function addBackup(program: Command, { admin, storage, terminal }: CommandDeps): void {
  program
    .command('backup')
    .description('copy the embedded database into a new file, also while the server runs')
    .argument('<file>', 'the new file; it must not exist. It does not contain the key: back that up apart')
    .action(async (file: string) => {
      // The copy is one statement of the database, without steps. A script that runs each night needs no note.
      if (terminal.showsNotes) terminal.note('Copying and checking the database …');
      const bytes = await (await storage()).backup(file);
      terminal.out(`Wrote ${file} (${megabytes(bytes)}).`);
      // The file is there in any case.
      await admin((operations) => operations.recordBackup({ bytes })).catch((error: unknown) =>
        terminal.note(`The audit trail does not say so: ${error instanceof Error ? error.message : error}`),
      );
    });
}

function addMigrate(program: Command, { storage, terminal }: CommandDeps): void {
  program
    .command('migrate-store')
    .description('copy everything from one store into another while no server uses either; resumable')
    .requiredOption(
      '--from <store>',
      'a data directory, a postgres:// URL, or data or database for those of the settings',
    )
    .requiredOption('--to <store>', 'the same; it must be empty')
    .action(async ({ from, to }: { from: string; to: string }) => {
      const copy = showProgress('copied', terminal, 'rows');
      const verify = showProgress('compared', terminal, 'rows');
      const operations = await storage();
      const counts = await operations
        .migrate(from, to, (stage, rows, total) => {
          if (stage === 'verify') copy.end();
          (stage === 'verify' ? verify : copy).update(rows, total);
        })
        .finally(() => {
          copy.end();
          verify.end();
        });
      const rows = Object.entries(counts).map(([name, count]) => [name, String(count)]);
      terminal.out(table(['table', 'rows'], rows));
      terminal.note(
        'Both stores hold the same rows, by count and SHA-256. Move the master key by hand: see operations.md.',
      );
    });
}

const findingColumns: Columns<DoctorFinding> = {
  '': ({ state }) => ({ good: 'ok', doubtful: 'look', bad: 'BAD' })[state],
  what: ({ what }) => what,
  found: ({ found }) => found,
};

function addDoctor(program: Command, { doctor, terminal }: CommandDeps): void {
  program
    .command('doctor')
    .description('check settings, versions, permissions, keys, clocks and disks')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await doctor();
      printList(terminal, findings, { json, columns: findingColumns });
      const wrong = findings.filter(({ state }) => state === 'bad').length;
      if (wrong > 0) throw new OperatorError(`doctor: ${wrong} of ${findings.length} must be repaired`);
    });
}
