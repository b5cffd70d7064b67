import type { Command } from 'commander';
import type { MigrationPlan } from '../../../store/database/upgrade.ts';
import type { CommandDeps } from '../../command.ts';
import { snakeCase, table } from '../../terminal.ts';

/** Adds `migrate`. */
export function addMigrateCommand(program: Command, { upgrades, terminal }: CommandDeps): void {
  program
    .command('migrate')
    .description(
      'upgrade the schema of the store to this version, as the next start would; stop servers first',
    )
    .option('--dry-run', 'say which migrations would run, on how many rows, and change nothing')
    .option('--json', 'print JSON')
    .action(async ({ dryRun = false, json = false }: { dryRun?: boolean; json?: boolean }) => {
      const operations = await upgrades();
      const plan = await operations.plan();
      if (!dryRun && plan.migrations.length > 0) await operations.run();
      if (json) terminal.out(JSON.stringify({ ...snakeCase(plan), dry_run: dryRun }));
      else terminal.out(textOf(plan, dryRun));
    });
}

function textOf(
  { store, schema, newestSchema, migrations, seconds }: MigrationPlan,
  dryRun: boolean,
): string {
  const name = { sqlite: 'embedded database', postgres: 'PostgreSQL' }[store];
  if (migrations.length === 0) return `The store (${name}) has schema ${schema}, the newest: nothing to do.`;
  const rows = migrations.map((step) => [
    String(step.number),
    step.name,
    String(step.rows),
    step.tables.join(', ') || '–',
  ]);
  const list = table(['schema', 'migration', 'rows', 'in tables'], rows);
  const range = `from schema ${schema} to ${newestSchema}`;
  if (!dryRun) return `${list}\nThe store (${name}) was upgraded ${range}.`;
  const time = `about ${seconds} s`;
  return `${list}\nThe next start, or \`wajah migrate\`, would upgrade the store (${name}) ${range}, in ${time}. Back it up first.`;
}
