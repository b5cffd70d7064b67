import type { Command } from 'commander';
import { OperatorError } from '../../errors.ts';
import type { PackSummary } from '../../operator/models.ts';
import type { CommandDeps } from '../command.ts';
import { showProgress } from '../progress.ts';
import { type Columns, megabytes, printList } from '../terminal.ts';

/** Adds `models list | pull | verify | use`. */
export function addModelsCommands(program: Command, deps: CommandDeps): void {
  const { models: open, terminal } = deps;
  const models = program
    .command('models')
    .helpCommand(false)
    .description('install and choose model packs: the networks that detect, align and embed faces');
  models
    .command('list')
    .description('list the packs, which are installed and which one is in use')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      printList(terminal, await (await open()).list(), { json, columns: packColumns });
    });
  addPull(models, deps);
  models
    .command('verify')
    .description('compare the files of the installed packs with their SHA-256')
    .argument('[pack]', 'one pack (default: all)')
    .action(async (id: string | undefined) => {
      for (const line of await (await open()).verify(id)) terminal.out(line);
    });
  models
    .command('use')
    .description('choose the pack that the server runs from its next start')
    .argument('<pack>', 'builtin, or the name of an installed pack')
    .action(async (id: string) => {
      for (const line of await (await open()).use(id)) terminal.note(line);
      terminal.out(`The server runs ${id} from its next start.`);
    });
}

function addPull(models: Command, { models: open, terminal }: CommandDeps): void {
  models
    .command('pull')
    .description(
      'install a pack: show its licence, training data and cost, download it after a confirmation, resume a partial download, verify the SHA-256 of every file',
    )
    .argument('<pack>', 'a name that `models list` shows, or that of a pack of your own')
    .option(
      '--from <folder>',
      'take the files from a folder, whatever their names, with a pack.json for a pack of your own',
    )
    .option('--yes', 'download without asking')
    .action(async (id: string, { from, yes = false }: { from?: string; yes?: boolean }) => {
      const operations = await open();
      terminal.note(factsOf(await operations.describe(id, from)));
      if (from === undefined && !yes && !(await terminal.confirm('Download it?'))) {
        throw new OperatorError(
          `Nothing was downloaded: confirm on a terminal, or run wajah models pull ${id} --yes.`,
        );
      }
      const progress = showProgress(id, terminal);
      const pulled = await operations.pull(id, from, progress.update).finally(progress.end);
      terminal.out(`Installed ${id} ${pulled.version} (${pulled.licences.join(', ')}).`);
      if (pulled.note !== null) terminal.note(pulled.note);
    });
}

/** What an operator should know before an installation. */
function factsOf({ id, version, about, licences, commercial, ...pack }: PackSummary): string {
  const facts = [
    ['licence', `${licences.join(', ')}${commercial ? '' : ' (not for commercial use)'}`],
    ['training data', pack.training_data],
    ['download', megabytes(pack.bytes)],
    [
      'template',
      pack.purpose === 'recognition'
        ? (pack.cost && `${pack.cost.relative} × the time of the built-in pack (${pack.cost.basis})`) ||
          'not measured'
        : `none: it is used for ${pack.purpose}, beside any pack`,
    ],
  ];
  return [`${id} ${version}: ${about}`, ...facts.map(([name, value]) => `  ${name}: ${value}`)].join('\n');
}

const packColumns: Columns<PackSummary> = {
  pack: ({ id }) => id,
  version: ({ version }) => version,
  state: ({ in_use, state }) => (in_use ? 'in use' : state),
  for: ({ purpose }) => purpose,
  size: ({ bytes }) => (bytes === 0 ? '' : megabytes(bytes)),
  licence: ({ licences, commercial }) =>
    licences.join(', ') + (commercial ? '' : ' (not for commercial use)'),
  '': ({ about }) => about,
};
