import { cpus } from 'node:os';
import { type Engine, type OpenPack, openEngineInThread, openPack } from '@wajah/engine';
import type { EvaluationCommands, EvaluationData, EvaluationReport, EvaluationTask } from '@wajah/server';
import { EvalFolder } from './data/eval-folder.ts';
import { peopleIn } from './data/people-folder.ts';
import { cardsOf } from './idcard/cards.ts';
import { cardSections } from './idcard/measure.ts';
import { selfieSections } from './idcard/selfies.ts';
import { detectionFigures } from './measure/detection.ts';
import type { Figure } from './measure/figure.ts';
import { poseFigures } from './measure/pose.ts';
import { verificationFaces } from './measure/recognition.ts';
import { spoofFigures } from './measure/spoof.ts';
import { eyeAndMouthFigures, maskFigures } from './measure/states.ts';
import { calibrationFrom } from './people/calibration.ts';
import { collect, found, type Sample } from './people/collect.ts';
import { identificationSections } from './people/identification.ts';
import { severalSections } from './people/several.ts';
import { calibrationFigures, scoresOf, verificationSections } from './people/verification.ts';
import { detPlot, distributionPlot } from './plots/recognition.ts';
import { writeStatePlots } from './plots/states.ts';
import { writeAll } from './plots/write.ts';
import type { ReportSection } from './report.ts';

type Request = Parameters<EvaluationCommands['evaluate']>[0];

/** `wajah evaluate` */
export async function evaluate(request: Request): Promise<EvaluationReport> {
  const { task } = request;
  if (task === 'verification' || task === 'identification') return evaluatePeople(request, task);
  if (task === 'idcard') return evaluateCards(request);
  const engine = await openEngineInThread({ ...request, image: { maxBytes: 64 << 20, maxPixels: 100e6 } });
  try {
    const { pack, version } = engine.contract;
    const folder = new EvalFolder(request.data);
    const sections = await sectionsOf[task](engine, folder, request.split);
    const plots = await writeStatePlots(engine, folder, request, task);
    return { ...about(`${pack} ${version}`, request), sections, notes: [], plots };
  } finally {
    await engine.close();
  }
}

/** `wajah calibrate` */
export async function calibrate(request: EvaluationData): ReturnType<EvaluationCommands['calibrate']> {
  return withPack(request, async (pack) => {
    const samples = await collect(pack, peopleIn(request.data, request.split));
    const { calibration, figures } = calibrationFrom(pack.contract, samples);
    const before = pack.curve
      ? [
          {
            title: 'The curve of the pack on these pictures',
            figures: calibrationFigures(samples, pack.curve),
          },
        ]
      : [];
    const sections = [{ title: 'Calibration', figures }, ...before];
    return { ...about(nameOf(pack), request), sections, notes: [], plots: [], calibration };
  });
}

async function evaluatePeople(
  request: Request,
  task: 'verification' | 'identification',
): Promise<EvaluationReport> {
  return withPack(request, async (pack) => {
    const samples = await collect(pack, peopleIn(request.data, request.split));
    const operation = { threshold: pack.manifest.threshold, curve: pack.curve };
    const report = { ...about(nameOf(pack), request), notes: [pairsNote] };
    if (task === 'identification') {
      const notes = [...report.notes, drawsNote];
      return { ...report, notes, sections: identificationSections(samples, operation), plots: [] };
    }
    const sections = [...verificationSections(samples, operation), ...severalSections(samples, operation)];
    if (pack.curve) {
      sections.push({ title: 'What similarity claims', figures: calibrationFigures(samples, pack.curve) });
    }
    return { ...report, sections, plots: await writePlots(request, nameOf(pack), samples) };
  });
}

async function evaluateCards(request: Request): Promise<EvaluationReport> {
  return withPack(request, async (pack) => {
    const folder = new EvalFolder(request.data);
    const photos = found(await collect(pack, peopleIn(request.data, request.split)));
    const cards = await cardsOf(pack, folder, request.split, photos);
    const sections = [
      ...cardSections(cards, photos, pack.curve),
      ...(await selfieSections(pack, folder, cards)),
    ];
    return { ...about(nameOf(pack), request), sections, notes: [pairsNote], plots: [] };
  });
}

const pairsNote =
  'Intervals are exact (Clopper–Pearson) and take pairs for independent; pairs of few people are less so than pairs of many.';

const drawsNote =
  'Galleries smaller than all are drawn ten times; draws share people, so their intervals are narrower than they should be.';

async function writePlots(
  { plots, split }: Request,
  name: string,
  samples: readonly Sample[],
): Promise<string[]> {
  if (plots === undefined) return [];
  const scores = scoresOf(samples);
  const title = `${name}, ${split}: all pairs`;
  const files = {
    [`verification-${split}-det.svg`]: detPlot(title, scores),
    [`verification-${split}-scores.svg`]: distributionPlot(title, scores),
  };
  return writeAll(plots, files);
}

type Measure = (engine: Engine, folder: EvalFolder, split: 'dev' | 'test') => Promise<ReportSection[]>;

const sectionsOf: Readonly<
  Record<Exclude<EvaluationTask, 'verification' | 'identification' | 'idcard'>, Measure>
> = {
  detection: async (engine, folder, split) =>
    titled('Finding faces', await detectionFigures(engine, folder, split)),
  mask: async (engine, folder, split) => {
    const faces = await verificationFaces(engine, folder, split);
    return titled('Mask', await maskFigures(engine, folder, split, faces));
  },
  eyes: async (engine, folder, split) =>
    titled('Eyes', (await eyeAndMouthFigures(engine, folder, split)).eyes),
  mouth: async (engine, folder, split) =>
    titled('Mouth', (await eyeAndMouthFigures(engine, folder, split)).mouth),
  pose: async (engine, folder, split) => titled('Head pose', await poseFigures(engine, folder, split)),
  spoof: async (engine, folder, split) => {
    const faces = await verificationFaces(engine, folder, split);
    return titled('Spoof', await spoofFigures(engine, folder, split, faces));
  },
};

function titled(title: string, figures: readonly Figure[]): ReportSection[] {
  return [{ title, figures }];
}

async function withPack<T>(
  { cacheDir, pack: choice }: EvaluationData,
  work: (pack: OpenPack) => Promise<T>,
): Promise<T> {
  const pack = await openPack(cacheDir, choice);
  try {
    return await work(pack);
  } finally {
    await pack.close();
  }
}

const nameOf = ({ contract }: OpenPack) => `${contract.pack} ${contract.version}`;

function about(pack: string, { data, split }: EvaluationData): Pick<EvaluationReport, 'pack' | 'machine'> {
  const [cpu] = cpus();
  return {
    pack: `${pack} on ${split} of ${data}`,
    machine: `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`,
  };
}
