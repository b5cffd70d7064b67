import type { Command } from 'commander';
import type { DoctorFinding } from '../doctor/findings.ts';
import { OperatorError } from '../errors.ts';
import type { CommandDeps } from './program.ts';
import { meter } from './progress.ts';
import { table } from './terminal.ts';

/** Adds `backup`, `migrate-store` and `doctor`. */
export function addStorageCommands(program: Command, deps: CommandDeps): void {
  addBackup(program, deps);
  addMigrate(program, deps);
  addDoctor(program, deps);
}

function addBackup(program: Command, { storage, terminal }: CommandDeps): void {
  program
    .command('backup')
    .description('copy the embedded database into a new file, also while the server runs')
    .argument('<file>', 'where to; it must not exist. The key is not in it: keep that apart')
    .action(async (file: string) => {
      const bytes = await (await storage()).backup(file);
      terminal.out(`Wrote ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
    });
}

function addMigrate(program: Command, { storage, terminal }: CommandDeps): void {
  program
    .command('migrate-store')
    .description(
      'copy everything from one store into another while nobody serves either; goes on where it stopped',
    )
    .requiredOption(
      '--from <store>',
      'a data directory, a postgres:// URL, or: data, database (as they are set)',
    )
    .requiredOption('--to <store>', 'the same; it must be empty')
    .action(async ({ from, to }: { from: string; to: string }) => {
      const bars = { copy: meter('copied', terminal, 'rows'), verify: meter('compared', terminal, 'rows') };
      const operations = await storage();
      const counts = await operations
        .migrate(from, to, (stage, rows, total) => {
          if (stage === 'verify') bars.copy.end();
          bars[stage].at(rows, total);
        })
        .finally(() => bars.verify.end());
      const rows = Object.entries(counts).map(([name, count]) => [name, String(count)]);
      terminal.out(table(['table', 'rows'], rows));
      terminal.note(
        'Both stores hold the same, by count and SHA-256. The key goes along by hand: see operations.md.',
      );
    });
}

function addDoctor(program: Command, { doctor, terminal }: CommandDeps): void {
  program
    .command('doctor')
    .description(
      'look for what would keep a server from running well: settings, versions, rights, keys, disks',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await doctor();
      if (json) terminal.out(JSON.stringify(findings));
      else terminal.out(table(['', 'what', 'found'], findings.map(row)));
      const wrong = findings.filter(({ state }) => state === 'bad').length;
      if (wrong > 0) throw new OperatorError(`doctor: ${wrong} of ${findings.length} must be repaired`);
    });
}

function row({ state, what, found }: DoctorFinding): string[] {
  return [{ good: 'ok', doubtful: 'look', bad: 'BAD' }[state], what, found];
}
