import type { Command } from 'commander';
import type { ModelOperations } from '../operator/models.ts';
import type { CommandDeps } from './program.ts';
import { meter } from './progress.ts';
import { table } from './terminal.ts';

/** Adds `models list | pull | verify | use`. */
export function addModelsCommands(program: Command, deps: CommandDeps): void {
  const models = program
    .command('models')
    .helpCommand(false)
    .description('model packs: what finds the faces and tells them apart');
  addList(models, deps);
  addPull(models, deps);
  addVerify(models, deps);
  addUse(models, deps);
}

function addList(models: Command, { models: open, terminal }: CommandDeps): void {
  models
    .command('list')
    .description('list the packs, which are installed and which one is in use')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const packs = await (await open()).list();
      if (options.json) terminal.out(JSON.stringify(packs));
      else terminal.out(packTable(packs));
    });
}

function addPull(models: Command, { models: open, terminal }: CommandDeps): void {
  models
    .command('pull')
    .description('install a pack: download it, going on where it stopped, and check every byte')
    .argument('<pack>', 'a name that `models list` shows, or that of a pack of your own')
    .option('--from <folder>', 'take the files from a folder, with a pack.json for a pack of your own')
    .action(async (id: string, { from }: { from?: string }) => {
      const bar = meter(id, terminal);
      const pulled = await (await open()).pull(id, from, bar.at).finally(bar.end);
      terminal.out(`Installed ${id} ${pulled.version} (${pulled.licences.join(', ')}).`);
      if (pulled.usable) terminal.note(`Run it with: wajah models use ${id}`);
    });
}

function addVerify(models: Command, { models: open, terminal }: CommandDeps): void {
  models
    .command('verify')
    .description('compare the files of the installed packs with their SHA-256')
    .argument('[pack]', 'one pack (default: all)')
    .action(async (id: string | undefined) => {
      for (const line of await (await open()).verify(id)) terminal.out(line);
    });
}

function addUse(models: Command, { models: open, terminal }: CommandDeps): void {
  models
    .command('use')
    .description('run a pack from the next start of the server on')
    .argument('<pack>', 'builtin, or the name of an installed pack')
    .action(async (id: string) => {
      for (const line of await (await open()).use(id)) terminal.note(line);
      terminal.out(`The server runs ${id} from its next start on.`);
    });
}

function packTable(packs: Awaited<ReturnType<ModelOperations['list']>>): string {
  const rows = packs.map((pack) => [
    pack.id,
    pack.version,
    pack.in_use ? 'in use' : pack.state,
    pack.bytes === 0 ? '' : `${(pack.bytes / 1e6).toFixed(1)} MB`,
    pack.licences.join(', ') + (pack.commercial ? '' : ' (not for commercial use)'),
    pack.about,
  ]);
  return table(['pack', 'version', 'state', 'size', 'licence', ''], rows);
}
