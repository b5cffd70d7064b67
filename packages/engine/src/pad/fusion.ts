import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { logit, sigmoid } from '../stages/maths.ts';
import type { PadSignalScore } from '../types.ts';
import type { PadFace, PadSignal } from './signal.ts';
import { faceFeatures, measurePadSignals, PAD_SIGNALS, type PadSignalValues } from './signals.ts';

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
  /** Log odds of `look` where it is not measured: a line on the weighted log odds of the others. */
  expectedLook: z.object({ slope: z.number(), constant: z.number() }),
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
 * @param values of `signalsInUse`; `look` may be missing, see `leavesLookOpen`
 * @returns the score, and the signals that were measured
 * @throws Error when the weights belong to other values
 */
export function spoofScore(values: PadSignalValues): { score: number; signals: PadSignalScore[] } {
  const withNetworks = values['nets'] !== undefined;
  const measured = signalsInUse(withNetworks).flatMap((signal) => {
    const own = values[signal.name];
    return own ? { name: signal.name, odds: signalOdds(modelOf(signal), own) } : [];
  });
  const signals = measured.map(({ name, odds }) => ({ name, score: sigmoid(odds) }));
  return { score: sigmoid(joinedOdds(withNetworks, measured)), signals };
}

/** The score that the capture has without PAD networks. @param signals of a score with or without them */
export function scoreWithoutNetworks(signals: readonly PadSignalScore[]): number {
  return sigmoid(
    joinedOdds(
      false,
      signals.map(({ name, score }) => ({ name, odds: logit(score) })),
    ),
  );
}

/**
 * Distance in log odds from all thresholds at which `look` is not measured. What it adds beyond its expected log odds has a
 * deviation of 0.6 on `dev` (297 captures of people and attacks, collections left out), so 2 are more than three of them:
 * of 833 faces none changes its side of a threshold, with PAD networks or without.
 */
const CLEAR = 2;

/** Whether measuring `look` may change the side of a threshold. @param values of the other signals in use */
export function leavesLookOpen(values: PadSignalValues): boolean {
  const { unclearSpoofThreshold, sessionSpoofThreshold } = spoofThresholds(values['nets'] !== undefined);
  const odds = logit(spoofScore(values).score);
  return odds > logit(sessionSpoofThreshold) - CLEAR && odds < logit(unclearSpoofThreshold) + CLEAR;
}

interface SignalOdds {
  readonly name: string;
  readonly odds: number;
}

/** The weighted sum of the log odds; of `look`, where it was not measured, those that the others let expect. */
function joinedOdds(withNetworks: boolean, measured: readonly SignalOdds[]): number {
  const { weights, bias, expectedLook } = withNetworks ? model.fusionWithNets : model.fusion;
  const own = measured.filter(({ name }) => name in weights);
  const sum = own.reduce((all, { name, odds }) => all + weights[name]! * odds, bias);
  if (own.some(({ name }) => name === faceFeatures.name)) return sum;
  return sum + weights[faceFeatures.name]! * (expectedLook.slope * sum + expectedLook.constant);
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

/**
 * Spoof score of a face, and the signals that it is computed from. `look`, two runs of the features network, is measured
 * only where the others leave open on which side of a threshold the score lies (ADR 55).
 */
export async function scoreFace(face: PadFace): Promise<{ score: number; signals: PadSignalScore[] }> {
  const signals = signalsInUse(face.models.padNetworks !== null);
  const others = await measurePadSignals(
    face,
    signals.filter((signal) => signal !== faceFeatures),
  );
  if (!leavesLookOpen(others)) return spoofScore(others);
  return spoofScore({ ...others, ...(await measurePadSignals(face, [faceFeatures])) });
}
