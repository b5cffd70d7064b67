import { type Command, InvalidArgumentError } from 'commander';
import type { CarriedGallery } from '../admin/migration-inputs.ts';
import type { AdminOperations } from '../admin/operations.ts';
import { OperatorError } from '../errors.ts';
import type { Reembedder } from '../operator/template-migration.ts';
import { packName } from '../services/galleries/lookup.ts';
import type { Unmade } from '../services/template-migration/reembedding.ts';
import type { CommandDeps } from './program.ts';
import { meter } from './progress.ts';
import { table } from './terminal.ts';

interface Which {
  readonly client?: string;
  readonly gallery?: string;
}

/** Adds `reembed` and `crops erase`. */
export function addCropCommands(program: Command, deps: CommandDeps): void {
  addReembed(program, deps);
  addErase(program, deps);
}

function withWhich(command: Command): Command {
  return command
    .option('--client <client_id>', 'only the galleries of this client')
    .option('--gallery <facegallery_id>', 'only this gallery of the client');
}

function whichOf({ client, gallery }: Which) {
  if (gallery !== undefined && client === undefined) {
    throw new OperatorError('--gallery needs --client: names of galleries are those of a client');
  }
  return { clientId: client ?? null, galleryId: gallery ?? null };
}

function addReembed(program: Command, { admin, reembedder, terminal }: CommandDeps): void {
  const command = program
    .command('reembed')
    .description(
      'make templates for another model pack from the face crops that are kept, while the server answers with those ' +
        'it has; goes on where it stopped',
    )
    .requiredOption('--to <pack>', 'builtin, or the name of an installed pack', packId)
    .option(
      '--leave-out',
      'unenrol people of whom no template can be made when their gallery is carried over',
    );
  withWhich(command).action(async (options: Which & { to: string; leaveOut?: boolean }) => {
    const which = whichOf(options);
    const bar = meter('reembedded', terminal, 'faces');
    const opened = await reembedder(options.to);
    try {
      const done = await admin((operations) =>
        reembedAll(operations, opened, which, options.leaveOut ?? false, bar),
      ).finally(bar.end);
      report(done, options.to, opened.contract, terminal);
    } finally {
      await opened.close();
    }
  });
}

/** Templates are no longer wanted: somebody else was faster with the same pack, or begins with another one. */
async function requireCarried(
  operations: AdminOperations,
  { id, clientId, galleryId }: CarriedGallery,
  contract: string,
): Promise<void> {
  const all = await operations.listCarrying({ clientId, galleryId: null });
  const now = all.find((gallery) => gallery.id === id);
  if (!now || now.contract === contract) return;
  throw new OperatorError(`${galleryId} of ${clientId}: another command makes templates for another pack`);
}

/** What became of one gallery. */
interface Done {
  readonly gallery: CarriedGallery;
  readonly made: number;
  readonly unmade: readonly Unmade[];
  /** Faces that still have no template. */
  readonly waiting: number;
}

async function reembedAll(
  operations: AdminOperations,
  reembedder: Reembedder,
  which: ReturnType<typeof whichOf>,
  leaveOut: boolean,
  bar: ReturnType<typeof meter>,
): Promise<Done[]> {
  const { contract } = reembedder;
  const todo: { gallery: CarriedGallery; waiting: number }[] = [];
  for (const gallery of await operations.listCarrying(which)) {
    if (gallery.contract === null) continue;
    const waiting = await operations.beginCarrying({ gallery: gallery.id, contract });
    if (waiting !== null) todo.push({ gallery, waiting });
  }
  const total = todo.reduce((sum, { waiting }) => sum + waiting, 0);
  const done: Done[] = [];
  let before = 0;
  for (const { gallery } of todo) {
    // More than there were are enrolled meanwhile.
    const progress = (faces: number) => bar.at(Math.min(total, before + faces), total);
    const { made, unmade, overtaken } = await reembedder.reembed(operations, gallery, progress);
    if (overtaken) await requireCarried(operations, gallery, contract);
    if (leaveOut) {
      const templates = unmade.map(({ userId, seq }) => ({ userId, seq, template: null }));
      await operations.keepTemplates({ gallery: gallery.id, contract, templates });
    }
    // Null: a server that runs the pack has carried it over in this moment.
    const waiting = (await operations.beginCarrying({ gallery: gallery.id, contract })) ?? 0;
    done.push({ gallery, made, unmade, waiting });
    before += made + unmade.length;
  }
  return done;
}

function report(
  done: readonly Done[],
  pack: string,
  contract: string,
  terminal: CommandDeps['terminal'],
): void {
  if (done.length === 0) {
    terminal.note(`No gallery has faces of another pack than ${packName(contract)}.`);
    return;
  }
  for (const { gallery, unmade } of done) {
    for (const { userId, why } of unmade)
      terminal.note(`${gallery.clientId} ${gallery.galleryId} ${userId}: ${why}`);
  }
  const rows = done.map(({ gallery, made, unmade, waiting }) => [
    gallery.clientId,
    gallery.galleryId,
    String(made),
    String(unmade.length),
    waiting === 0 ? 'ready' : `${waiting} missing`,
  ]);
  terminal.out(table(['client_id', 'facegallery_id', 'made now', 'not possible', ''], rows));
  const unready = done.filter(({ waiting }) => waiting > 0);
  if (unready.length < done.length) terminal.note(next(pack));
  if (unready.length === 0) return;
  throw new OperatorError(
    `${unready.length} of ${done.length} galleries stay with their pack: enrol those people anew, or do without them with --leave-out`,
  );
}

function next(pack: string): string {
  return `What is ready goes over at once where a server runs ${pack}; else: wajah models use ${pack}, and start each server anew. Who is enrolled until then is made up for by the server, 100 people a gallery; for more run this again.`;
}

function packId(given: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/.test(given)) return given;
  throw new InvalidArgumentError('Allowed: builtin, or a name that `models list` shows.');
}

function addErase(program: Command, { admin, terminal }: CommandDeps): void {
  const crops = program
    .command('crops')
    .helpCommand(false)
    .description('the pictures that are kept of enrolled faces (WAJAH_KEEP_FACE_CROPS)');
  const command = crops
    .command('erase')
    .description('erase kept face crops for good; the faces stay enrolled')
    .option('--yes', 'do not ask');
  withWhich(command).action(async (options: Which & { yes?: boolean }) => {
    const which = whichOf(options);
    const what = which.galleryId ?? which.clientId ?? 'all clients';
    const sure =
      options.yes ||
      (await terminal.confirm(`Erase the face crops of ${what}? They cannot be brought back.`));
    if (!sure) throw new OperatorError('Nothing was erased; --yes does it without asking.');
    const erased = await admin((operations) => operations.eraseCrops(which));
    terminal.out(`Erased ${erased.crops} face crops of ${erased.galleries} galleries.`);
  });
}
