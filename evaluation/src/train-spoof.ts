import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SPOOF_NAMES } from '@wajah/engine';
import { calibrated, calibration, crossValidate, type GroupedExample } from './learn/folds.ts';
import { type LinearModel, sigmoid, trainLogistic } from './learn/logistic.ts';
import { countAtLeast, countBelow, rocArea, thresholdAtBpcer } from './metrics/scores.ts';
import { readOptions, withPack } from './run/command.ts';
import { type Columns, columnsOf, deviations } from './spoof/columns.ts';
import {
  attackRows,
  greyRows,
  type Origin,
  otherRealRows,
  realRows,
  type SpoofRow,
} from './spoof/examples.ts';

const OUT = fileURLToPath(new URL('../../packages/engine/data/spoof.json', import.meta.url));
const RIDGE = 0.1;
const FOLDS = 10;
/** How much a face counts: of what the score is for, selfies and attacks, there is little. */
const WEIGHTS = { attack: 8, ownReal: 15, portrait: 2, other: 1 } as const;
/** Share of real colour faces that the default threshold may refuse. */
const BPCER = 0.02;

type SpoofExample = GroupedExample & { readonly of: SpoofRow };

/** Rows as the engine will see them. */
function examples(rows: readonly SpoofRow[], columns: Columns): SpoofExample[] {
  return rows.map((of) => ({
    of,
    row: deviations(of.features, columns),
    positive: of.positive,
    group: of.group,
    weight: weightOf(of),
  }));
}

function weightOf({ origin, name }: SpoofRow): number {
  if (origin === 'attack') return WEIGHTS.attack;
  if (origin !== 'bona fide') return WEIGHTS.other;
  if (name.startsWith('spoof/')) return WEIGHTS.ownReal;
  return name.startsWith('verification/') ? WEIGHTS.portrait : WEIGHTS.other;
}

/** Out-of-fold log odds and the model on everything, both calibrated on the simulated and real examples. */
function train(all: readonly SpoofExample[]) {
  const learn = (some: readonly GroupedExample[]) => trainLogistic(some, RIDGE);
  const odds = crossValidate(all, FOLDS, learn);
  const by = calibration(odds, all);
  const model = calibrated(learn(all), by);
  return { model, probable: odds.map((value) => sigmoid(by.bias + by.weights[0]! * value)) };
}

/** Errors out of fold, by where the faces came from. */
function figures(all: readonly SpoofExample[], probable: Float64Array, threshold: number) {
  const of = (origin: Origin) => probable.filter((_, i) => all[i]!.of.origin === origin);
  const own = probable.filter(
    (_, i) => all[i]!.of.origin === 'bona fide' && all[i]!.of.name.startsWith('spoof/'),
  );
  return {
    folds: FOLDS,
    rocAreaAttacksAgainstBonaFide: round(rocArea(of('attack'), of('bona fide'))),
    rocAreaAttacksAgainstOwnReal: round(rocArea(of('attack'), own)),
    attacksPassed: countBelow(of('attack'), threshold),
    screensPassed: countBelow(of('simulated screen'), threshold),
    printsPassed: countBelow(of('simulated print'), threshold),
    bonaFideRefused: countAtLeast(of('bona fide'), threshold),
    ownRealRefused: countAtLeast(own, threshold),
    retakenRefused: countAtLeast(of('retaken'), threshold),
  };
}

const round = (value: number) => Number(value.toPrecision(5));

function file(
  model: LinearModel,
  columns: Columns,
  threshold: number,
  all: readonly SpoofExample[],
  dev: object,
) {
  const count = (origin: Origin) => all.filter((example) => example.of.origin === origin).length;
  const provenance = {
    script: 'evaluation/src/train-spoof.ts',
    data: 'dev: spoof; real faces also from verification (all colour ones, every tenth LFW person), eyes_mouth (every fourth yawdd frame) and mask (every third no_mask real photo)',
    examples: {
      attacks: count('attack'),
      bonaFide: count('bona fide'),
      greyscale: count('greyscale'),
      retaken: count('retaken'),
      simulatedScreens: count('simulated screen'),
      simulatedPrints: count('simulated print'),
    },
    seed: 'each simulation is seeded by the name of its picture',
    method: `logistic regression, classes weighted alike, weights ${JSON.stringify(WEIGHTS)}, L2 ${RIDGE}; Platt scaling on out-of-fold log odds`,
    threshold: `refuses at most ${BPCER * 100} % of the bona fide dev faces, out of fold`,
    dev,
  };
  const head = JSON.stringify({ provenance, bias: round(model.bias), threshold: round(threshold) }, null, 2);
  const line = (name: string, values: Iterable<number | string>) =>
    `  "${name}": ${JSON.stringify([...values])}`;
  const lines = [
    line('names', SPOOF_NAMES),
    line('mean', columns.mean),
    line('spread', columns.spread),
    line('weights', Array.from(model.weights, round)),
  ];
  return `${head.slice(0, -2)},\n${lines.join(',\n')}\n}\n`;
}

const options = readOptions();
const { learned, grey } = await withPack(options.cache, async (pack) => ({
  learned: [
    ...(await attackRows(pack, options.folder)).filter((row) => !row.name.startsWith('spoof/spoof_digital')),
    ...(await realRows(pack, options.folder)),
    ...(await otherRealRows(pack, options.folder)),
  ],
  grey: await greyRows(pack, options.folder),
}));
const columns = columnsOf(learned.map((row) => row.features));
const all = examples(learned, columns);
const { model, probable } = train(all);
const threshold = thresholdAtBpcer(
  probable.filter((_, i) => all[i]!.of.origin === 'bona fide'),
  BPCER,
);
const odds = (row: SpoofRow) =>
  deviations(row.features, columns).reduce((sum, value, j) => sum + value * model.weights[j]!, model.bias);
const greyRefused = countAtLeast(
  grey.map((row) => sigmoid(odds(row))),
  threshold,
);
const dev = { ...figures(all, probable, threshold), otherGreyscaleRefused: greyRefused };
all.forEach((example, i) => {
  if (example.of.origin === 'attack') console.log(probable[i]!.toFixed(3), example.of.name);
});
console.log({ threshold, ...dev });
writeFileSync(options.out ?? OUT, file(model, columns, threshold, all, dev));
