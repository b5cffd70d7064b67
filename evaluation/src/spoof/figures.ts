import { sigmoid } from '../learn/logistic.ts';
import { countAtLeast, countBelow, rocArea, thresholdAtBpcer } from '../metrics/scores.ts';
import { CUES, type OutOfFold } from './cues.ts';
import type { SpoofRow } from './examples.ts';

/** Share of bona fide colour faces that the default threshold may refuse. */
export const BPCER = 0.05;

/** Where at most BPCER of the bona fide colour faces are refused. */
export function thresholdOf(rows: readonly SpoofRow[], odds: Float64Array): number {
  return thresholdAtBpcer(pick(rows, odds, (row) => row.origin === 'bona fide').map(sigmoid), BPCER);
}

/**
 * What the out-of-fold log odds reach: prints and screens against the bona fide faces of `spoof` and the colour
 * portraits, by cue and joined; masks and generated faces apart; attacks that pass where 5 % of those are refused.
 */
export function figuresOf(rows: readonly SpoofRow[], { cues, fused, fusedWithNets }: OutOfFold) {
  const area = (odds: Float64Array) => round(rocArea(...sides(rows, odds)));
  return {
    rocAreas: {
      ...Object.fromEntries(CUES.map((cue) => [cue, area(cues[cue])])),
      nets: area(Float64Array.from(rows, ({ evidence }) => evidence.nets ?? 0)),
      joined: area(fused),
      joinedWithNets: area(fusedWithNets),
    },
    joined: passing(rows, fused),
    joinedWithNets: passing(rows, fusedWithNets),
  };
}

/** The same as curves: scores of attacks and of real faces for each cue and joined. */
export function curvesOf(rows: readonly SpoofRow[], { cues, fused, fusedWithNets }: OutOfFold) {
  return {
    ...Object.fromEntries(CUES.map((cue) => [cue, sides(rows, cues[cue])])),
    nets: sides(
      rows,
      Float64Array.from(rows, ({ evidence }) => evidence.nets ?? 0),
    ),
    joined: sides(rows, fused),
    'joined, with nets': sides(rows, fusedWithNets),
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
function sides(rows: readonly SpoofRow[], odds: Float64Array): [Float64Array, Float64Array] {
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
