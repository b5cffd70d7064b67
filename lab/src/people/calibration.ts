import type { Calibration, CalibrationCurve, EmbeddingSpec } from '@wajah/engine';
import { log10Fmr } from '@wajah/engine/training';
import { fitCurve } from '../calibration/curve.ts';
import { fitFewPairs } from '../calibration/from-counts.ts';
import { type Figure, plain } from '../measure/figure.ts';
import { acquired, byIdentity, type Sample } from './templates.ts';
import { dataFigures, scoresOf } from './verification.ts';

/** With fewer impostor pairs, those of about 250 people, the curve claims the upper ends of intervals. */
const MANY = 30_000;

/**
 * Similarity calibration: the FMR of all impostor pairs by inner product.
 * @param prior the pack's own curve, which goes on where few pairs end; null: nothing is known of its scores
 * @returns the calibration, and how far its evidence reaches
 * @throws Error when there is no impostor pair, or fewer than MANY and no prior
 */
export function calibrationFrom(
  contract: EmbeddingSpec,
  samples: readonly Sample[],
  prior: CalibrationCurve | null,
): { calibration: Calibration; figures: Figure[] } {
  const { impostor, genuine } = scoresOf(samples);
  const { knots, cohort, evidenceEnd, beyond, tail } = fitted(impostor, samples, prior);
  const evidence = {
    data: 'pictures of the operator, most prominent face of each',
    pictures: acquired(samples).length,
    identities: byIdentity(acquired(samples)).size,
    impostorPairs: impostor.length,
    genuinePairs: genuine.length,
    measuredTo: evidenceEnd,
    beyond,
  };
  const figures = [
    ...dataFigures(samples),
    plain('impostor pairs', String(impostor.length), 'all of them'),
    plain(
      'measured up to similarity',
      (0.25 - 0.125 * evidenceEnd.log10Fmr).toFixed(3),
      `FMR 1 in ${Math.round(10 ** -evidenceEnd.log10Fmr)}, at an inner product of ${evidenceEnd.innerProduct.toFixed(4)}`,
    ),
    plain('above it', 'extrapolated', tail),
  ];
  return {
    calibration: { contract, curve: { pack: contract.pack, evidence, knots, ...(cohort && { cohort }) } },
    figures,
  };
}

function fitted(impostor: Float64Array, samples: readonly Sample[], prior: CalibrationCurve | null) {
  if (impostor.length >= MANY) {
    const { tailSlope, ...curve } = fitCurve(impostor);
    const beyond = `extrapolated: the false match rate falls by ${tailSlope} decades per 1.0 of inner product`;
    return {
      ...curve,
      cohort: undefined,
      beyond,
      tail: 'an exponential tail, fitted to the highest 0.1 % of the pairs',
    };
  }
  if (impostor.length === 0) throw new Error('found no two people; at least two are needed');
  if (!prior) {
    throw new Error(
      `${impostor.length} impostor pairs are too few for a pack with neither a curve nor published operating points; at least ${MANY} are needed, which 250 pictures of different people give`,
    );
  }
  const bins = [...impostor].map((product) => [product, 1] as const);
  const people = byIdentity(acquired(samples)).size;
  const { knots, cohort } = fitFewPairs(bins, people, prior);
  const innerProduct = impostor.at(-1)!;
  return {
    knots,
    cohort,
    evidenceEnd: { innerProduct, log10Fmr: log10Fmr(knots, innerProduct) },
    beyond: "the pack's own curve, moved and stretched to the mean and the deviation of the pairs",
    tail: "the pack's own curve, moved and stretched; up to there inside of exact 95 % intervals",
  };
}
