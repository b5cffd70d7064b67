import { type Command, InvalidArgumentError } from 'commander';
import type { AdminInput } from '../../admin/inputs.ts';
import { OperatorError } from '../../errors.ts';
import type { GalleryResult } from '../../operator/template-migration.ts';
import type { CommandDeps } from '../command.ts';
import { showProgress } from '../progress.ts';
import { type Terminal, table } from '../terminal.ts';

interface SelectionOptions {
  readonly client?: string;
  readonly gallery?: string;
}

/** Adds `reembed` and `crops erase`. */
export function addCropCommands(program: Command, deps: CommandDeps): void {
  addReembed(program, deps);
  addErase(program, deps);
}

function withSelection(command: Command): Command {
  return command
    .option('--client <client_id>', 'only the galleries of this client')
    .option('--gallery <facegallery_id>', 'only this gallery of the client');
}

function selectionOf({ client, gallery }: SelectionOptions): AdminInput<'findGalleries'> {
  if (gallery !== undefined && client === undefined) {
    throw new OperatorError('--gallery needs --client: names of galleries are those of a client');
  }
  return { clientId: client ?? null, galleryId: gallery ?? null };
}

interface ReembedOptions extends SelectionOptions {
  readonly to: string;
  readonly leaveOut?: boolean;
}

function addReembed(program: Command, { admin, migrator: open, terminal }: CommandDeps): void {
  const command = program
    .command('reembed')
    .description(
      'migrate templates to another model pack, computed from the stored face crops while the server keeps ' +
        'using the current ones; resumable',
    )
    .requiredOption('--to <pack>', 'builtin, or the name of an installed pack', parsePack)
    .option(
      '--leave-out',
      'delete the faces that no template can be computed for, so that their gallery can migrate',
    );
  withSelection(command).action(async (options: ReembedOptions) => {
    const selection = selectionOf(options);
    const progress = showProgress('reembedded', terminal, 'faces');
    const migrator = await open(options.to);
    try {
      const results = await admin((operations) =>
        migrator.migrate(operations, selection, options.leaveOut ?? false, progress.update),
      ).finally(progress.end);
      await report(results, options.to, migrator.embeddingSpec, terminal);
    } finally {
      await migrator.close();
    }
  });
}

async function report(
  results: readonly GalleryResult[],
  pack: string,
  embeddingSpec: string,
  terminal: Terminal,
): Promise<void> {
  if (results.length === 0) {
    const { packName } = await import('../../services/galleries/embedding-spec.ts');
    terminal.note(`No gallery has faces of another pack than ${packName(embeddingSpec)}.`);
    return;
  }
  for (const { gallery, failed } of results) {
    for (const { userId, why } of failed)
      terminal.note(`${gallery.clientId} ${gallery.galleryId} ${userId}: ${why}`);
  }
  const rows = results.map(({ gallery, embedded, failed, waiting }) => [
    gallery.clientId,
    gallery.galleryId,
    String(embedded),
    String(failed.length),
    waiting === 0 ? 'ready' : `${waiting} missing`,
  ]);
  terminal.out(table(['client_id', 'facegallery_id', 'templates', 'not possible', ''], rows));
  const unready = results.filter(({ waiting }) => waiting > 0).length;
  if (unready < results.length) terminal.note(nextStep(pack));
  if (unready === 0) return;
  throw new OperatorError(
    `${unready} of ${results.length} galleries stay with their pack: enrol the missing people again, or delete them with --leave-out`,
  );
}

function nextStep(pack: string): string {
  return `Ready galleries migrate at once where a server runs ${pack}; else run wajah models use ${pack} and restart each server. The server migrates up to 100 people a gallery that are enrolled until then; for more, run this command again.`;
}

function parsePack(given: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/.test(given)) return given;
  throw new InvalidArgumentError('Allowed: builtin, or a name that `models list` shows.');
}

function addErase(program: Command, { admin, terminal }: CommandDeps): void {
  const crops = program
    .command('crops')
    .helpCommand(false)
    .description('manage the stored crops of enrolled faces (WAJAH_KEEP_FACE_CROPS)');
  const command = crops
    .command('erase')
    .description('erase stored face crops; the faces stay enrolled')
    .option('--yes', 'do not ask');
  withSelection(command).action(async (options: SelectionOptions & { yes?: boolean }) => {
    const selection = selectionOf(options);
    const what = selection.galleryId ?? selection.clientId ?? 'all clients';
    const question = `Erase the face crops of ${what}? This cannot be undone.`;
    if (!options.yes && !(await terminal.confirm(question))) {
      throw new OperatorError('Nothing was erased; --yes erases without asking.');
    }
    const erased = await admin((operations) => operations.eraseCrops(selection));
    terminal.out(`Erased ${erased.crops} face crops of ${erased.galleries} galleries.`);
  });
}
