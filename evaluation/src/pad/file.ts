import { namesDigest } from '@wajah/engine/training';
import type { CueModel } from './cue-models.ts';
import type { SpoofRow } from './examples.ts';
import { BPCER } from './figures.ts';
import type { Fusion, SpoofModel } from './fusion.ts';

/** The file that the engine reads: numbers on long lines, the rest to be read. */
export function spoofFile(
  { cues, fusion, fusionWithNets }: SpoofModel,
  thresholds: readonly number[],
  about: object,
) {
  const joined = ({ bias, weights }: Fusion, threshold: number) => ({
    weights: Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, round(weight)])),
    bias: round(bias),
    // Answers show four decimals: one that is raised to them refuses no more than was asked for.
    threshold: Math.ceil(threshold * 1e4) / 1e4,
  });
  const cueLine = (model: CueModel) => `    "${model.cue.name}": ${JSON.stringify(cueOf(model))}`;
  const parts = [
    `"provenance": ${JSON.stringify(about, null, 2).replaceAll('\n', '\n  ')}`,
    `"cues": {\n${cues.map(cueLine).join(',\n')}\n  }`,
    `"fusion": ${JSON.stringify(joined(fusion, thresholds[0]!))}`,
    `"fusionWithNets": ${JSON.stringify(joined(fusionWithNets, thresholds[1]!))}`,
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

function cueOf({ cue, columns, model }: CueModel) {
  return {
    names: namesDigest(cue),
    mean: rounded(columns.mean),
    spread: rounded(columns.spread),
    weights: rounded(model.weights),
    bias: round(model.bias),
  };
}

/** Where the weights come from and what they reach. */
export function provenance(rows: readonly SpoofRow[], lessons: number, dev: object, both: object) {
  const origins = [...new Set(rows.map(({ origin }) => origin))];
  const count = (origin: string) => rows.filter((row) => row.origin === origin).length;
  return {
    script: 'evaluation/src/training/train-pad.ts',
    data: 'dev: spoof; real faces also from verification, eyes_mouth, mask and pose',
    examples: Object.fromEntries(origins.map((origin) => [origin, count(origin)])),
    lessonsOfScene: lessons,
    seed: 'each simulation is seeded by the name of its picture',
    method:
      'logistic regression of each cue, then of their out-of-fold log odds under a prior around the plain sum, its strength by cross-validation; folds by collection',
    threshold: `refuses at most ${BPCER * 100} % of the bona fide colour faces of dev, out of fold`,
    dev,
    devAndTestCrossValidated: both,
  };
}

const round = (value: number) => Number(value.toPrecision(5));
const rounded = (values: Iterable<number>) => Array.from(values, round);
