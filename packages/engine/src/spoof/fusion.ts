import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sigmoid } from '../stages/logistic.ts';
import type { SpoofCue } from '../types.ts';
import type { Cue } from './cue.ts';
import { SPOOF_CUES } from './cues.ts';
import type { SpoofEvidence } from './evidence.ts';

const column = z.array(z.number());
/** A linear model on the values of some cues: its answer is log odds. */
const head = z.object({
  cues: z.array(z.string()).min(1),
  /** `namesDigest` of what it was trained on. */
  names: z.string(),
  mean: column,
  spread: column,
  weights: column,
  bias: z.number(),
});
/** How much the log odds of each head count, by its name. */
const fusion = z.object({
  weights: z.record(z.string(), z.number()),
  bias: z.number(),
  threshold: z.number().min(0).max(1),
});

type Head = z.infer<typeof head>;
type Fusion = z.infer<typeof fusion>;

/** The weights as `evaluation/src/train-spoof.ts` writes them, with where they came from. */
const model = z
  .object({
    heads: z.record(z.string(), head),
    fusion,
    /** The same where spoof nets are installed. */
    fusionWithNets: fusion,
  })
  .parse(JSON.parse(readFileSync(new URL('../../data/spoof.json', import.meta.url), 'utf8')));

/** Beyond this many standard deviations a value says no more: it keeps odd pictures from extreme scores. */
const CLAMP = 4;

/** Names of the values of some cues, in order. @throws Error for a cue that there is not */
export function valueNames(cues: readonly string[]): string[] {
  return cues.flatMap((name) => {
    const cue = SPOOF_CUES.find((one) => one.name === name);
    if (!cue) throw new Error(`spoof.json names a cue "${name}" that there is not: train it again`);
    return cue.values;
  });
}

/** Short digest of the names of the values of some cues, 16 hexadecimal digits: weights belong to these values. */
export function namesDigest(cues: readonly string[]): string {
  return createHash('sha256').update(valueNames(cues).join()).digest('hex').slice(0, 16);
}

const used = ({ weights }: Fusion): [name: string, head: Head, weight: number][] =>
  Object.entries(weights)
    .filter(([, weight]) => weight !== 0)
    .map(([name, weight]) => [name, model.heads[name]!, weight]);

/** The cues that the score is made of; measuring others would be for nothing. */
export function cuesInUse(withNets: boolean): Cue[] {
  const names = new Set(used(withNets ? model.fusionWithNets : model.fusion).flatMap(([, { cues }]) => cues));
  return SPOOF_CUES.filter(({ name }) => names.has(name));
}

/** Score at or above which a face counts as a spoof, with or without installed spoof nets, as the training chose it. */
export function spoofThreshold(withNets: boolean): number {
  return (withNets ? model.fusionWithNets : model.fusion).threshold;
}

/**
 * Probability (0…1, genuine and spoof being equally likely beforehand) that the face is a picture, a screen or
 * a mask: a logistic regression on the log odds of each head. docs/accuracy.md says which attacks pass. A value that
 * the picture cannot tell counts as the average.
 * @param evidence of at least `cuesInUse`
 * @throws Error when the weights belong to other values
 */
export function spoofScore(evidence: SpoofEvidence): { score: number; cues: SpoofCue[] } {
  const by = evidence['nets'] === undefined ? model.fusion : model.fusionWithNets;
  const cues: SpoofCue[] = [];
  let odds = by.bias;
  for (const [name, one, weight] of used(by)) {
    const own = headOdds(fitting(name, one), evidence);
    cues.push({ name, score: sigmoid(own) });
    odds += weight * own;
  }
  return { score: sigmoid(odds), cues };
}

const found = new Set<Head>();

/** Said on use, not before: the training itself must be able to start from weights of other values. */
function fitting(name: string, one: Head): Head {
  if (found.has(one)) return one;
  if (one.names !== namesDigest(one.cues)) {
    throw new Error(`spoof.json has weights of "${name}" for other values than these: train it again`);
  }
  found.add(one);
  return one;
}

/** Log odds (natural logarithm) of one head. */
function headOdds({ cues, mean, spread, weights, bias }: Head, evidence: SpoofEvidence): number {
  let odds = bias;
  let at = 0;
  for (const cue of cues) {
    const values = evidence[cue]!;
    for (let i = 0; i < values.length; i++, at++) {
      const value = values[i]!;
      if (Number.isNaN(value)) continue;
      odds += weights[at]! * Math.max(-CLAMP, Math.min(CLAMP, (value - mean[at]!) / spread[at]!));
    }
  }
  return odds;
}
