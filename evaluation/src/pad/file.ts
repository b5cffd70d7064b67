import { namesDigest } from '@wajah/engine/training';
import type { PadExample } from './examples.ts';
import { BPCER } from './figures.ts';
import type { Fusion, PadModel } from './fusion.ts';
import type { SignalModel } from './signal-models.ts';

/** Text of data/spoof.json, which the engine reads; arrays of numbers on one line each. */
export function weightsFile(
  { signals, fusion, fusionWithNetworks }: PadModel,
  thresholds: readonly number[],
  about: object,
) {
  const joined = ({ bias, weights }: Fusion, threshold: number) => ({
    weights: Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, round(weight)])),
    bias: round(bias),
    // Answers show four decimals: rounding up keeps the BPCER at or below the requested one.
    threshold: Math.ceil(threshold * 1e4) / 1e4,
  });
  const signalLine = (model: SignalModel) =>
    `    "${model.signal.name}": ${JSON.stringify(parametersOf(model))}`;
  const parts = [
    `"provenance": ${JSON.stringify(about, null, 2).replaceAll('\n', '\n  ')}`,
    `"cues": {\n${signals.map(signalLine).join(',\n')}\n  }`,
    `"fusion": ${JSON.stringify(joined(fusion, thresholds[0]!))}`,
    `"fusionWithNets": ${JSON.stringify(joined(fusionWithNetworks, thresholds[1]!))}`,
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

function parametersOf({ signal, columns, model }: SignalModel) {
  return {
    names: namesDigest(signal),
    mean: rounded(columns.mean),
    spread: rounded(columns.spread),
    weights: rounded(model.weights),
    bias: round(model.bias),
  };
}

/** Provenance of the weights: data, method and results. */
export function provenance(rows: readonly PadExample[], lessons: number, dev: object, both: object) {
  const origins = [...new Set(rows.map(({ origin }) => origin))];
  const count = (origin: string) => rows.filter((row) => row.origin === origin).length;
  return {
    script: 'evaluation/src/training/train-pad.ts',
    data: 'dev: spoof; real faces also from verification, eyes_mouth, mask and pose',
    examples: Object.fromEntries(origins.map((origin) => [origin, count(origin)])),
    lessonsOfScene: lessons,
    seed: 'each simulation is seeded by the name of its picture',
    method:
      'logistic regression of each signal, then of their out-of-fold log odds under a prior around the plain sum, its strength by cross-validation; folds by collection',
    threshold: `refuses at most ${BPCER * 100} % of the bona fide colour faces of dev, out of fold`,
    dev,
    devAndTestCrossValidated: both,
  };
}

const round = (value: number) => Number(value.toPrecision(5));
const rounded = (values: Iterable<number>) => Array.from(values, round);
