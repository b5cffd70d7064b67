import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { SpoofCue } from '../types.ts';
import { CONTEXT_NAMES } from './spoof-context.ts';
import { type SpoofEvidence, SURFACE_NAMES } from './spoof-evidence.ts';

const column = z.array(z.number());
const cue = z.object({ mean: column, spread: column, weights: column, bias: z.number() });
const fusion = z.object({ weights: column, bias: z.number(), threshold: z.number().min(0).max(1) });

/** The weights as `evaluation/src/train-spoof.ts` writes them, with where they came from. */
const model = z
  .object({
    names: z.object({ surface: z.array(z.string()), context: z.array(z.string()) }),
    cues: z.object({ surface: cue, context: cue, look: cue }),
    /** On surface, context and look. */
    fusion,
    /** On these and the doubt of the installed nets. */
    fusionWithNets: fusion,
  })
  .parse(JSON.parse(readFileSync(new URL('../../data/spoof.json', import.meta.url), 'utf8')));

/** Found out here, said on use: the training itself must be able to start from weights of other features. */
const fits =
  model.names.surface.join() === SURFACE_NAMES.join() && model.names.context.join() === CONTEXT_NAMES.join();

/** Beyond this many standard deviations a value says no more: it keeps odd pictures from extreme scores. */
const CLAMP = 4;

/** Score at or above which a face counts as a spoof, with or without installed spoof nets, as the training chose it. */
export function spoofThreshold(withNets: boolean): number {
  return (withNets ? model.fusionWithNets : model.fusion).threshold;
}

/**
 * Probability (0…1, genuine and spoof being equally likely beforehand) that the face is a picture, a screen or
 * a mask: a logistic regression on the log odds of each cue. docs/accuracy.md says which attacks pass. A value that
 * the picture cannot tell counts as the average.
 * @throws Error when the weights belong to other features
 */
export function spoofScore(evidence: SpoofEvidence): { score: number; cues: SpoofCue[] } {
  if (!fits) throw new Error('spoof.json was trained on other features than these: train it again');
  const { surface, context, look } = model.cues;
  const cues = [
    cueOdds(surface, evidence.surface),
    cueOdds(context, evidence.context),
    cueOdds(look, evidence.look),
  ];
  const { weights, bias } = evidence.nets === null ? model.fusion : model.fusionWithNets;
  const values = evidence.nets === null ? cues : [...cues, evidence.nets];
  const odds = values.reduce((sum, value, i) => sum + weights[i]! * value, bias);
  const told = values.map((value, i) => ({ name: CUE_NAMES[i]!, score: chance(value) }));
  return { score: chance(odds), cues: told };
}

/** In the order of the fusion's weights. */
const CUE_NAMES = ['surface', 'context', 'look', 'nets'] as const;

/** Probability of log odds. */
function chance(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** Log odds (natural logarithm) of one cue. */
function cueOdds({ mean, spread, weights, bias }: z.infer<typeof cue>, values: ArrayLike<number>): number {
  let odds = bias;
  for (let i = 0; i < weights.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    odds += weights[i]! * Math.max(-CLAMP, Math.min(CLAMP, (value - mean[i]!) / spread[i]!));
  }
  return odds;
}
