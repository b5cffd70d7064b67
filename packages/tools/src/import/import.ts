import { constants, setPriority } from 'node:os';
import type { Embedder } from '@wajah/engine';
import {
  type AdminOperations,
  type CommandDeps,
  type Config,
  followEnrolmentSettings,
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
import { archiveSecret } from '../archive.ts';
import { openCommandEmbedder } from '../embedder.ts';
import { openPeopleFile } from '../people-file.ts';
import { openCompreFaceApi, openCompreFaceSource } from './compreface-source.ts';
import { openCsv } from './csv-source.ts';
import { openFolder } from './folder-source.ts';
import { openHttpTarget, openJournal } from './http-target.ts';
import { type ImportOutcome, type ImportSource, withTemplates } from './people.ts';
import { type ImportResult, type ImportRun, printable, runImport } from './run.ts';
import { openStraightTarget, picturesPerWorker, type StraightOptions } from './store-target.ts';
import { openZip } from './zip-source.ts';

type Work = Pick<
  ToolCommands,
  'importFolder' | 'importCsv' | 'importZip' | 'importPeople' | 'importCompreFace'
>;
/** Options of every `import`. */
type ImportOptions = Omit<Parameters<Work['importFolder']>[1], 'path'> & {
  /** Limit that is the size of the smallest face. */
  readonly leastFace?: 'minFace' | 'minFaceEnrol';
};

/** Opens the people to import. */
type OpenSource = (config: Config) => Promise<ImportSource>;

/** `wajah import …` */
export const importCommands: Work = {
  importFolder: (deps, { path, ...options }) =>
    importFrom(deps, options, ({ limits }) => openFolder(path, options.pictures, limits.imageBytes)),
  importCsv: (deps, { path, ...options }) =>
    importFrom(deps, options, ({ limits }) => openCsv(path, options.pictures, limits.imageBytes)),
  importZip: (deps, { path, root = '', ...options }) =>
    importFrom(deps, options, ({ limits }) => openZip(path, root, options.pictures, limits.imageBytes)),
  importPeople: async (deps, { path, from, reembed, passphraseFile, keyFile, ...options }) => {
    if (options.url !== undefined)
      throw new OperatorError('people: templates are not sent over HTTP; leave --url out');
    const secret = { passphraseFile, keyFile };
    await importFrom(deps, options, async (config) =>
      openPeopleFile(path, { from, reembed }, archiveSecret(config, secret)),
    );
  },
  importCompreFace: async (deps, { api, database, key: given, ...others }) => {
    const options = { ...others, leastFace: 'minFace' } as const;
    const key = given === '-' ? await deps.terminal.readLine() : given;
    const { pictures } = options;
    if (database !== undefined) {
      return importFrom(deps, options, ({ limits }) =>
        openCompreFaceSource(database, key, pictures, limits.imageBytes),
      );
    }
    if (api === undefined || key === undefined) {
      throw new OperatorError('compreface: give --api and --key, or --database');
    }
    await importFrom(deps, options, ({ limits }) => openCompreFaceApi(api, key, pictures, limits.imageBytes));
  },
};

async function importFrom(deps: CommandDeps, options: ImportOptions, open: OpenSource): Promise<void> {
  const { terminal } = deps;
  const { url, report, replace } = options;
  const progress = showProgress(options.dryRun ? 'checked' : 'imported', terminal, 'pictures');
  const refusals = refusalNotes(terminal, report);
  const run: ImportRun = { replace, report, progress: progress.update, refusal: refusals.add };
  const noting: OpenSource = async (config) => {
    const source = await open(config);
    if (source.note) terminal.note(printable(source.note));
    return source;
  };
  const { pictures, people, reasons, missed } = await (url === undefined
    ? intoStore(deps, options, noting, run)
    : intoServer(deps, url, options, noting, run)
  ).finally(progress.end);
  refusals.end();
  terminal.out(table(['pictures', ''], countsOf(Object.entries(pictures))));
  if (reasons.size > 0) {
    const ordered = [...reasons].sort(([, a], [, b]) => b - a);
    terminal.out(table(['not imported', 'pictures'], countsOf(ordered)));
  }
  terminal.out(`${people} ${people === 1 ? 'person' : 'people'} enrolled.`);
  if (missed === 0) return;
  const who = missed === 1 ? '1 person is' : `${missed} people are`;
  throw new OperatorError(`${who} not enrolled: no picture of them was taken, for the reasons above`);
}

const countsOf = (counts: readonly (readonly [name: string, count: number])[]) =>
  counts.map(([name, count]) => [printable(name), String(count)]);

async function intoStore(
  { reach, env, terminal }: CommandDeps,
  { client: clientId, gallery: galleryId, ...options }: ImportOptions,
  open: OpenSource,
  run: ImportRun,
): Promise<ImportResult> {
  if (clientId === undefined) {
    throw new OperatorError(
      '--client is missing: the client that the gallery belongs to (or --url and --token)',
    );
  }
  const written = await reach((perform) => operationsOf(perform).readSettings({}));
  const { config, notice } = await followEnrolmentSettings(loadConfig(env), written);
  if (notice) terminal.note(notice);
  const { createGallery: create, dryRun, replace, duplicates = 'ignore' } = options;
  const rules = rulesOf(config, options);
  const target: StraightOptions = { clientId, galleryId, create, replace, duplicates, dryRun, rules };
  return importIntoStore(config, open, target, run, (work) =>
    reach((perform) => work(operationsOf(perform))),
  );
}

/**
 * Enrols the people of a source in a gallery of this installation.
 * @param reach runs work in the process that owns the store
 */
export async function importIntoStore(
  config: Config,
  open: OpenSource,
  options: StraightOptions,
  run: ImportRun,
  reach: <T>(work: (operations: AdminOperations) => Promise<T>) => Promise<T>,
): Promise<ImportResult> {
  const source = await open(config);
  // A server on the same machine keeps its speed.
  setPriority(constants.priority.PRIORITY_LOW);
  const engine = await openCommandEmbedder(config, await packChoice(config.packs), picturesPerWorker);
  try {
    const comparable = comparableSource(source, engine.embedder);
    return await reach(async (operations) =>
      runImport(comparable, await openStraightTarget(config, operations, engine, options), run),
    );
  } finally {
    await engine.embedder.close();
    await source.close();
  }
}

async function intoServer(
  { terminal, env }: CommandDeps,
  url: string,
  options: ImportOptions,
  open: OpenSource,
  run: ImportRun,
): Promise<ImportResult> {
  const { token: given, gallery: galleryId, duplicates } = options;
  if (options.client !== undefined)
    throw new OperatorError('--client is not used with --url: the token names it');
  if (duplicates === 'report')
    throw new OperatorError('--duplicates report is not possible with --url; use refuse');
  const token = given === '-' ? await terminal.readLine() : given;
  if (token === undefined)
    throw new OperatorError('--token is missing: an API token with the scope enrol and read');
  const source = await open(loadConfig(env));
  const journal = openJournal(options.journal);
  try {
    const refuseDuplicates = duplicates === 'refuse';
    const target = await openHttpTarget({ ...options, url, token, galleryId, refuseDuplicates, journal });
    const result = await runImport(source, target, run);
    journal.finish();
    return result;
  } finally {
    journal.close();
    await source.close();
  }
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
  {
    force,
    leastFace = 'minFaceEnrol',
    checkQuality,
    checkSingleFace,
  }: Pick<ImportOptions, 'force' | 'leastFace' | 'checkQuality' | 'checkSingleFace'>,
): StraightOptions['rules'] {
  return {
    minimumFace: force ? 0 : limits[leastFace],
    sameFace: !force,
    singleFace: checkSingleFace,
    quality: checkQuality,
    keepCrops: keepFaceCrops !== false,
  };
}
