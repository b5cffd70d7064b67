import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { logit, sigmoid } from '../stages/maths.ts';
import type { PadSignalScore } from '../types.ts';
import type { PadSignal } from './signal.ts';
import { PAD_SIGNALS, type PadSignalValues } from './signals.ts';

const column = z.array(z.number());
/** Linear model on the values of a signal; its output is log odds (natural logarithm). */
const signalModelSchema = z.object({
  /** `namesDigest` of the values that it was trained on. */
  names: z.string(),
  mean: column,
  spread: column,
  weights: column,
  bias: z.number(),
});
/** Weights of the signals' log odds, by signal name. */
const fusionSchema = z.object({
  weights: z.record(z.string(), z.number()),
  bias: z.number(),
  threshold: z.number().min(0).max(1),
  unclearThreshold: z.number().min(0).max(1),
  /** Of the mean of three frames or more. */
  sessionThreshold: z.number().min(0).max(1),
});

/** The weights with their provenance, written by `evaluation/src/training/train-pad.ts`. */
const model = z
  .object({
    cues: z.record(z.string(), signalModelSchema),
    fusion: fusionSchema,
    /** The same with installed PAD networks. */
    fusionWithNets: fusionSchema,
  })
  .parse(JSON.parse(readFileSync(new URL('../../data/spoof.json', import.meta.url), 'utf8')));

/** Deviations are clamped to this many standard deviations, to keep unusual pictures from extreme scores. */
const CLAMP = 4;

/** Digest of the names of a signal's values, 16 hexadecimal digits, that pins weights to values. */
export function namesDigest({ values }: PadSignal): string {
  return createHash('sha256').update(values.join()).digest('hex').slice(0, 16);
}

/** The signals of the score, with or without installed PAD networks. */
export function signalsInUse(withNetworks: boolean): readonly PadSignal[] {
  return PAD_SIGNALS.filter(({ needs }) => withNetworks || needs === undefined);
}

/** Least scores of a presentation attack, 0…1, with or without installed PAD networks. */
export function spoofThresholds(withNetworks: boolean) {
  const { threshold, unclearThreshold, sessionThreshold } = withNetworks
    ? model.fusionWithNets
    : model.fusion;
  return {
    spoofThreshold: threshold,
    unclearSpoofThreshold: unclearThreshold,
    sessionSpoofThreshold: sessionThreshold,
  };
}

/**
 * Probability (0…1, at even prior odds) of a presentation attack: logistic regression on the log odds of each signal. A
 * value that is NaN counts as the mean. docs/accuracy.md has APCER and BPCER.
 * @param values of at least `signalsInUse`
 * @throws Error when the weights belong to other values
 */
export function spoofScore(values: PadSignalValues): { score: number; signals: PadSignalScore[] } {
  const withNetworks = values['nets'] !== undefined;
  const { weights, bias } = withNetworks ? model.fusionWithNets : model.fusion;
  const signals: PadSignalScore[] = [];
  let odds = bias;
  for (const signal of signalsInUse(withNetworks)) {
    const own = signalOdds(modelOf(signal), values[signal.name]!);
    signals.push({ name: signal.name, score: sigmoid(own) });
    odds += weights[signal.name]! * own;
  }
  return { score: sigmoid(odds), signals };
}

/** The score that the capture has without PAD networks. @param signals of a score with or without them */
export function scoreWithoutNetworks(signals: readonly PadSignalScore[]): number {
  const { weights, bias } = model.fusion;
  const own = signals.filter(({ name }) => name in weights);
  return sigmoid(own.reduce((odds, { name, score }) => odds + weights[name]! * logit(score), bias));
}

type SignalModel = z.infer<typeof signalModelSchema>;

const verified = new Set<string>();

/** Verified at first use and not at import: training must be able to start from weights of other values. */
function modelOf(signal: PadSignal): SignalModel {
  const own = model.cues[signal.name];
  if (verified.has(signal.name)) return own!;
  if (own?.names !== namesDigest(signal)) {
    throw new Error(`spoof.json has weights of "${signal.name}" for other values than these: train it again`);
  }
  verified.add(signal.name);
  return own;
}

/** Log odds (natural logarithm) of one signal. */
function signalOdds({ mean, spread, weights, bias }: SignalModel, values: ArrayLike<number>): number {
  let odds = bias;
  for (let i = 0; i < weights.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    odds += weights[i]! * Math.max(-CLAMP, Math.min(CLAMP, (value - mean[i]!) / spread[i]!));
  }
  return odds;
}
