import { CONTEXT_NAMES, SURFACE_NAMES } from '@wajah/engine';
import type { LinearModel } from '../learn/logistic.ts';
import { CUES, type CueModel, type SpoofModel } from './cues.ts';
import type { SpoofRow } from './examples.ts';
import { BPCER } from './figures.ts';

/** The file that the engine reads: numbers on long lines, the rest to be read. */
export function spoofFile(
  { cues, fusion, fusionWithNets }: SpoofModel,
  thresholds: readonly number[],
  about: object,
) {
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
