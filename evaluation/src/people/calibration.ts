import type { Calibration, EmbeddingSpec } from '@wajah/engine';
import { fitCurve } from '../calibration/curve.ts';
import { type Figure, plain } from '../measure/figure.ts';
import { byIdentity, found, type Sample } from './collect.ts';
import { dataFigures, scoresOf } from './verification.ts';

/** Pairs of strangers without which there is no curve; about 250 pictures of different people. */
const LEAST = 30_000;

/**
 * The curve of similarity from pictures of people: the false match rate of all pairs of two of them.
 * @returns the calibration, and how far its evidence reaches
 * @throws Error when there are too few pairs of two people
 */
export function calibrationFrom(
  contract: EmbeddingSpec,
  samples: readonly Sample[],
): { calibration: Calibration; figures: Figure[] } {
  const { impostor, genuine } = scoresOf(samples);
  if (impostor.length < LEAST) {
    throw new Error(
      `${impostor.length} pairs of two people are too few for a curve; at least ${LEAST} are needed, which is what 250 pictures of different people give`,
    );
  }
  const { knots, evidenceEnd, tailSlope } = fitCurve(impostor);
  const evidence = {
    data: 'pictures of the operator, most prominent face of each',
    pictures: found(samples).length,
    identities: byIdentity(found(samples)).size,
    impostorPairs: impostor.length,
    genuinePairs: genuine.length,
    measuredTo: evidenceEnd,
    beyond: `extrapolated: the false match rate falls by ${tailSlope} decades per 1.0 of inner product`,
  };
  const figures = [
    ...dataFigures(samples),
    plain('pairs of two people', String(impostor.length), 'every one of them'),
    plain(
      'measured up to similarity',
      (0.25 - 0.125 * evidenceEnd.log10Fmr).toFixed(3),
      `1 in ${Math.round(10 ** -evidenceEnd.log10Fmr)} strangers, at an inner product of ${evidenceEnd.innerProduct}`,
    ),
    plain('beyond it', 'extrapolated', 'an exponential tail, fitted to the highest 0.1 % of the pairs'),
  ];
  return { calibration: { contract, curve: { pack: contract.pack, evidence, knots } }, figures };
}
