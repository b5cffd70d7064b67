import type { Command } from 'commander';
import type { CommandDeps } from '../command.ts';
import { showProgress } from '../progress.ts';
import { table } from '../terminal.ts';

/** Adds `migrate-store`. */
export function addStorageCommands(program: Command, deps: CommandDeps): void {
  addMigrate(program, deps);
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
        'Both stores hold the same rows, by count and SHA-256. Move the master key by hand: see docs/operations/storage.md.',
      );
    });
}
