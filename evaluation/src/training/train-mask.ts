import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenPack } from '@wajah/engine/training';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import {
  applyPlattScaling,
  crossValidate,
  fitPlattScaling,
  type GroupedExample,
  logLoss,
} from '../learn/folds.ts';
import { type LinearModel, trainLogistic } from '../learn/logistic.ts';
import { balancedAccuracy, countAtLeast, countBelow, rocArea } from '../metrics/scores.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/mask.json', import.meta.url));
const RIDGE = 0.03;
const FOLDS = 5;

/** Whether the picture belongs to the mask task; results are given on those. */
type MaskExample = GroupedExample & { readonly own: boolean };

/** One example per face: dev pictures of the mask task, and unmasked faces of the other tasks. */
async function examples(pack: OpenPack, folder: EvalFolder): Promise<MaskExample[]> {
  const own = await measureFaces(
    pack,
    folder,
    'mask',
    folder.entries('mask', 'dev'),
    async (face, picture) => ({
      row: await face.features(),
      alone: picture.faces.length === 1,
    }),
  );
  // With several faces, the label does not say which of them wears the mask.
  const clear = own.measured.filter(({ entry, value }) => value.alone || entry.label === 'no_mask');
  const all: MaskExample[] = clear.map(({ entry, value }) => ({
    row: value.row,
    positive: entry.label === 'mask',
    group: `mask/${entry.file}`,
    own: true,
  }));
  const people = onePerGroup(folder.entries('verification', 'dev'), (entry) =>
    entry.identity.startsWith('lfw/') ? entry.identity : entry.file,
  );
  all.push(...(await bare(pack, folder, 'verification', people, (entry) => entry.identity)));
  const subjects = folder.entries('eyes_mouth', 'dev');
  all.push(...(await bare(pack, folder, 'eyes_mouth', subjects, (entry) => entry.file.slice(0, 24))));
  all.push(...(await bare(pack, folder, 'pose', folder.entries('pose', 'dev'), (entry) => entry.file)));
  return all;
}

async function bare<T extends Task>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
  group: (entry: Entry<T>) => string,
): Promise<MaskExample[]> {
  const { measured } = await measureFaces(pack, folder, task, entries, (face) => face.features());
  return measured.map(({ entry, value }) => ({
    row: value,
    positive: false,
    group: group(entry),
    own: false,
  }));
}

/** First entry of each group. */
function onePerGroup<E>(entries: readonly E[], group: (entry: E) => string): E[] {
  const first = new Map<string, E>();
  for (const entry of entries) if (!first.has(group(entry))) first.set(group(entry), entry);
  return [...first.values()];
}

/** Trains, cross-validates and calibrates; results are out of fold. */
function train(all: readonly MaskExample[]) {
  const learn = (some: readonly GroupedExample[]) => trainLogistic(some, RIDGE);
  const odds = crossValidate(all, FOLDS, learn);
  const by = fitPlattScaling(odds, all);
  const probable = odds.map((value) => by.bias + by.weights[0]! * value);
  const where = (keep: (example: MaskExample) => boolean) => probable.filter((_, i) => keep(all[i]!));
  const masked = where((example) => example.positive);
  const ownBare = where((example) => example.own && !example.positive);
  const otherBare = where((example) => !example.own);
  const figures = {
    folds: FOLDS,
    missed: countBelow(masked, 0),
    falseOnMaskTask: countAtLeast(ownBare, 0),
    falseOnOtherFaces: countAtLeast(otherBare, 0),
    balancedAccuracyOnMaskTask: round(balancedAccuracy(masked, ownBare, 0)),
    rocAreaOnMaskTask: round(rocArea(masked, ownBare)),
    logLoss: round(logLoss(probable, all)),
  };
  return { model: applyPlattScaling(learn(all), by), figures };
}

const round = (value: number) => Number(value.toPrecision(5));

function file(model: LinearModel, all: readonly MaskExample[], figures: object): string {
  const provenance = {
    script: 'evaluation/src/training/train-mask.ts',
    features: 'features network of the built-in pack on the aligned face, 1024 values',
    data: 'dev: mask; without masks also verification (one picture an LFW person), eyes_mouth, pose',
    masked: all.filter((example) => example.positive).length,
    bare: all.filter((example) => !example.positive).length,
    method: `logistic regression, classes weighted alike, L2 ${RIDGE} on standardised columns; Platt scaling on out-of-fold log odds; no randomness`,
    dev: figures,
  };
  const weights = `[${Array.from(model.weights, round).join(',')}]`;
  const head = JSON.stringify({ provenance, bias: round(model.bias) }, null, 2);
  return `${head.slice(0, -2)},\n  "weights": ${weights}\n}\n`;
}

const options = readOptions();
const all = await withPack(options.cache, (pack) => examples(pack, options.folder));
const { model, figures } = train(all);
console.log(figures);
writeFileSync(options.out ?? OUT, file(model, all, figures));
