import { operatorEndpoints } from '@wajah/contract';
import type { Calibration, EmbeddingSpec, PackChoice } from '@wajah/engine';
import {
  asOperatorError,
  type CommandDeps,
  type Environment,
  type EvaluationTask,
  type ImpostorProducts,
  loadConfig,
  OperatorError,
  packChoice,
  type ToolCommands,
  table,
} from '@wajah/server/commands';
import { embeddingSpecText } from '@wajah/server/faces';

/** Labelled pictures, and the pack that is measured on them. */
export interface EvaluationData {
  readonly data: string;
  readonly split: 'dev' | 'test';
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
    request: Pick<EvaluationData, 'pack'>,
    measure: (spec: EmbeddingSpec) => Promise<ImpostorProducts>,
  ): ReturnType<EvaluationCommands['calibrate']>;
}

/** The evaluation library depends on this package. @throws OperatorError where it is not installed */
export const openEvaluation = async ({ library }: Pick<CommandDeps, 'library'>) =>
  (await library('evaluation')) as EvaluationCommands;

/** The evaluation library reports unusable pictures and packs by plain errors; a TypeError is a defect. */
export const isRefusal = (error: Error) => !(error instanceof TypeError);

type Work = Pick<ToolCommands, 'evaluate' | 'calibrate'>;

/** `wajah evaluate`, `wajah calibrate` */
export const evaluationCommands: Work = {
  evaluate: async (deps, { json, data, split, ...options }) => {
    const library = await openEvaluation(deps);
    const request = { ...(await dataOf(data, split, deps.env)), ...options };
    const report = await asOperatorError(() => library.evaluate(request), isRefusal);
    deps.terminal.out(json ? JSON.stringify(report) : textOf(report));
  },
  calibrate: async (deps, { json, remove, install: place, ...options }) => {
    const named = namedGallery(options);
    if (remove) return install(deps, targetOf(remove, named), null);
    const target = place && targetOf(place, named);
    const report = await fitted(deps, options, named);
    deps.terminal.out(json ? JSON.stringify(report) : textOf(report));
    if (target) await install(deps, target, report.calibration);
  },
};

type Options = Parameters<Work['calibrate']>[1];
type Fitting = Pick<Options, 'data' | 'gallery' | 'split'>;

/** A gallery; both null: the server, or all galleries. */
interface Place {
  readonly clientId: string | null;
  readonly galleryId: string | null;
}

const server: Place = { clientId: null, galleryId: null };

/** @throws OperatorError when one of client and gallery is missing */
function namedGallery({ gallery, client }: Pick<Options, 'gallery' | 'client'>): Place {
  const galleryId = typeof gallery === 'string' ? gallery : null;
  if ((galleryId === null) === (client === undefined)) return { clientId: client ?? null, galleryId };
  throw new OperatorError('A gallery is named by both, --client <client_id> and --gallery <facegallery_id>.');
}

/** @throws OperatorError when a gallery is meant and none is named */
function targetOf(place: 'server' | 'gallery', named: Place): Place {
  if (place === 'server') return server;
  if (named.galleryId !== null) return named;
  throw new OperatorError('Name the gallery: --client <client_id> --gallery <facegallery_id>.');
}

/** @throws OperatorError */
async function fitted(deps: CommandDeps, { data, gallery, split }: Fitting, named: Place) {
  if (data === undefined ? gallery === undefined : gallery === true) {
    throw new OperatorError(
      'Name what to measure: --gallery for the enrolled people, or --data <folder> for pictures; not both.',
    );
  }
  const library = await openEvaluation(deps);
  const request = await dataOf(data ?? '', split, deps.env);
  if (data !== undefined) return asOperatorError(() => library.calibrate(request), isRefusal);
  const measure = (spec: EmbeddingSpec) => {
    deps.terminal.note('Comparing the enrolled people with each other …');
    const fields = { ...placeOf(named), embedding_spec: embeddingSpecText(spec) };
    return deps.callAsOperator(async (call) => {
      const { other_galleries: otherGalleries, ...counted } = await call(
        operatorEndpoints.measureImpostors,
        fields,
      );
      return { ...counted, otherGalleries } as unknown as ImpostorProducts;
    });
  };
  return asOperatorError(() => library.calibrateGalleries(request, measure), isRefusal);
}

async function install(
  { callAsOperator, terminal }: CommandDeps,
  { clientId, galleryId }: Place,
  fitted: Calibration | null,
): Promise<void> {
  const calibration = fitted && { contract: { ...fitted.contract }, curve: { ...fitted.curve } };
  const fields = { ...placeOf({ clientId, galleryId }), calibration };
  await callAsOperator((call) => call(operatorEndpoints.installCalibration, fields));
  const done = calibration ? 'Installed for' : 'Removed from';
  terminal.note(
    galleryId === null
      ? `${done} the server: it applies from its next start.`
      : `${done} ${galleryId} of ${clientId}: it applies at once.`,
  );
}

const placeOf = ({ clientId, galleryId }: Place) => ({
  client_id: clientId ?? undefined,
  facegallery_id: galleryId ?? undefined,
});

async function dataOf(data: string, split: 'dev' | 'test', env?: Environment): Promise<EvaluationData> {
  const { packs } = loadConfig(env);
  return { data, split, pack: await packChoice(packs) };
}

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
