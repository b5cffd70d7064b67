import { loadConfig } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import type { CommandDeps } from '../../operations/command.ts';
import { operationsOf, type ToolCommands } from '../../operations/table.ts';
import { showProgress, type Terminal, table } from '../../operations/terminal.ts';
import { importOperations, type SourceChoice, type StraightChoice } from './operations.ts';
import type { ImportOutcome } from './people.ts';

type Work = Pick<
  ToolCommands,
  'importFolder' | 'importCsv' | 'importZip' | 'importPeople' | 'importCompreFace'
>;
/** Options of every `import`. */
type ImportOptions = Omit<Parameters<Work['importFolder']>[1], 'path'>;

export const importCommands: Work = {
  importFolder: (deps, { path, ...options }) => run(deps, { kind: 'folder', path }, options),
  importCsv: (deps, { path, ...options }) => run(deps, { kind: 'csv', path }, options),
  importZip: (deps, { path, root = '', ...options }) => run(deps, { kind: 'zip', path, root }, options),
  importPeople: (deps, { path, from, reembed, passphraseFile, keyFile, ...options }) => {
    if (options.url !== undefined)
      throw new OperatorError('people: templates are not sent over HTTP; leave --url out');
    return run(deps, { kind: 'people', path, from, reembed, passphraseFile, keyFile }, options);
  },
  importCompreFace: async (deps, { api, database, key: given, ...options }) => {
    const key = given === '-' ? await deps.terminal.readLine() : given;
    if (database !== undefined) return run(deps, { kind: 'compreface-database', database, key }, options);
    if (api === undefined || key === undefined) {
      throw new OperatorError('compreface: give --api and --key, or --database');
    }
    return run(deps, { kind: 'compreface-api', api, key }, options);
  },
};

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
  const { url } = options;
  const { pictures, people } = await (url === undefined
    ? straight(deps, source, options, told)
    : overHttp(deps, source, { ...options, url }, told)
  ).finally(progress.end);
  refusals.end();
  const rows = Object.entries(pictures).map(([status, count]) => [status, String(count)]);
  terminal.out(table(['pictures', ''], rows));
  terminal.out(`${people} ${people === 1 ? 'person' : 'people'} enrolled.`);
}

type Told = Parameters<ReturnType<typeof importOperations>['straight']>[2];

async function straight(
  { reach, env }: CommandDeps,
  source: SourceChoice,
  options: ImportOptions,
  told: Told,
) {
  const { client: clientId, gallery: galleryId, dryRun, replace, duplicates = 'ignore' } = options;
  if (clientId === undefined) {
    throw new OperatorError(
      '--client is missing: the client that the gallery belongs to (or --url and --token)',
    );
  }
  const chosen: StraightChoice = { clientId, galleryId, duplicates, dryRun, replace, ...checksOf(options) };
  return importOperations(loadConfig(env)).straight(source, chosen, told, (work) =>
    reach((perform) => work(operationsOf(perform))),
  );
}

async function overHttp(
  { terminal, env }: CommandDeps,
  source: SourceChoice,
  options: ImportOptions & { readonly url: string },
  told: Told,
) {
  const { url, token: given, gallery, duplicates, dryRun, replace, parallel, journal } = options;
  if (options.client !== undefined)
    throw new OperatorError('--client is not used with --url: the token names it');
  if (duplicates === 'report')
    throw new OperatorError('--duplicates report is not possible with --url; use refuse');
  const token = given === '-' ? await terminal.readLine() : given;
  if (token === undefined)
    throw new OperatorError('--token is missing: an API token with the scope enrol and read');
  const target = { url, token, galleryId: gallery, refuseDuplicates: duplicates === 'refuse' };
  const chosen = { ...target, dryRun, replace, parallel, journal, ...checksOf(options) };
  return importOperations(loadConfig(env)).http(source, chosen, told);
}

function checksOf({ createGallery, force, checkQuality, checkSingleFace }: ImportOptions) {
  return { create: createGallery, force, quality: checkQuality, singleFace: checkSingleFace };
}

/** Names of files may hold characters that move the cursor of a terminal, or end its line. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (found) => JSON.stringify(found).slice(1, -1));
}

/** Refusals that are printed; the report has all. */
const shownRefusals = 20;

/** Prints the first refusals, and how many there were. */
export function refusalNotes({ note }: Pick<Terminal, 'note'>, report: string | undefined) {
  let count = 0;
  return {
    add({ person, file, reason }: ImportOutcome): void {
      count += 1;
      if (count <= shownRefusals) note(printable([person, file, reason].filter(Boolean).join(': ')));
    },
    end(): void {
      if (count <= shownRefusals) return;
      note(
        `… and ${count - shownRefusals} further refusals; ${report ? `all are in ${report}` : '--report lists them all'}`,
      );
    },
  };
}
