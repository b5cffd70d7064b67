import { namesDigest } from '@wajah/engine';
import type { SpoofRow } from './examples.ts';
import { BPCER } from './figures.ts';
import type { Fusion, SpoofModel } from './fusion.ts';
import type { Head } from './heads.ts';

/** The file that the engine reads: numbers on long lines, the rest to be read. It has only heads that count. */
export function spoofFile(
  { heads, fusion, fusionWithNets }: SpoofModel,
  thresholds: readonly number[],
  about: object,
) {
  const joined = ({ bias, weights }: Fusion, threshold: number) => ({
    weights: Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, round(weight)])),
    bias: round(bias),
    threshold: round(threshold),
  });
  const counts = ({ plan: { name } }: Head) =>
    [fusion, fusionWithNets].some(({ weights }) => (weights[name] ?? 0) !== 0);
  const headLine = (head: Head) => `    "${head.plan.name}": ${JSON.stringify(headOf(head))}`;
  const parts = [
    `"provenance": ${JSON.stringify(about, null, 2).replaceAll('\n', '\n  ')}`,
    `"heads": {\n${heads.filter(counts).map(headLine).join(',\n')}\n  }`,
    `"fusion": ${JSON.stringify(joined(fusion, thresholds[0]!))}`,
    `"fusionWithNets": ${JSON.stringify(joined(fusionWithNets, thresholds[1]!))}`,
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

function headOf({ plan: { cues }, columns, model }: Head) {
  return {
    cues,
    names: namesDigest(cues),
    mean: rounded(columns.mean),
    spread: rounded(columns.spread),
    weights: rounded(model.weights),
    bias: round(model.bias),
  };
}

/** Where the weights come from and what they reach. */
export function provenance(rows: readonly SpoofRow[], dev: object, both: object) {
  const origins = [...new Set(rows.map(({ origin }) => origin))];
  const count = (origin: string) => rows.filter((row) => row.origin === origin).length;
  return {
    script: 'evaluation/src/train-spoof.ts',
    data: 'dev: spoof; real faces also from verification, eyes_mouth, mask and pose',
    examples: Object.fromEntries(origins.map((origin) => [origin, count(origin)])),
    seed: 'each simulation is seeded by the name of its picture',
    method:
      'logistic regression of each cue; their log odds added up by fixed weights and brought to probabilities by Platt scaling of the out-of-fold sums; folds by collection',
    threshold: `refuses at most ${BPCER * 100} % of the bona fide colour faces of dev, out of fold`,
    dev,
    devAndTestCrossValidated: both,
  };
}

const round = (value: number) => Number(value.toPrecision(5));
const rounded = (values: Iterable<number>) => Array.from(values, round);
