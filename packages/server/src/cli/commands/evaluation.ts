import type { Calibration, EmbeddingSpec, PackChoice } from '@wajah/engine';
import { type Command, InvalidArgumentError } from 'commander';
import { type Environment, loadConfig } from '../../config/config.ts';
import { asOperatorError, OperatorError } from '../../errors.ts';
import type { ImpostorProducts } from '../../services/recognition/impostor-products.ts';
import type { RecordedJudgement } from '../../services/recordings/judgement.ts';
import { type CommandDeps, oneOf } from '../command.ts';
import { table } from '../terminal.ts';

/** What `wajah evaluate` measures. */
const evaluationTasks = [
  'verification',
  'identification',
  'cohort',
  'mask',
  'eyes',
  'mouth',
  'pose',
  'pad',
  'idcard',
  'detection',
  'sessions',
  'light',
] as const;
export type EvaluationTask = (typeof evaluationTasks)[number];

/** Labelled pictures, and the pack that is measured on them. */
export interface EvaluationData {
  readonly data: string;
  readonly split: 'dev' | 'test';
  readonly cacheDir: string;
  readonly pack: PackChoice;
}

/** Measured figures under headings, each with its evidence. */
export interface EvaluationReport {
  readonly pack: string;
  readonly machine: string;
  readonly sections: readonly {
    readonly title: string;
    readonly figures: readonly { readonly what: string; readonly value: string; readonly evidence: string }[];
  }[];
  readonly notes: readonly string[];
  /** Paths of the written files. */
  readonly plots: readonly string[];
}

/** The interface of the evaluation library, which depends on the server and is imported on use. */
export interface EvaluationCommands {
  evaluate(
    request: EvaluationData & {
      readonly task: EvaluationTask;
      /** Folder of SVG files; undefined: none are written. */
      readonly plots: string | undefined;
      /** Folder of a file with the figures; undefined: none is written. */
      readonly out: string | undefined;
      /** For sessions: parts of the names of attack species; undefined: all, and the honest sessions. */
      readonly species?: readonly string[] | undefined;
      /** For sessions: sessions of each attack species, and up to four of each film. */
      readonly limit?: number | undefined;
      /** For sessions: folder where generated frames are stored and found again. */
      readonly frames?: string | undefined;
    },
  ): Promise<EvaluationReport>;
  calibrate(request: EvaluationData): Promise<EvaluationReport & { readonly calibration: Calibration }>;
  /** @param measure reads the galleries of the server */
  calibrateGalleries(
    request: Pick<EvaluationData, 'cacheDir' | 'pack'>,
    measure: (spec: EmbeddingSpec) => Promise<ImpostorProducts>,
  ): ReturnType<EvaluationCommands['calibrate']>;
  /** Of labelled sessions in order of time. */
  evaluateRecorded(request: {
    readonly sessions: readonly (RecordedJudgement & {
      /** Species of the attack; null: bona fide. */
      readonly attack: string | null;
    })[];
    /** Spoof threshold to measure; null: the one in force when the last session was judged. */
    readonly threshold: number | null;
  }): Pick<EvaluationReport, 'sections' | 'notes'>;
}

/** What the commands of the evaluation work with. */
export interface EvaluationDeps extends CommandDeps {
  evaluation(): Promise<EvaluationCommands>;
}

/** Adds `evaluate` and `calibrate`. */
export function addEvaluationCommands(program: Command, deps: EvaluationDeps): void {
  addEvaluate(program, deps);
  addCalibrate(program, deps);
}

/** `spoof` is the former name of `pad`. */
function taskOf(given: string): EvaluationTask {
  return oneOf(evaluationTasks)(given === 'spoof' ? 'pad' : given);
}

interface DataOptions {
  readonly data: string;
  readonly split: 'dev' | 'test';
  readonly json?: boolean;
}

function addEvaluate(program: Command, { evaluation, terminal, env }: EvaluationDeps): void {
  program
    .command('evaluate')
    .description('measure the accuracy of the pack in use on labelled pictures')
    .argument('<task>', `one of ${evaluationTasks.join(', ')}`, taskOf)
    .requiredOption('--data <folder>', 'labelled pictures in the layout of evaluation/README.md')
    .option('--split <split>', 'dev or test', oneOf(['dev', 'test']), 'test')
    .option('--plots <folder>', 'write SVG plots of verification, eyes, mouth or mask there')
    .option('--out <folder>', 'write the figures there as <task>-<split>.json')
    .option('--species <names>', 'sessions: parts of names of attack species, separated by commas', listOf)
    .option(
      '--limit <count>',
      'sessions: sessions of each attack species and, up to 4, of each film (default: 5)',
      countOf,
    )
    .option('--frames <folder>', 'sessions: store generated frames there, and reuse them')
    .option('--json', 'print JSON')
    .action(async (task: EvaluationTask, options: EvaluateOptions) => {
      const commands = await evaluation();
      const { plots, out, species, limit, frames } = options;
      const data = await dataOf(options, env);
      const request = { ...data, task, plots, out, species, limit, frames };
      const report = await asOperatorError(() => commands.evaluate(request), isRefusal);
      terminal.out(options.json ? JSON.stringify(report) : textOf(report));
    });
}

interface EvaluateOptions extends DataOptions {
  readonly plots?: string;
  readonly out?: string;
  readonly species?: string[];
  readonly limit?: number;
  readonly frames?: string;
}

function listOf(given: string): string[] {
  const names = given.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('Allowed: names separated by commas.');
}

function countOf(given: string): number {
  const count = Number(given);
  if (Number.isInteger(count) && count >= 2) return count;
  throw new InvalidArgumentError('Allowed: whole numbers from 2 on.');
}

function addCalibrate(program: Command, deps: EvaluationDeps): void {
  program
    .command('calibrate')
    .description(
      'fit a calibration curve of similarity scores to the people of the galleries, or to pictures of people, and install it',
    )
    .option('--data <folder>', 'labelled pictures, or one folder of pictures for each person')
    .option(
      '--gallery [place]',
      'the enrolled people instead of pictures: of <client_id>/<facegallery_id>, or of all galleries',
      galleryOf,
    )
    .option('--split <split>', 'dev or test, of labelled pictures', oneOf(['dev', 'test']), 'dev')
    .option('--install <place>', 'server, or <client_id>/<facegallery_id>', placeOf)
    .option('--remove <place>', 'remove the installed curve instead of fitting one', placeOf)
    .option('--json', 'print JSON')
    .action(async (options: CalibrateOptions) => {
      if (options.remove) return install(deps, options.remove, null);
      const report = await fitted(deps, options);
      deps.terminal.out(options.json ? JSON.stringify(report) : textOf(report));
      if (options.install) await install(deps, options.install, report.calibration);
    });
}

/** @throws OperatorError */
async function fitted(deps: EvaluationDeps, { data, gallery, ...options }: CalibrateOptions) {
  if ((data === undefined) === (gallery === undefined)) {
    throw new OperatorError(
      'Name what to measure: --gallery for the enrolled people, or --data <folder> for pictures; not both.',
    );
  }
  const commands = await deps.evaluation();
  const request = await dataOf({ ...options, data: data ?? '' }, deps.env);
  if (gallery === undefined) return asOperatorError(() => commands.calibrate(request), isRefusal);
  const selection = gallery === true ? { clientId: null, galleryId: null } : gallery;
  const { embeddingSpecText } = await import('../../services/galleries/embedding-spec.ts');
  const measure = (spec: EmbeddingSpec) => {
    deps.terminal.note('Comparing the enrolled people with each other …');
    return deps.admin((operations) =>
      operations.measureImpostors({ ...selection, embeddingSpec: embeddingSpecText(spec) }),
    );
  };
  return asOperatorError(() => commands.calibrateGalleries(request, measure), isRefusal);
}

interface CalibrateOptions extends Omit<DataOptions, 'data'> {
  readonly data?: string;
  /** True: all. */
  readonly gallery?: Place | true;
  readonly install?: Place;
  readonly remove?: Place;
}

async function install(
  { admin, terminal }: EvaluationDeps,
  { clientId, galleryId }: Place,
  fitted: Calibration | null,
): Promise<void> {
  const calibration = fitted && { contract: { ...fitted.contract }, curve: { ...fitted.curve } };
  await admin((operations) => operations.installCalibration({ clientId, galleryId, calibration }));
  const done = calibration ? 'Installed for' : 'Removed from';
  terminal.note(
    galleryId === null
      ? `${done} the server: it applies from its next start.`
      : `${done} ${galleryId} of ${clientId}: it applies at once.`,
  );
}

interface Place {
  readonly clientId: string | null;
  readonly galleryId: string | null;
}

function placeOf(given: string): Place {
  return given === 'server' ? { clientId: null, galleryId: null } : galleryOf(given);
}

function galleryOf(given: string): Place {
  const slash = given.indexOf('/');
  if (slash < 1 || slash === given.length - 1) {
    throw new InvalidArgumentError('Allowed: <client_id>/<facegallery_id>; to install, also server.');
  }
  return { clientId: given.slice(0, slash), galleryId: given.slice(slash + 1) };
}

async function dataOf({ data, split }: DataOptions, env?: Environment): Promise<EvaluationData> {
  const { engine, packs } = loadConfig(env);
  const { packChoice } = await import('../../config/pack-choice.ts');
  return { data, split, cacheDir: engine.cacheDir, pack: await packChoice(packs) };
}

/** The evaluation library reports unusable pictures and packs by plain errors; a TypeError is a defect. */
export const isRefusal = (error: Error) => !(error instanceof TypeError);

function textOf({ pack, machine, plots, ...report }: EvaluationReport): string {
  const written = plots.map((path) => `Wrote ${path}`);
  return [`${pack}; ${machine}`, ...sectionsText(report), ...written].join('\n\n');
}

/** A table for each section, then the notes. */
export function sectionsText({ sections, notes }: Pick<EvaluationReport, 'sections' | 'notes'>): string[] {
  const tables = sections.map(({ title, figures }) => {
    const rows = figures.map(({ what, value, evidence }) => [what, value, evidence]);
    return table([title, '', ''], rows);
  });
  return [...tables, ...notes];
}
