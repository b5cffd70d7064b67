import { constants, setPriority } from 'node:os';
import type { Embedder } from '@wajah/engine';
import {
  type AdminOperations,
  type CommandDeps,
  type Config,
  loadConfig,
  OperatorError,
  operationsOf,
  packChoice,
  showProgress,
  type Terminal,
  type ToolCommands,
  table,
} from '@wajah/server/commands';
import { embeddingSpecText, packName, upgradeOf } from '@wajah/server/faces';
import { archiveSecret, type SecretFiles } from '../archive.ts';
import { openCommandEmbedder } from '../embedder.ts';
import { openPeopleFile } from '../people-file.ts';
import { openCompreFaceApi, openCompreFaceSource } from './compreface-source.ts';
import { openCsv } from './csv-source.ts';
import { openFolder } from './folder-source.ts';
import { type HttpOptions, openHttpTarget, openJournal } from './http-target.ts';
import { type ImportOutcome, type ImportSource, withTemplates } from './people.ts';
import { type ImportResult, type ImportRun, type ImportTarget, openReport, runImport } from './run.ts';
import { openStraightTarget, picturesPerWorker, type StraightOptions } from './store-target.ts';
import { openZip } from './zip-source.ts';

type Work = Pick<
  ToolCommands,
  'importFolder' | 'importCsv' | 'importZip' | 'importPeople' | 'importCompreFace'
>;
/** Options of every `import`. */
type ImportOptions = Omit<Parameters<Work['importFolder']>[1], 'path'>;

/** `wajah import …` */
export const importCommands: Work = {
  importFolder: (deps, { path, ...options }) => importFrom(deps, { kind: 'folder', path }, options),
  importCsv: (deps, { path, ...options }) => importFrom(deps, { kind: 'csv', path }, options),
  importZip: (deps, { path, root = '', ...options }) =>
    importFrom(deps, { kind: 'zip', path, root }, options),
  importPeople: (deps, { path, from, reembed, passphraseFile, keyFile, ...options }) => {
    if (options.url !== undefined)
      throw new OperatorError('people: templates are not sent over HTTP; leave --url out');
    return importFrom(deps, { kind: 'people', path, from, reembed, passphraseFile, keyFile }, options);
  },
  importCompreFace: async (deps, { api, database, key: given, ...options }) => {
    const key = given === '-' ? await deps.terminal.readLine() : given;
    if (database !== undefined)
      return importFrom(deps, { kind: 'compreface-database', database, key }, options);
    if (api === undefined || key === undefined) {
      throw new OperatorError('compreface: give --api and --key, or --database');
    }
    return importFrom(deps, { kind: 'compreface-api', api, key }, options);
  },
};

async function importFrom(deps: CommandDeps, source: SourceChoice, options: ImportOptions): Promise<void> {
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

/** Where the people of an import come from. */
export type SourceChoice =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'csv'; readonly path: string }
  | { readonly kind: 'zip'; readonly path: string; readonly root: string }
  | { readonly kind: 'compreface-api'; readonly api: string; readonly key: string }
  | (SecretFiles & {
      readonly kind: 'people';
      readonly path: string;
      readonly from: string | undefined;
      readonly reembed: boolean;
    })
  | { readonly kind: 'compreface-database'; readonly database: string; readonly key: string | undefined };

/** What the command line adds to the rules of the installation. */
export type StraightChoice = Omit<StraightOptions, 'rules'> & {
  readonly force: boolean;
  readonly quality: boolean;
  readonly singleFace: boolean;
};

interface Told extends Pick<ImportRun, 'progress' | 'refusal'> {
  readonly perPerson: number;
  /** File of the report; undefined: none. */
  readonly report: string | undefined;
}

/** Enrols many people. The operations throw an OperatorError when they cannot be done. */
export function importOperations(config: Config) {
  return {
    /** Into a gallery of this installation. @param admin runs work in the process that owns the store */
    straight: async (
      choice: SourceChoice,
      options: StraightChoice,
      told: Told,
      admin: <T>(work: (operations: AdminOperations) => Promise<T>) => Promise<T>,
    ): Promise<ImportResult> => {
      const source = await openSource(config, choice, told.perPerson);
      // A server on the same machine keeps its speed.
      setPriority(constants.priority.PRIORITY_LOW);
      const engine = await openCommandEmbedder(config, await packChoice(config.packs), picturesPerWorker);
      try {
        const comparable = comparableSource(source, engine.embedder);
        return await admin(async (operations) => {
          const rules = rulesOf(config, options);
          const target = await openStraightTarget(config, operations, engine, { ...options, rules });
          return run(comparable, target, options.replace, told);
        });
      } finally {
        await engine.embedder.close();
        await source.close();
      }
    },
    /** Into a gallery of a server. @param journal file */
    http: async (
      choice: SourceChoice,
      options: Omit<HttpOptions, 'journal'> & { readonly journal: string },
      told: Told,
    ): Promise<ImportResult> => {
      const source = await openSource(config, choice, told.perPerson);
      const journal = openJournal(options.journal);
      try {
        const result = await run(
          source,
          await openHttpTarget({ ...options, journal }),
          options.replace,
          told,
        );
        journal.finish();
        return result;
      } finally {
        journal.close();
        await source.close();
      }
    },
  };
}

async function run(
  source: ImportSource,
  target: ImportTarget,
  replace: boolean,
  { report: file, progress, refusal }: Told,
): Promise<ImportResult> {
  const report = openReport(file);
  try {
    return await runImport(source, target, { replace, report, progress, refusal });
  } finally {
    await target.close();
    report.close();
  }
}

/**
 * Exported templates of an earlier version are converted.
 * @throws OperatorError when they are of another pack and their crops are not to be embedded again
 */
function comparableSource(source: ImportSource, embedder: Embedder): ImportSource {
  const { embeddingSpec } = source;
  const own = embeddingSpecText(embedder.embeddingSpec);
  if (embeddingSpec === undefined || embeddingSpec === own) return source;
  const upgrade = upgradeOf(embedder, embeddingSpec);
  if (upgrade) return { ...source, people: withTemplates(source.people, upgrade) };
  throw new OperatorError(
    `the templates of the file are of the pack ${packName(embeddingSpec)}, this installation runs ${packName(own)}, and they cannot be compared; --reembed computes new ones from the crops that were kept`,
  );
}

function rulesOf(
  { limits, keepFaceCrops }: Config,
  { force, quality, singleFace }: Pick<StraightChoice, 'force' | 'quality' | 'singleFace'>,
): StraightOptions['rules'] {
  return {
    minimumFace: force ? 0 : limits.minFaceEnrol,
    singleFace: singleFace || limits.singleFace,
    quality,
    keepCrops: keepFaceCrops,
  };
}

function openSource(config: Config, choice: SourceChoice, perPerson: number): Promise<ImportSource> {
  const { imageBytes } = config.limits;
  if (choice.kind === 'people') return openPeopleFile(choice.path, choice, archiveSecret(config, choice));
  if (choice.kind === 'folder') return openFolder(choice.path, perPerson, imageBytes);
  if (choice.kind === 'csv') return openCsv(choice.path, perPerson, imageBytes);
  if (choice.kind === 'zip') return openZip(choice.path, choice.root, perPerson, imageBytes);
  if (choice.kind === 'compreface-api')
    return openCompreFaceApi(choice.api, choice.key, perPerson, imageBytes);
  return openCompreFaceSource(choice.database, choice.key, perPerson, imageBytes);
}
