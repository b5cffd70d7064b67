import { type Command, Option } from 'commander';
import { OperatorError } from '../../../errors.ts';
import type { SecretFiles } from '../../../operator/archive-secret.ts';
import type { SourceChoice, StraightChoice } from '../../../operator/import/operations.ts';
import type { ImportResult } from '../../../operator/import/run.ts';
import type { CommandDeps } from '../../command.ts';
import { showProgress } from '../../progress.ts';
import { table } from '../../terminal.ts';
import { withSecret } from './archive-options.ts';
import { type ImportOptions, refusalNotes, withImportOptions } from './import-options.ts';

/** Adds `import` with a subcommand for each source. */
export function addImportCommands(program: Command, deps: CommandDeps): void {
  const command = program
    .command('import')
    .helpCommand(false)
    .description(
      'enrol many people from stored pictures; can be repeated: people who are enrolled already are skipped',
    );
  const add = (name: string, about: string) => withImportOptions(command.command(name).description(about));
  add('folder', 'from a folder with a folder or a file for each person, named by user_id')
    .argument(
      '<folder>',
      'staff/3174001/front.jpg or staff/3174001.jpg; _ in a name is a space of the user_name',
    )
    .action((path: string, options: ImportOptions) => run(deps, { kind: 'folder', path }, options));
  add('csv', 'from a CSV file with the columns user_id, user_name and file, and those of a consent')
    .argument(
      '<file>',
      'UTF-8; paths are relative to its folder; further rows of a user_id are further pictures',
    )
    .action((path: string, options: ImportOptions) => run(deps, { kind: 'csv', path }, options));
  add('zip', 'from a ZIP archive, laid out as a folder; nothing is unpacked to the disk')
    .argument('<archive>', '3174001/front.jpg or 3174001.jpg in it')
    .option('--root <folder>', 'the folder inside the archive that holds them')
    .action((path: string, { root = '', ...options }: ImportOptions & { root?: string }) =>
      run(deps, { kind: 'zip', path, root }, options),
    );
  addPeople(add, deps);
  addCompreFace(add, deps);
}

interface PeopleOptions extends ImportOptions, SecretFiles {
  readonly from?: string;
  readonly reembed?: boolean;
}

function addPeople(add: (name: string, about: string) => Command, deps: CommandDeps): void {
  withSecret(add('people', 'from a file of wajah export, with its templates; the same model pack is needed'))
    .argument('<file>')
    .option('--from <facegallery_id>', 'the gallery of the file, if it holds several')
    .option('--reembed', 'compute new templates from the kept crops, for another model pack')
    .action((path: string, { from, reembed = false, passphraseFile, keyFile, ...options }: PeopleOptions) => {
      if (options.url !== undefined)
        throw new OperatorError('people: templates are not sent over HTTP; leave --url out');
      return run(deps, { kind: 'people', path, from, reembed, passphraseFile, keyFile }, options);
    });
}

interface CompreFaceOptions extends ImportOptions {
  readonly api?: string;
  readonly database?: string;
  readonly key?: string;
}

function addCompreFace(add: (name: string, about: string) => Command, deps: CommandDeps): void {
  add(
    'compreface',
    'from CompreFace: its subjects and their stored pictures, by its API or from its database. Its embeddings are of ' +
      'other networks and cannot be used: each picture gets a new template',
  )
    .option('--api <url>', 'address of CompreFace, such as http://localhost:8000; needs --key')
    .addOption(
      new Option('--database <url>', 'its PostgreSQL database, postgres://…; only read').conflicts('api'),
    )
    .option('--key <x-api-key>', 'API key of the recognition service; - reads it from the standard input')
    .action(async ({ api, database, key: given, ...options }: CompreFaceOptions) => {
      const key = given === '-' ? await deps.terminal.readLine() : given;
      if (database !== undefined) return run(deps, { kind: 'compreface-database', database, key }, options);
      if (api === undefined || key === undefined) {
        throw new OperatorError('compreface: give --api and --key, or --database');
      }
      return run(deps, { kind: 'compreface-api', api, key }, options);
    });
}

async function run(deps: CommandDeps, source: SourceChoice, options: ImportOptions): Promise<void> {
  const { terminal } = deps;
  const progress = showProgress(options.dryRun ? 'checked' : 'imported', terminal, 'pictures');
  const refusals = refusalNotes(terminal, options.report);
  const told = {
    perPerson: options.pictures,
    report: options.report,
    progress: progress.update,
    refusal: refusals.add,
  };
  const result = await (options.url === undefined
    ? straight(deps, source, options, told)
    : overHttp(deps, source, { ...options, url: options.url }, told)
  ).finally(progress.end);
  refusals.end();
  printResult(deps, result);
}

type Told = Parameters<Awaited<ReturnType<CommandDeps['imports']>>['straight']>[2];

async function straight(deps: CommandDeps, source: SourceChoice, options: ImportOptions, told: Told) {
  const { client: clientId, gallery: galleryId, dryRun = false, replace = false } = options;
  if (clientId === undefined) {
    throw new OperatorError(
      '--client is missing: the client that the gallery belongs to (or --url and --token)',
    );
  }
  const duplicates: StraightChoice['duplicates'] = options.duplicates ?? 'ignore';
  const where = { clientId, galleryId, duplicates, dryRun, replace };
  return (await deps.imports()).straight(source, { ...where, ...checksOf(options) }, told, deps.admin);
}

async function overHttp(
  deps: CommandDeps,
  source: SourceChoice,
  options: ImportOptions & { readonly url: string },
  told: Told,
) {
  const { url, token: given, gallery, duplicates = 'ignore', dryRun = false, replace = false } = options;
  if (options.client !== undefined)
    throw new OperatorError('--client is not used with --url: the token names it');
  if (duplicates === 'report')
    throw new OperatorError('--duplicates report is not possible with --url; use refuse');
  const token = given === '-' ? await deps.terminal.readLine() : given;
  if (token === undefined)
    throw new OperatorError('--token is missing: an API token with the scope enrol and read');
  const chosen = {
    ...{ url, token, galleryId: gallery, refuseDuplicates: duplicates === 'refuse', dryRun, replace },
    ...checksOf(options),
    parallel: options.parallel,
    journal: options.journal,
  };
  return (await deps.imports()).http(source, chosen, told);
}

function checksOf({ createGallery, force, checkQuality, checkSingleFace }: ImportOptions) {
  return {
    create: createGallery ?? false,
    force: force ?? false,
    quality: checkQuality ?? false,
    singleFace: checkSingleFace ?? false,
  };
}

function printResult({ terminal }: CommandDeps, { pictures, people }: ImportResult): void {
  const rows = Object.entries(pictures).map(([status, count]) => [status, String(count)]);
  terminal.out(table(['pictures', ''], rows));
  terminal.out(`${people} ${people === 1 ? 'person' : 'people'} enrolled.`);
}
