import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sigmoid } from '../stages/states/logistic.ts';
import type { PadSignalScore } from '../types.ts';
import type { PadSignalValues } from './evidence.ts';
import type { PadSignal } from './signal.ts';
import { PAD_SIGNALS } from './signals.ts';

const column = z.array(z.number());
/** A linear model on the values of a cue: its answer is log odds (natural logarithm). */
const cueModel = z.object({
  /** `namesDigest` of what it was trained on. */
  names: z.string(),
  mean: column,
  spread: column,
  weights: column,
  bias: z.number(),
});
/** How much the log odds of each cue count, by its name. */
const fusion = z.object({
  weights: z.record(z.string(), z.number()),
  bias: z.number(),
  threshold: z.number().min(0).max(1),
});

type CueModel = z.infer<typeof cueModel>;
type Fusion = z.infer<typeof fusion>;

/** The weights as `evaluation/src/training/train-pad.ts` writes them, with where they came from. */
const model = z
  .object({
    cues: z.record(z.string(), cueModel),
    fusion,
    /** The same where spoof nets are installed. */
    fusionWithNets: fusion,
  })
  .parse(JSON.parse(readFileSync(new URL('../../data/spoof.json', import.meta.url), 'utf8')));

/** Beyond this many standard deviations a value says no more: it keeps odd pictures from extreme scores. */
const CLAMP = 4;

/** Short digest of the names of a cue's values, 16 hexadecimal digits: weights belong to these values. */
export function namesDigest({ values }: PadSignal): string {
  return createHash('sha256').update(values.join()).digest('hex').slice(0, 16);
}

const counts = ({ weights }: Fusion, { name }: PadSignal) => (weights[name] ?? 0) !== 0;
const inUse = PAD_SIGNALS.filter((cue) => counts(model.fusion, cue));
const inUseWithNets = PAD_SIGNALS.filter((cue) => counts(model.fusionWithNets, cue));

/** The cues that the score is made of; measuring others would be for nothing. */
export function signalsInUse(withNets: boolean): readonly PadSignal[] {
  return withNets ? inUseWithNets : inUse;
}

/** Score at or above which a face counts as a spoof, with or without installed spoof nets, as the training chose it. */
export function spoofThreshold(withNets: boolean): number {
  return (withNets ? model.fusionWithNets : model.fusion).threshold;
}

/**
 * Probability (0…1, genuine and spoof being equally likely beforehand) that the face is a picture, a screen or
 * a mask: a logistic regression on the log odds of each cue. docs/accuracy.md says which attacks pass. A value that
 * the picture cannot tell counts as the average.
 * @param evidence of at least `cuesInUse`
 * @throws Error when the weights belong to other values
 */
export function spoofScore(evidence: PadSignalValues): { score: number; cues: PadSignalScore[] } {
  const withNets = evidence['nets'] !== undefined;
  const by = withNets ? model.fusionWithNets : model.fusion;
  const cues: PadSignalScore[] = [];
  let odds = by.bias;
  for (const cue of signalsInUse(withNets)) {
    const own = cueOdds(fitting(cue), evidence[cue.name]!);
    cues.push({ name: cue.name, score: sigmoid(own) });
    odds += by.weights[cue.name]! * own;
  }
  return { score: sigmoid(odds), cues };
}

const found = new Set<string>();

/** Said on use, not before: the training itself must be able to start from weights of other values. */
function fitting(cue: PadSignal): CueModel {
  const own = model.cues[cue.name];
  if (found.has(cue.name)) return own!;
  if (own?.names !== namesDigest(cue)) {
    throw new Error(`spoof.json has weights of "${cue.name}" for other values than these: train it again`);
  }
  found.add(cue.name);
  return own;
}

/** Log odds (natural logarithm) of one cue. */
function cueOdds({ mean, spread, weights, bias }: CueModel, values: ArrayLike<number>): number {
  let odds = bias;
  for (let i = 0; i < weights.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    odds += weights[i]! * Math.max(-CLAMP, Math.min(CLAMP, (value - mean[i]!) / spread[i]!));
  }
  return odds;
}
