import { sigmoid } from '../learn/logistic.ts';
import { countAtLeast, countBelow, rocArea, thresholdAtBpcer } from '../metrics/scores.ts';
import type { SpoofRow } from './examples.ts';
import type { SpoofModel } from './fusion.ts';

/** Share of bona fide colour faces that the default threshold may refuse. */
export const BPCER = 0.05;

/** Where at most BPCER of the bona fide colour faces are refused. */
export function thresholdOf(rows: readonly SpoofRow[], odds: Float64Array): number {
  return thresholdAtBpcer(pick(rows, odds, (row) => row.origin === 'bona fide').map(sigmoid), BPCER);
}

/**
 * What the out-of-fold log odds reach: prints and screens against the bona fide faces of `spoof` and the colour
 * portraits, by cue, added up as they are, and joined; masks and generated faces apart; attacks that pass where 5 % of
 * those are refused.
 */
export function figuresOf(rows: readonly SpoofRow[], model: SpoofModel) {
  const { fusion, fusionWithNets } = model;
  const area = (odds: Float64Array) => round(rocArea(...sides(rows, odds)));
  const areas = Object.entries(curvesOf(rows, model)).map(([name, both]) => [name, round(rocArea(...both))]);
  return {
    rocAreas: Object.fromEntries(areas),
    plainSums: { joined: area(fusion.plainSum), joinedWithNets: area(fusionWithNets.plainSum) },
    strengths: { joined: fusion.strength, joinedWithNets: fusionWithNets.strength },
    joined: passing(rows, fusion.outOfFold),
    joinedWithNets: passing(rows, fusionWithNets.outOfFold),
  };
}

/** Scores of attacks and of real faces for each cue and joined, as curves. */
export function curvesOf(rows: readonly SpoofRow[], { cues, fusion, fusionWithNets }: SpoofModel) {
  return {
    ...Object.fromEntries(cues.map(({ cue, outOfFold }) => [cue.name, sides(rows, outOfFold)])),
    joined: sides(rows, fusion.outOfFold),
    joinedWithNets: sides(rows, fusionWithNets.outOfFold),
  };
}

function passing(rows: readonly SpoofRow[], odds: Float64Array) {
  const [attacks, real] = sides(rows, odds);
  const threshold = thresholdAtBpcer(real, BPCER);
  const of = (wanted: (row: SpoofRow) => boolean) => pick(rows, odds, wanted);
  return {
    recapturesPassed: countBelow(attacks, threshold),
    masksPassed: countBelow(
      of(({ origin }) => origin === 'mask'),
      threshold,
    ),
    generatedPassed: countBelow(
      of(({ origin }) => origin === 'generated'),
      threshold,
    ),
    refused: countAtLeast(real, threshold),
    ownRealRefused: countAtLeast(
      of((row) => row.origin === 'bona fide' && row.name.startsWith('spoof/')),
      threshold,
    ),
    otherRealRefused: countAtLeast(
      of((row) => row.origin === 'bona fide' && !/^(spoof|verification)\//.test(row.name)),
      threshold,
    ),
    simulatedPassed: countBelow(
      of(({ origin }) => origin.startsWith('simulated')),
      threshold,
    ),
    retakenRefused: countAtLeast(
      of(({ origin }) => origin === 'retaken'),
      threshold,
    ),
  };
}

/** Prints and screens, and who they are held against. */
export function sides(rows: readonly SpoofRow[], odds: Float64Array): [Float64Array, Float64Array] {
  const held = (row: SpoofRow) => row.origin === 'bona fide' && /^(spoof|verification)\//.test(row.name);
  return [pick(rows, odds, (row) => row.origin === 'recapture'), pick(rows, odds, held)];
}

function pick(
  rows: readonly SpoofRow[],
  odds: Float64Array,
  wanted: (row: SpoofRow) => boolean,
): Float64Array {
  return odds.filter((_, i) => wanted(rows[i]!));
}

const round = (value: number) => Number(value.toPrecision(4));
