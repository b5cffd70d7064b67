import { type Engine, openEngineInThread, type PackChoice } from '@wajah/engine';
import type { OpenPack } from '@wajah/engine/training';
import type { EvaluationCommands, EvaluationData, EvaluationReport, EvaluationTask } from '@wajah/tools';
import { fitCohort } from './cohort/fit-cohort.ts';
import { cohortSections } from './cohort/report.ts';
import { EvalFolder } from './data/eval-folder.ts';
import { foldersOfPeople, peopleIn } from './data/people-folder.ts';
import { standardPairsIn } from './data/standard-pairs.ts';
import { strangersIn } from './data/strangers.ts';
import { readCards } from './idcard/cards.ts';
import { cardSections } from './idcard/measure.ts';
import { selfieSections } from './idcard/selfies.ts';
import { verificationFaces } from './measure/analyze.ts';
import { detectionFigures } from './measure/detection.ts';
import type { Figure, ReportSection } from './measure/figure.ts';
import { poseFigures } from './measure/pose.ts';
import { type Measured, measureInto } from './measure/report.ts';
import { eyeAndMouthFigures, maskFigures } from './measure/states.ts';
import { calibrationFrom } from './people/calibration.ts';
import { calibrationOfGalleries } from './people/gallery-calibration.ts';
import { identificationSections } from './people/identification.ts';
import { referenceCountSections } from './people/references.ts';
import { standardSection } from './people/standard-pairs.ts';
import { acquired, computeTemplates } from './people/templates.ts';
import {
  calibrationFigures,
  calibrationSections,
  dataFigures,
  verificationSections,
} from './people/verification.ts';
import { writePeoplePlots } from './plots/people.ts';
import { evaluatePresentations } from './presentations/evaluate.ts';
import { machine, withPackOf } from './run/command.ts';
import { measureSessions } from './sessions/measure-sessions.ts';

type Request = Parameters<EvaluationCommands['evaluate']>[0];
type Report = EvaluationReport & Measured;

/** `wajah evaluate`. With `out` the report is also written into a file of that folder. */
export async function evaluate(request: Request): Promise<Report> {
  const { out, task, split, pack } = request;
  if (out === undefined) return measured(request);
  const name = resultName(task, split, pack);
  return measureInto(out, name, () => measured(request));
}

/** Name of the file of a measurement. @example resultName('pad', 'test', builtin) // 'pad-test' */
export function resultName(
  task: EvaluationTask,
  split: 'dev' | 'test',
  { id, withoutPadNetworks }: PackChoice,
): string {
  const words = [...(id === 'builtin' ? [] : [id]), task, ...(task === 'pairs' ? [] : [split])];
  return [...words, ...(withoutPadNetworks ? ['without-pad-pack'] : [])].join('-');
}

async function measured(request: Request): Promise<Report> {
  const { task } = request;
  if (task === 'verification' || task === 'identification') return evaluatePeople(request, task);
  if (task === 'pairs') return evaluatePairs(request);
  if (task === 'cohort') return evaluateCohort(request);
  if (task === 'idcard') return evaluateCards(request);
  if (task === 'sessions') return evaluateSessions(request);
  if (task === 'pad') return evaluatePad(request);
  const engine = await openEngineInThread({ ...request, image: { maxBytes: 64 << 20, maxPixels: 100e6 } });
  try {
    const { pack, version } = engine.embeddingSpec;
    const folder = new EvalFolder(request.data);
    const sections = await sectionsOf[task](engine, folder, request.split);
    return { ...about(`${pack} ${version}`, request), sections, notes: [], plots: [] };
  } finally {
    await engine.close();
  }
}

/** `wajah calibrate`. @throws Error when there are too few pictures */
export async function calibrate(request: EvaluationData): ReturnType<EvaluationCommands['calibrate']> {
  return withPackOf(request.pack, async (pack) => {
    const samples = await computeTemplates(pack, peopleIn(request.data, request.split));
    const { calibration: fitted, figures } = calibrationFrom(pack.embeddingSpec, samples, pack.curve);
    const cohort = await fitCohort(acquired(samples));
    const calibration = cohort ? { ...fitted, curve: { ...fitted.curve, cohort } } : fitted;
    const before = pack.curve
      ? [
          {
            title: "Claimed and measured FMR, the pack's curve",
            figures: calibrationFigures(samples, pack.curve),
          },
        ]
      : [];
    const sections = [{ title: 'Calibration', figures }, ...before];
    return { ...about(nameOf(pack), request), sections, notes: [], plots: [], calibration };
  });
}

/** `wajah calibrate --gallery`. @throws Error when there is no impostor pair, or nothing is known of the pack's scores */
export async function calibrateGalleries(
  { pack: choice }: Pick<EvaluationData, 'pack'>,
  measure: Parameters<EvaluationCommands['calibrateGalleries']>[1],
): ReturnType<EvaluationCommands['calibrate']> {
  return withPackOf(choice, async (pack) => {
    if (!pack.curve)
      throw new Error('the pack has neither a curve nor published operating points to go on from');
    const { calibration, figures } = calibrationOfGalleries(
      pack.embeddingSpec,
      await measure(pack.embeddingSpec),
      pack.curve,
    );
    const sections = [{ title: 'Calibration by the people of the galleries', figures }];
    const head = { pack: nameOf(pack), machine: machine() };
    return { ...head, sections, notes: [pairsNote], plots: [], calibration };
  });
}

async function evaluatePeople(request: Request, task: 'verification' | 'identification'): Promise<Report> {
  return withPackOf(request.pack, async (pack) => {
    const samples = await computeTemplates(pack, peopleIn(request.data, request.split));
    const operation = { threshold: pack.manifest.threshold, curve: pack.curve };
    const report = { ...about(nameOf(pack), request), notes: [pairsNote] };
    if (task === 'identification') {
      const notes = [...report.notes, drawsNote];
      return { ...report, notes, sections: identificationSections(samples, operation), plots: [] };
    }
    const sections = [
      ...verificationSections(samples, operation),
      ...referenceCountSections(samples, operation),
    ];
    if (pack.curve) {
      sections.push(...calibrationSections(samples, pack.curve));
    }
    return { ...report, sections, plots: writePeoplePlots(request, nameOf(pack), samples) };
  });
}

/** @throws Error that names what `pairs.txt` or the folder lacks */
async function evaluatePairs(request: Request): Promise<Report> {
  const { data } = request;
  const pairs = standardPairsIn(data);
  const named = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  return withPackOf(request.pack, async (pack) => {
    const pictures = foldersOfPeople(data).filter(({ file }) => named.has(file));
    const samples = await computeTemplates(pack, pictures);
    const sections = [{ title: 'Data', figures: dataFigures(samples) }, standardSection(samples, pairs)];
    const head = { pack: `${nameOf(pack)} on pairs.txt of ${data}`, machine: machine() };
    return { ...head, sections, notes: [], plots: [] };
  });
}

/** @throws Error when the pack's curve has no part for normalised scores */
async function evaluateCohort(request: Request): Promise<Report> {
  return withPackOf(request.pack, async (pack) => {
    if (!pack.curve?.cohort) throw new Error('the calibration curve of the pack has no normalised scores');
    const samples = await computeTemplates(pack, peopleIn(request.data, request.split));
    const portrayed = strangersIn(new EvalFolder(request.data), request.split);
    const strangers = await computeTemplates(pack, portrayed);
    const sections = await cohortSections(samples, strangers, pack.curve);
    return { ...about(nameOf(pack), request), sections, notes: [pairsNote, galleriesNote], plots: [] };
  });
}

async function evaluateCards(request: Request): Promise<Report> {
  return withPackOf(request.pack, async (pack) => {
    const folder = new EvalFolder(request.data);
    const photos = acquired(await computeTemplates(pack, peopleIn(request.data, request.split)));
    const cards = await readCards(pack, folder, request.split, photos);
    const sections = [
      ...cardSections(cards, photos, pack.curve),
      ...(await selfieSections(pack, folder, cards)),
    ];
    return { ...about(nameOf(pack), request), sections, notes: [pairsNote], plots: [] };
  });
}

/** Generated sessions of each species, unless the caller names another number. */
const SESSIONS_PER_SPECIES = 5;

async function evaluateSessions(request: Request): Promise<Report> {
  const { limit = SESSIONS_PER_SPECIES } = request;
  const { pack, sections, notes } = await measureSessions({ ...request, limit });
  return { ...about(pack, request), sections, notes, plots: [] };
}

async function evaluatePad(request: Request): Promise<Report> {
  const { data, ...rest } = request;
  const { pack, sections } = await evaluatePresentations({ ...rest, folder: new EvalFolder(data) });
  return { ...about(pack, request), sections, notes: [peopleNote], plots: [] };
}

const peopleNote =
  'Intervals are of 95 % and are exact (Clopper–Pearson) where each person has one picture; else each person has one vote, the share of their pictures. Rates are shares of the pictures with a detected face.';

export const pairsNote =
  'Intervals are exact (Clopper–Pearson) and take pairs for independent; pairs of few people are less so than pairs of many.';

const drawsNote =
  'Galleries smaller than all are drawn ten times; draws share people, so their intervals are narrower than they should be.';

const galleriesNote =
  'Each row draws galleries of about 800 people together, of the number of people named; all other pictures of the same population are probes. Draws share people, so intervals are narrower than they should be.';

type Measure = (engine: Engine, folder: EvalFolder, split: 'dev' | 'test') => Promise<ReportSection[]>;

const sectionsOf: Readonly<
  Record<
    Exclude<
      EvaluationTask,
      'verification' | 'identification' | 'pairs' | 'cohort' | 'idcard' | 'sessions' | 'pad'
    >,
    Measure
  >
> = {
  detection: async (engine, folder, split) =>
    titled('Face detection', await detectionFigures(engine, folder, split)),
  mask: async (engine, folder, split) => {
    const faces = await verificationFaces(engine, folder, split, ['mask']);
    return titled('Mask', await maskFigures(engine, folder, split, faces));
  },
  eyes: async (engine, folder, split) =>
    titled('Eyes', (await eyeAndMouthFigures(engine, folder, split)).eyes),
  mouth: async (engine, folder, split) =>
    titled('Mouth', (await eyeAndMouthFigures(engine, folder, split)).mouth),
  pose: async (engine, folder, split) => titled('Head pose', await poseFigures(engine, folder, split)),
};

function titled(title: string, figures: readonly Figure[]): ReportSection[] {
  return [{ title, figures }];
}

const nameOf = ({ embeddingSpec: contract }: OpenPack) => `${contract.pack} ${contract.version}`;

function about(pack: string, { data, split }: EvaluationData): Pick<EvaluationReport, 'pack' | 'machine'> {
  return { pack: `${pack} on ${split} of ${data}`, machine: machine() };
}
