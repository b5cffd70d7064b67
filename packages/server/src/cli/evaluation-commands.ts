import type { Calibration, PackChoice } from '@wajah/engine';
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { packChoice } from '../operator/pack-choice.ts';
import type { CommandDeps } from './program.ts';
import { table } from './terminal.ts';

/** What can be measured. */
export const evaluationTasks = [
  'verification',
  'identification',
  'mask',
  'eyes',
  'mouth',
  'pose',
  'spoof',
  'idcard',
  'detection',
] as const;
export type EvaluationTask = (typeof evaluationTasks)[number];

/** Pictures, and the models to look at them with. */
export interface EvaluationData {
  readonly data: string;
  readonly split: 'dev' | 'test';
  readonly cacheDir: string;
  readonly pack: PackChoice;
}

/** Figures under headings, with the evidence behind each. */
export interface EvaluationReport {
  readonly pack: string;
  readonly machine: string;
  readonly sections: readonly {
    readonly title: string;
    readonly figures: readonly { readonly what: string; readonly value: string; readonly evidence: string }[];
  }[];
  readonly notes: readonly string[];
  /** Files that were written. */
  readonly plots: readonly string[];
}

/** What the evaluation library does; it is loaded when it is meant, and knows the server, not the other way round. */
export interface EvaluationCommands {
  evaluate(
    request: EvaluationData & {
      readonly task: EvaluationTask;
      /** Folder for SVG files; undefined: none. */
      readonly plots: string | undefined;
      /** Markdown page with a block for the figures; undefined: none. */
      readonly out: string | undefined;
    },
  ): Promise<EvaluationReport>;
  calibrate(request: EvaluationData): Promise<EvaluationReport & { readonly calibration: Calibration }>;
}

/** Adds `evaluate` and `calibrate`. */
export function addEvaluationCommands(program: Command, deps: CommandDeps): void {
  addEvaluate(program, deps);
  addCalibrate(program, deps);
}

interface DataOptions {
  readonly data: string;
  readonly split: 'dev' | 'test';
  readonly json?: boolean;
}

function addEvaluate(program: Command, { evaluation, terminal }: CommandDeps): void {
  program
    .command('evaluate')
    .description('measure the pack in use on labelled pictures')
    .argument('<task>', `one of ${evaluationTasks.join(', ')}`, taskOf)
    .requiredOption('--data <folder>', 'labelled pictures, as evaluation/README.md lays them out')
    .option('--split <split>', 'dev or test', splitOf, 'test')
    .option('--plots <folder>', 'write SVG plots of verification, eyes, mouth or mask there')
    .option('--out <page>', 'replace the block "measured: <task> <split>" of a Markdown page by the figures')
    .option('--json', 'print JSON')
    .action(async (task: EvaluationTask, options: DataOptions & { plots?: string; out?: string }) => {
      const commands = await evaluation();
      const request = { ...(await dataOf(options)), task, plots: options.plots, out: options.out };
      const report = await asOperator(() => commands.evaluate(request));
      terminal.out(options.json ? JSON.stringify(report) : textOf(report));
    });
}

function addCalibrate(program: Command, deps: CommandDeps): void {
  program
    .command('calibrate')
    .description('make the curve of similarity from your own pictures of people, and install it')
    .option('--data <folder>', 'labelled pictures, or one folder of pictures for each person')
    .option('--split <split>', 'dev or test, of labelled pictures', splitOf, 'dev')
    .option('--install <place>', 'server, or <client_id>/<facegallery_id>', placeOf)
    .option('--remove <place>', 'go back to the curve that was there before, instead of making one', placeOf)
    .option('--json', 'print JSON')
    .action(async ({ data, ...options }: CalibrateOptions) => {
      if (options.remove) return install(deps, options.remove, null);
      if (data === undefined) throw new OperatorError('Name a folder of pictures: --data <folder>.');
      const commands = await deps.evaluation();
      const report = await asOperator(async () => commands.calibrate(await dataOf({ ...options, data })));
      deps.terminal.out(options.json ? JSON.stringify(report) : textOf(report));
      if (options.install) await install(deps, options.install, report.calibration);
    });
}

interface CalibrateOptions extends Omit<DataOptions, 'data'> {
  readonly data?: string;
  readonly install?: Place;
  readonly remove?: Place;
}

async function install(
  { admin, terminal }: CommandDeps,
  { clientId, galleryId }: Place,
  made: Calibration | null,
): Promise<void> {
  const calibration = made && { contract: { ...made.contract }, curve: { ...made.curve } };
  await admin((operations) => operations.installCalibration({ clientId, galleryId, calibration }));
  const done = calibration ? 'Installed for' : 'Removed from';
  terminal.note(
    galleryId === null
      ? `${done} the server: it counts from its next start.`
      : `${done} ${galleryId} of ${clientId}: it counts at once.`,
  );
}

interface Place {
  readonly clientId: string | null;
  readonly galleryId: string | null;
}

function placeOf(given: string): Place {
  if (given === 'server') return { clientId: null, galleryId: null };
  const slash = given.indexOf('/');
  if (slash < 1 || slash === given.length - 1) {
    throw new InvalidArgumentError('Allowed: server, or <client_id>/<facegallery_id>.');
  }
  return { clientId: given.slice(0, slash), galleryId: given.slice(slash + 1) };
}

function taskOf(given: string): EvaluationTask {
  const task = evaluationTasks.find((one) => one === given);
  if (task) return task;
  throw new InvalidArgumentError(`Allowed: one of ${evaluationTasks.join(', ')}.`);
}

function splitOf(given: string): 'dev' | 'test' {
  if (given === 'dev' || given === 'test') return given;
  throw new InvalidArgumentError('Allowed: dev or test.');
}

async function dataOf({ data, split }: DataOptions): Promise<EvaluationData> {
  const { engine, packs } = loadConfig();
  return { data, split, cacheDir: engine.cacheDir, pack: await packChoice(packs) };
}

/** What is wrong with the pictures or the pack is for the operator, not a defect. */
async function asOperator<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError || !(error instanceof Error)) throw error;
    throw new OperatorError(error.message, { cause: error });
  }
}

function textOf({ pack, machine, sections, notes, plots }: EvaluationReport): string {
  const parts = sections.map(({ title, figures }) => {
    const rows = figures.map(({ what, value, evidence }) => [what, value, evidence]);
    return table([title, '', ''], rows);
  });
  const written = plots.map((path) => `Wrote ${path}`);
  return [`${pack}; ${machine}`, ...parts, ...notes, ...written].join('\n\n');
}
