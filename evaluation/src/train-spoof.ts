import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONTEXT_NAMES, SURFACE_NAMES } from '@wajah/engine';
import { type LinearModel, sigmoid } from './learn/logistic.ts';
import { readOptions, withPack } from './run/command.ts';
import { CUES, type CueModel, type OutOfFold, type SpoofModel, trainCues } from './spoof/cues.ts';
import { otherRows, portraitRows, type SpoofRow, simulatedRows, spoofRows } from './spoof/examples.ts';
import { BPCER, figuresOf, thresholdOf } from './spoof/figures.ts';

const OUT = fileURLToPath(new URL('../../packages/engine/data/spoof.json', import.meta.url));
/** Every how manieth portrait is simulated as an attack. */
const STEP = 3;

/** The file that the engine reads: numbers on long lines, the rest to be read. */
function file({ cues, fusion, fusionWithNets }: SpoofModel, thresholds: readonly number[], about: object) {
  const joined = ({ bias, weights }: LinearModel, threshold: number) => ({
    weights: rounded(weights),
    bias: round(bias),
    threshold: round(threshold),
  });
  const cueLine = (cue: (typeof CUES)[number]) => `    "${cue}": ${JSON.stringify(cueOf(cues[cue]))}`;
  const parts = [
    `"provenance": ${JSON.stringify(about, null, 2).replaceAll('\n', '\n  ')}`,
    `"names": ${JSON.stringify({ surface: SURFACE_NAMES, context: CONTEXT_NAMES })}`,
    `"cues": {\n${CUES.map(cueLine).join(',\n')}\n  }`,
    `"fusion": ${JSON.stringify(joined(fusion, thresholds[0]!))}`,
    `"fusionWithNets": ${JSON.stringify(joined(fusionWithNets, thresholds[1]!))}`,
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

function cueOf({ columns, model }: CueModel) {
  return {
    mean: rounded(columns.mean),
    spread: rounded(columns.spread),
    weights: rounded(model.weights),
    bias: round(model.bias),
  };
}

function provenance(rows: readonly SpoofRow[], dev: object, both: object) {
  const origins = [...new Set(rows.map(({ origin }) => origin))];
  const count = (origin: string) => rows.filter((row) => row.origin === origin).length;
  return {
    script: 'evaluation/src/train-spoof.ts',
    data: 'dev: spoof; real faces also from verification, eyes_mouth, mask and pose',
    examples: Object.fromEntries(origins.map((origin) => [origin, count(origin)])),
    seed: 'each simulation is seeded by the name of its picture',
    method:
      'logistic regression of each cue, joined by a logistic regression on out-of-fold log odds; folds by collection',
    threshold: `refuses at most ${BPCER * 100} % of the bona fide colour faces of dev, out of fold`,
    dev,
    devAndTestCrossValidated: both,
  };
}

function tell(rows: readonly SpoofRow[], { cues, fused, fusedWithNets }: OutOfFold): void {
  rows.forEach(({ name, origin, positive }, i) => {
    if (!positive || origin.startsWith('simulated')) return;
    const values = [...CUES.map((cue) => cues[cue][i]!), fused[i]!, fusedWithNets[i]!];
    console.log(...values.map((odds) => sigmoid(odds).toFixed(2)), origin, name);
  });
}

const round = (value: number) => Number(value.toPrecision(5));
const rounded = (values: Iterable<number>) => Array.from(values, round);

const options = readOptions();
if (options.packs === undefined)
  throw new Error('--packs: name a folder where the pack minifasnet is installed');
const { dev, test } = await withPack(
  options.cache,
  async (pack) => {
    if (pack.spoofNets === null) throw new Error(`--packs: no spoof nets are installed in ${options.packs}`);
    const of = async (split: 'dev' | 'test') => [
      ...(await spoofRows(pack, options.folder, split)),
      ...(await portraitRows(pack, options.folder, split)),
    ];
    const others = await otherRows(pack, options.folder);
    const simulated = await simulatedRows(pack, options.folder, STEP);
    return { dev: [...(await of('dev')), ...others, ...simulated], test: await of('test') };
  },
  options.packs,
);
const { model, outOfFold } = trainCues(dev);
const thresholds = [outOfFold.fused, outOfFold.fusedWithNets].map((odds) => thresholdOf(dev, odds));
tell(dev, outOfFold);
// Nothing of this goes into the weights: what the method reaches where more real attacks are there.
const all = [...dev, ...test];
const both = trainCues(all).outOfFold;
tell(all, both);
const about = provenance(dev, figuresOf(dev, outOfFold), figuresOf(all, both));
console.log(JSON.stringify(about, null, 1), thresholds, model.fusion, model.fusionWithNets);
writeFileSync(options.out ?? OUT, file(model, thresholds, about));
