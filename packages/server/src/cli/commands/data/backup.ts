import type { Command } from 'commander';
import type { SecretFiles } from '../../../operator/archive-secret.ts';
import type { CommandDeps } from '../../command.ts';
import { showProgress } from '../../progress.ts';
import { megabytes, type Terminal, table } from '../../terminal.ts';
import { withSecret } from './archive-options.ts';

/** Adds `backup` and `restore`. */
export function addBackupCommands(program: Command, deps: CommandDeps): void {
  const backup = program.command('backup').helpCommand(false).enablePositionalOptions();
  withSecret(backup)
    .description(
      'write a verified copy of the store into a new file, sealed under the master key unless another secret is named; ' +
        'also while servers run',
    )
    .argument('<file>', 'the new file; it must not exist')
    .option('--plain', 'copy the embedded database as it is, not sealed: names of people are readable')
    .action((file: string, options: SecretFiles & { plain?: boolean }) => backUp(deps, file, options));
  withSecret(backup.command('verify'))
    .description('read a backup and compare the digest of every table; nothing is written')
    .argument('<file>')
    .action((file: string, options: SecretFiles) => verify(deps, file, options));
  withSecret(program.command('restore'))
    .description('restore a backup into the configured store while no server runs; completely, or not at all')
    .argument('<file>')
    .option('--force', 'replace a store that holds clients; the former database file is kept')
    .action((file: string, options: SecretFiles & { force?: boolean }) => restore(deps, file, options));
}

async function backUp(
  { admin, backups, storage, terminal }: CommandDeps,
  file: string,
  { plain = false, ...secret }: SecretFiles & { plain?: boolean },
): Promise<void> {
  const progress = showProgress('written', quiet(terminal), 'rows');
  const bytes = plain
    ? await (await storage()).backup(file)
    : await (await backups()).backup(file, secret, progress.update).finally(progress.end);
  terminal.out(`Wrote ${file} (${megabytes(bytes)}).`);
  // The file is there in any case.
  await admin((operations) => operations.recordBackup({ bytes })).catch((error: unknown) =>
    terminal.note(`The audit trail does not say so: ${error instanceof Error ? error.message : error}`),
  );
}

/** A script that runs each night needs no notes. */
const quiet = (terminal: Terminal): Pick<Terminal, 'note'> =>
  terminal.showsNotes ? terminal : { note: () => undefined };

async function verify({ backups, terminal }: CommandDeps, file: string, secret: SecretFiles): Promise<void> {
  const { head, rows } = await (await backups()).verify(file, secret);
  printRows(terminal, rows);
  terminal.out(`Complete: a backup of ${head.store}, schema ${head.schema}.`);
}

async function restore(
  { backups, terminal }: CommandDeps,
  file: string,
  { force = false, ...secret }: SecretFiles & { force?: boolean },
): Promise<void> {
  const progress = showProgress('restored', terminal, 'rows');
  const operations = await backups();
  const { rows, former } = await operations
    .restore(file, secret, force, progress.update)
    .finally(progress.end);
  printRows(terminal, rows);
  if (former !== null) terminal.note(`The former database is ${former}; delete it when you are sure.`);
  terminal.note(
    'Access tokens from before the backup may be refused: clients request new ones. API tokens stay valid.',
  );
}

function printRows({ out }: Terminal, counts: Readonly<Record<string, number>>): void {
  const rows = Object.entries(counts).map(([name, count]) => [name, String(count)]);
  out(table(['table', 'rows'], rows));
}
