import { resolve } from 'node:path';
import {
  type Enrolee,
  enrolPeople,
  groupPeople,
  type IdReading,
  isWajahError,
  limitPictures,
  namesOf,
  type WajahClient,
  type WajahError,
} from '@wajah/client';
import { peopleInFolder } from '@wajah/client/node';
import { escapeUnprintable } from '@wajah/contract';
import {
  type CommandDeps,
  loadConfig,
  OperatorError,
  showProgress,
  type Terminal,
  type ToolCommands,
  table,
} from '@wajah/server/commands';
import { alikeIdsNotice } from './alike-ids.ts';
import { openCompreFaceApi, openCompreFaceSource } from './compreface-source.ts';
import { openCsv } from './csv-source.ts';
import { withoutWriting } from './dry-run.ts';
import { openJournal } from './journal.ts';
import {
  createTally,
  type ImportOutcome,
  type ImportTally,
  openReport,
  outcomeOf,
  outcomeOfLeftOut,
  outcomesOf,
  refusalNotes,
} from './report.ts';
import { type Server, serverOf } from './server.ts';
import type { ImportSource, PictureLimits } from './source.ts';

type Work = Pick<ToolCommands, 'importFolder' | 'importCsv' | 'importCompreFace'>;
/** Options of every `import`. */
type ImportOptions = Omit<Parameters<Work['importFolder']>[1], 'path'>;

/** Opens the people to import. */
type OpenSource = (limits: PictureLimits) => Promise<ImportSource>;

/** `wajah import …` */
export const importCommands: Work = {
  importFolder: (deps, { path, ...options }) =>
    importFrom(deps, options, (limits) => openFolder(path, limits)),
  importCsv: (deps, { path, idsAsWritten, ...options }) =>
    importFrom(deps, options, async (limits) => ({ ...(await openCsv(path, limits)), idsAsWritten })),
  importCompreFace: async (deps, { api, database, key: given, ...options }) => {
    const key = given === '-' ? await deps.terminal.readLine() : given;
    if (database !== undefined)
      return importFrom(deps, options, (limits) => openCompreFaceSource(database, key, limits));
    if (api === undefined || key === undefined)
      throw new OperatorError('compreface: give --api and --key, or --database');
    await importFrom(deps, options, (limits) => openCompreFaceApi(api, key, limits));
  },
};

/** @throws OperatorError when the folder cannot be read */
export async function openFolder(folder: string, limits: PictureLimits): Promise<ImportSource> {
  const found = await peopleInFolder(folder, { ...limits, personOf: namesOf }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new OperatorError(`${folder} cannot be read (${error.code}); name a folder`, { cause: error });
    },
  );
  return { ...found, idsAsWritten: true };
}

async function importFrom(deps: CommandDeps, options: ImportOptions, open: OpenSource): Promise<void> {
  const { terminal, env } = deps;
  const atServer = await serverOf(deps, options);
  const tally = createTally();
  let former: string[] = [];
  await atServer(async (server) => {
    const { imageBytes: maxBytes } = loadConfig(env).limits;
    const source = await open({ maxBytes });
    if (source.note) terminal.note(escapeUnprintable(source.note));
    const { people, refused, total } = planOf(source, options.pictures);
    const alike = alikeIdsNotice(people.map(({ user_id }) => user_id));
    if (alike) terminal.note(escapeUnprintable(alike));
    const outcomes = collectOutcomes(terminal, options, { tally, total });
    try {
      for (const outcome of refused) outcomes.add(outcome);
      const work = { ...options, ...source, terminal, maxBytes };
      await interruptible(terminal, options, () => enrol(server, people, work, outcomes.add));
      former = await enrolledOf(server, tally.missed());
    } finally {
      outcomes.close();
      await source.close?.();
    }
  });
  conclude(deps, { tally, former }, options.dryRun);
}

/** Who is enrolled of people of whom no picture was taken. @throws OperatorError */
async function enrolledOf({ gallery, refusalOf }: Server, missed: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  if (missed.size === 0) return found;
  try {
    for await (const { user_id } of gallery.people({ pageSize: 10_000 }))
      if (missed.has(user_id)) found.push(user_id);
  } catch (error) {
    // Of a dry run: it would be created.
    if (!isWajahError(error) || error.code !== 'galleryNotFound') throw refusalOf(error);
  }
  return found;
}

const goesOn = (journal: string) => `goes on, with the journal ${resolve(journal)}.`;

/** Ctrl-C ends the command at once; it says how to go on. */
async function interruptible(
  { note }: Pick<Terminal, 'note'>,
  { journal, dryRun }: Pick<ImportOptions, 'journal' | 'dryRun'>,
  work: () => Promise<void>,
): Promise<void> {
  const stop = () => {
    if (!dryRun) note(`\nInterrupted. The same command ${goesOn(journal)}`);
    process.exit(130);
  };
  process.once('SIGINT', stop);
  await work().finally(() => process.off('SIGINT', stop));
}

/** Whom a source has, and what is refused before any picture is read. @param most pictures of a person */
function planOf({ people, left_out, ...reading }: ImportSource, most: number) {
  const grouped = groupPeople(people, reading);
  const taken = limitPictures(grouped.people, most);
  const refused = [
    ...[...left_out, ...taken.left_out].map(outcomeOfLeftOut),
    ...grouped.refused.flatMap(({ person, error }) => outcomesOf(person, error)),
  ];
  const pictures = taken.people.reduce((sum, person) => sum + person.pictures.length, 0);
  return { people: taken.people, refused, total: pictures + refused.length };
}

/** The report, the terminal and the counts of an import. */
function collectOutcomes(
  terminal: Terminal,
  { report: file, dryRun }: Pick<ImportOptions, 'report' | 'dryRun'>,
  { tally, total }: { readonly tally: ImportTally; readonly total: number },
) {
  const report = openReport(file);
  const refusals = refusalNotes(terminal, file);
  const progress = showProgress(dryRun ? 'checked' : 'imported', terminal, 'pictures');
  let done = 0;
  return {
    add(outcome: ImportOutcome): void {
      for (const one of [report, refusals, tally]) one.add(outcome);
      done += 1;
      progress.update(done, total);
    },
    close(): void {
      progress.end();
      report.close();
      refusals.end();
    },
  };
}

/** People whom the last sentence names. */
const namedPeople = 20;

function conclude(
  { terminal }: CommandDeps,
  { tally, former }: { readonly tally: ImportTally; readonly former: readonly string[] },
  dryRun: boolean,
): void {
  const { pictures, reasons, people, readable } = tally;
  if (pictures.size === 0) terminal.note('Nothing to import: there is no picture, and no row of a person.');
  else terminal.out(table(['pictures', ''], countsOf(pictures)));
  if (reasons.size > 0) {
    const ordered = [...reasons].sort(([, a], [, b]) => b - a);
    terminal.out(table(['not imported', 'pictures'], countsOf(ordered)));
  }
  const [count, done] = dryRun
    ? [readable(), 'with pictures; none was sent, and no face was looked for']
    : [people(), 'enrolled'];
  terminal.out(`${count} ${count === 1 ? 'person' : 'people'} ${done}.`);
  const missed = tally.missed().size - former.length;
  const out = missed > 0 ? [`${peopleAre(missed)} not enrolled`] : [];
  if (former.length > 0) {
    const more = former.length > namedPeople ? ` and ${former.length - namedPeople} others` : '';
    const names = former.slice(0, namedPeople).map(escapeUnprintable).join(', ');
    out.push(`${peopleAre(former.length)} still enrolled with the former face (${names}${more})`);
  }
  if (out.length > 0)
    throw new OperatorError(`${out.join(', and ')}: no picture of them was taken, for the reasons above`);
}

const peopleAre = (count: number) => (count === 1 ? '1 person is' : `${count} people are`);

const countsOf = (counts: Iterable<readonly [name: string, count: number]>) =>
  [...counts].map(([name, count]) => [escapeUnprintable(name), String(count)]);

/** Says that a server is away, once in a minute: its calls are repeated for five. */
function sayWaiting({ note }: Terminal): (failure: WajahError) => void {
  let next = 0;
  return ({ status, message }) => {
    if (status !== 'network' || Date.now() < next) return;
    next = Date.now() + 60_000;
    note(`Waiting for the server, up to five minutes: ${message}`);
  };
}

/** @throws OperatorError when the server does not answer, or refuses the token or the gallery */
async function enrol(
  server: Server,
  people: readonly Enrolee[],
  options: ImportOptions & IdReading & PictureLimits & Pick<CommandDeps, 'terminal'>,
  add: (outcome: ImportOutcome) => void,
): Promise<void> {
  const { dryRun, replace, force, journal: file, idsAsWritten = false } = options;
  const journal = openJournal(file, dryRun);
  // To go on without --replace would erase those who were replaced as if they had been new.
  const requireJournal = async () =>
    journal.requireOf(`${await server.placeOf()}${replace ? ', with --replace' : ''}`);
  try {
    await requireJournal();
    const gallery = dryRun ? await withoutWriting(server, options) : server.gallery;
    if (options.createGallery && !dryRun) {
      await createGallery(server.wajah, gallery.facegallery_id);
      await requireJournal();
    }
    await enrolPeople(gallery, people, {
      replace,
      idsAsWritten,
      concurrency: options.parallel,
      force_register: force,
      check_quality: options.checkQuality,
      check_single_face: options.checkSingleFace,
      check_duplicate: options.duplicates === 'refuse',
      unfinished: journal.unfinished,
      onProgress: ({ result }) => add(outcomeOf(result, dryRun)),
      onWait: sayWaiting(options.terminal),
    });
    journal.finish();
  } catch (error) {
    const refusal = server.refusalOf(error);
    if (journal.hasBegun())
      options.terminal.note(`Stopped. Once the cause is mended, the same command ${goesOn(file)}`);
    throw refusal;
  } finally {
    journal.close();
  }
}

async function createGallery(wajah: WajahClient, facegallery_id: string): Promise<void> {
  await wajah.createGallery({ facegallery_id }).catch((error: unknown) => {
    if (!isWajahError(error) || error.code !== 'galleryExists') throw error;
  });
}
