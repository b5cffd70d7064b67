import type { Command } from 'commander';
import type { CommandDeps } from '../command.ts';
import { showProgress } from '../progress.ts';
import { megabytes, table } from '../terminal.ts';

/** Adds `backup` and `migrate-store`. */
export function addStorageCommands(program: Command, deps: CommandDeps): void {
  addBackup(program, deps);
  addMigrate(program, deps);
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
