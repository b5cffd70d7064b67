import type { Calibration, EmbeddingSpec } from '@wajah/engine';
import { fitCurve } from '../calibration/curve.ts';
import { type Figure, plain } from '../measure/figure.ts';
import { acquired, byIdentity, type Sample } from './templates.ts';
import { dataFigures, scoresOf } from './verification.ts';

/** Impostor pairs that a curve needs at least; about 250 pictures of different people give them. */
const LEAST = 30_000;

/**
 * Similarity calibration: the FMR of all impostor pairs by inner product.
 * @returns the calibration, and how far its evidence reaches
 * @throws Error when there are too few impostor pairs
 */
export function calibrationFrom(
  contract: EmbeddingSpec,
  samples: readonly Sample[],
): { calibration: Calibration; figures: Figure[] } {
  const { impostor, genuine } = scoresOf(samples);
  if (impostor.length < LEAST) {
    throw new Error(
      `${impostor.length} impostor pairs are too few for a curve; at least ${LEAST} are needed, which 250 pictures of different people give`,
    );
  }
  const { knots, evidenceEnd, tailSlope } = fitCurve(impostor);
  const evidence = {
    data: 'pictures of the operator, most prominent face of each',
    pictures: acquired(samples).length,
    identities: byIdentity(acquired(samples)).size,
    impostorPairs: impostor.length,
    genuinePairs: genuine.length,
    measuredTo: evidenceEnd,
    beyond: `extrapolated: the false match rate falls by ${tailSlope} decades per 1.0 of inner product`,
  };
  const figures = [
    ...dataFigures(samples),
    plain('impostor pairs', String(impostor.length), 'all of them'),
    plain(
      'measured up to similarity',
      (0.25 - 0.125 * evidenceEnd.log10Fmr).toFixed(3),
      `FMR 1 in ${Math.round(10 ** -evidenceEnd.log10Fmr)}, at an inner product of ${evidenceEnd.innerProduct}`,
    ),
    plain('above it', 'extrapolated', 'an exponential tail, fitted to the highest 0.1 % of the pairs'),
  ];
  return { calibration: { contract, curve: { pack: contract.pack, evidence, knots } }, figures };
}
