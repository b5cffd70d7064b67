import { sigmoid } from '../learn/logistic.ts';
import { countAtLeast, countBelow, rocArea, thresholdAtBpcer } from '../metrics/scores.ts';
import type { PadExample } from './examples.ts';
import type { PadModel } from './fusion.ts';

/** BPCER (ISO/IEC 30107-3) of the default threshold on bona fide colour faces. */
export const BPCER = 0.05;

/** Threshold at which at most BPCER of the bona fide colour faces are refused. */
export function thresholdOf(rows: readonly PadExample[], odds: Float64Array): number {
  return thresholdAtBpcer(pick(rows, odds, (row) => row.origin === 'bona fide').map(sigmoid), BPCER);
}

/**
 * Results of the out-of-fold log odds: area under the ROC curve of prints and screens against the bona fide faces of
 * `spoof` and the colour portraits, for each signal, their plain sum and joined; and errors at a BPCER of 5 %, masks and
 * generated faces apart.
 */
export function figuresOf(rows: readonly PadExample[], model: PadModel) {
  const { fusion, fusionWithNetworks } = model;
  const area = (odds: Float64Array) => round(rocArea(...sides(rows, odds)));
  const areas = Object.entries(curvesOf(rows, model)).map(([name, both]) => [name, round(rocArea(...both))]);
  return {
    rocAreas: Object.fromEntries(areas),
    plainSums: { joined: area(fusion.plainSum), joinedWithNets: area(fusionWithNetworks.plainSum) },
    strengths: { joined: fusion.strength, joinedWithNets: fusionWithNetworks.strength },
    joined: passing(rows, fusion.outOfFold),
    joinedWithNets: passing(rows, fusionWithNetworks.outOfFold),
  };
}

/** Scores of attacks and of bona fide faces for each signal and joined. */
export function curvesOf(rows: readonly PadExample[], { signals, fusion, fusionWithNetworks }: PadModel) {
  return {
    ...Object.fromEntries(signals.map(({ signal, outOfFold }) => [signal.name, sides(rows, outOfFold)])),
    joined: sides(rows, fusion.outOfFold),
    joinedWithNets: sides(rows, fusionWithNetworks.outOfFold),
  };
}

function passing(rows: readonly PadExample[], odds: Float64Array) {
  const [attacks, real] = sides(rows, odds);
  const threshold = thresholdAtBpcer(real, BPCER);
  const of = (wanted: (row: PadExample) => boolean) => pick(rows, odds, wanted);
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

/** Scores of prints and screens, and of the bona fide faces that they are compared with. */
export function sides(rows: readonly PadExample[], odds: Float64Array): [Float64Array, Float64Array] {
  const held = (row: PadExample) => row.origin === 'bona fide' && /^(spoof|verification)\//.test(row.name);
  return [pick(rows, odds, (row) => row.origin === 'recapture'), pick(rows, odds, held)];
}

function pick(
  rows: readonly PadExample[],
  odds: Float64Array,
  wanted: (row: PadExample) => boolean,
): Float64Array {
  return odds.filter((_, i) => wanted(rows[i]!));
}

const round = (value: number) => Number(value.toPrecision(4));
