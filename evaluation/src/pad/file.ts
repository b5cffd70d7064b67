import { namesDigest } from '@wajah/engine/training';
import type { PadExample } from './examples.ts';
import type { SignalModel } from './regression.ts';
import { BPCER, type PadModel, type PadScore } from './train.ts';

/** Text of data/spoof.json, which the engine reads; arrays of numbers on one line each. */
export function weightsFile({ signals, own, withNetworks }: PadModel, about: object): string {
  const joined = ({ weights, expectedLook, threshold, unclearThreshold, sessionThreshold }: PadScore) => ({
    weights,
    expectedLook,
    bias: 0,
    threshold,
    unclearThreshold,
    sessionThreshold,
  });
  const signalLine = (model: SignalModel) =>
    `    "${model.signal.name}": ${JSON.stringify(parametersOf(model))}`;
  const parts = [
    `"provenance": ${JSON.stringify(about, null, 2).replaceAll('\n', '\n  ')}`,
    `"cues": {\n${signals.map(signalLine).join(',\n')}\n  }`,
    `"fusion": ${JSON.stringify(joined(own))}`,
    `"fusionWithNets": ${JSON.stringify(joined(withNetworks))}`,
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

/** Provenance of the weights: data and method. */
export function provenance(examples: readonly PadExample[]) {
  const count = (attack: boolean, simulated: boolean) =>
    examples.filter((one) => one.attack === attack && (one.source === 'simulated') === simulated).length;
  return {
    script: 'evaluation/src/training/train-pad.ts',
    data: 'dev: pad, spoof, selfies, films; bona fide faces also of verification, eyes_mouth, mask and pose',
    examples: {
      bonaFide: count(false, false),
      attacks: count(true, false),
      simulatedBonaFide: count(false, true),
      simulatedAttacks: count(true, true),
    },
    method:
      'logistic regressions with a penalty, collections and labels balanced; the score is the sum of their log odds',
    threshold: `BPCER of ${BPCER.own * 100} % (${BPCER.withNetworks * 100} % with networks) over people on camera frames of dev, by fits without their collection`,
  };
}

const round = (value: number) => Number(value.toPrecision(5));
const rounded = (values: Iterable<number>) => Array.from(values, round);
