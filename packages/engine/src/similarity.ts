import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { EngineError } from './errors.ts';
import type { CohortCurve, ComparisonCurve, FaceKind } from './types.ts';

/**
 * @NOTE calibration
 * Similarity is a function of the false match rate (FMR, ISO/IEC 19795-1) measured at an inner product:
 * similarity = 0.25 + 0.125 × −log10(FMR), clamped to 0…0.9999. So 0.5 is an FMR of 1e-2, 0.625 of 1e-3, 0.75 of 1e-4. An
 * inner product of 1, the same picture twice, is 1 by definition, and no other is.
 */
const BASE = 0.25;
const PER_DECADE = 0.125;

/** Similarity of different pictures at most, from an FMR of 1e-6 on; also the highest threshold that they can reach. */
export const HIGHEST_SIMILARITY = 0.9999;

/** Least inner product of a template with itself: float32 rounding misses 1 by about 1e-6. */
const SAME = 1 - 1e-6;

const knotsSchema = z.array(z.tuple([z.number(), z.number().max(0)])).min(2);

const cohortKnotsSchema = knotsSchema.refine(isMonotone, {
  message: 'normalised scores must rise from knot to knot, and log10 of the false match rate must fall',
});

/** `CohortCurve` */
const cohortSchema = z
  .object({
    mean: z.number().min(-1).max(1),
    deviation: z.number().positive().max(1),
    knots: cohortKnotsSchema,
    similar: z.object({ mean: z.number().min(-1).max(1), knots: cohortKnotsSchema }).optional(),
  })
  .refine(({ mean, similar }) => !similar || similar.mean > mean, {
    path: ['similar', 'mean'],
    message: 'the mean product of similar people must be above that of a mixed crowd',
  });

/** `ComparisonCurve` */
const comparisonSchema = z.object({
  knots: knotsSchema,
  kinds: z
    .array(
      z.object({
        of: z.string(),
        bias: z.number(),
        weights: z.array(z.number()).min(1),
        shift: z.number().positive().max(2),
        apart: z.number().min(0).max(2).default(0),
      }),
    )
    .default([]),
});

const curveSchema = z
  .object({
    pack: z.string(),
    /** From published operating points, not measured: see `packs/provisional-curve.ts`. */
    provisional: z.literal(true).optional(),
    /** Numbers of pictures and pairs, and the range beyond which the curve is extrapolated. */
    evidence: z.record(z.string(), z.unknown()),
    /** Inner product (−1…1) and log10 of the false match rate there (at most 0). */
    knots: z.array(z.tuple([z.number().min(-1).max(1), z.number().max(0)])).min(2),
    /** Absent: comparisons of two pictures of unknown people use the knots above. */
    comparison: comparisonSchema.optional(),
    /** Absent: scores are not normalised by the people of a gallery. */
    cohort: cohortSchema.optional(),
  })
  .refine(({ knots, comparison }) => isMonotone(knots) && isMonotone(comparison?.knots ?? []), {
    path: ['knots'],
    message: 'inner products must rise from knot to knot, and log10 of the false match rate must fall',
  });

/** Calibration curve of a pack: FMR by inner product. */
export type CalibrationCurve = Omit<z.infer<typeof curveSchema>, 'cohort' | 'comparison'> & {
  readonly cohort?: CohortCurve | undefined;
  readonly comparison?: ComparisonCurve | undefined;
};

/** Reads a calibration curve from a file. @throws EngineError `pack` */
export async function readCurve(file: URL | string): Promise<CalibrationCurve> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new EngineError('pack', 'The calibration curve of the pack cannot be read.', { cause });
  }
  return parseCurve(value);
}

/** Validates a calibration curve. @throws EngineError `pack` that names the fault */
export function parseCurve(value: unknown): CalibrationCurve {
  const parsed = curveSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new EngineError('pack', `The calibration curve is not valid: ${z.prettifyError(parsed.error)}`);
}

/** @throws EngineError `pack` when the pack has no curve: the FMR of its scores is unknown */
export function requireCurve(curve: CalibrationCurve | null, pack: string): CalibrationCurve {
  if (curve) return curve;
  throw new EngineError(
    'pack',
    `The pack ${pack} brings neither a calibration curve nor published operating points, so its similarities would mean nothing: add operating points to its pack.json, or fit a curve to pictures of people with wajah calibrate --data FOLDER --install server.`,
  );
}

/** Inner product of two templates, −1…1 for unit-length ones. @throws RangeError when their lengths differ */
export function innerProduct(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new RangeError(`Templates of ${a.length} and ${b.length} values cannot be compared`);
  }
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The vector scaled to length 1; zeros stay zeros. */
export function toUnitLength(values: Float32Array): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const by = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return values.map((value) => value * by);
}

/** Calibrated similarity of an inner product, −1…1, among random people: 0…0.9999, and 1 of the same picture. Monotone. */
export function similarityOf(curve: CalibrationCurve, product: number): number {
  if (product >= SAME) return 1;
  return similarityAtFmr(log10Fmr(curve.knots, product));
}

/**
 * @NOTE strangers who are alike
 * Who tries to pass as another person before a camera is mostly of the same sex, age and origin, in the same light. Among
 * such strangers a product is 4 to 9 times as frequent as among random people. Where no gallery's people tell who is
 * compared, the FMR is theirs. Two faces behind masks are more alike still, a masked and a bare one less: nobody says
 * that a picture shows a mask, but its template tells it, by a logistic regression for each kind. A pair loses the shift
 * of a kind as far as both are of it, and gains as far as one is: with a and b the shares of the kind,
 * score = product − Σ [shift × min(a, b) − apart × |a − b|].
 */

/** `similarityOf` among strangers who are alike. */
export function alikeSimilarityOf({ knots, comparison }: CalibrationCurve, product: number): number {
  if (product >= SAME) return 1;
  return similarityAtFmr(log10Fmr(comparison?.knots ?? knots, product));
}

/**
 * Similarity of two pictures whose people are unknown, as `alikeSimilarityOf`; 1 of the same picture.
 * @throws RangeError when the lengths of the templates differ
 */
export function comparisonSimilarityOf(curve: CalibrationCurve, a: Float32Array, b: Float32Array): number {
  const product = innerProduct(a, b);
  if (product >= SAME) return 1;
  const { knots, kinds } = curve.comparison ?? { knots: curve.knots, kinds: [] };
  return similarityAtFmr(log10Fmr(knots, product - kindShift(kinds, a, b)));
}

/** What the product of two templates loses because they are of one kind; negative where one of them is. */
function kindShift(kinds: readonly FaceKind[], a: Float32Array, b: Float32Array): number {
  return kinds.reduce((sum, kind) => {
    const [low, high] = [shareOf(kind, a), shareOf(kind, b)].sort((one, other) => one - other);
    return sum + kind.shift * low! - kind.apart * (high! - low!);
  }, 0);
}

/** Probability that a template is of the kind, 0…1. */
function shareOf({ bias, weights }: FaceKind, template: Float32Array): number {
  const logOdds = weights.reduce((sum, weight, i) => sum + weight * (template[i] ?? 0), bias);
  return 1 / (1 + Math.exp(-logOdds));
}

/** Similarity, 0…0.9999, of the log10 of an FMR. */
export function similarityAtFmr(log10: number): number {
  return Math.min(HIGHEST_SIMILARITY, Math.max(0, BASE - PER_DECADE * log10));
}

/** log10 of the FMR at a score. Linear between the knots; the outer segments are extended beyond the ends. */
export function log10Fmr(knots: readonly (readonly [number, number])[], product: number): number {
  const after = knots.findIndex(([score]) => score > product);
  const last = knots.length - 1;
  const upper = Math.max(1, after === -1 ? last : after);
  const [x0, y0] = knots[upper - 1]!;
  const [x1, y1] = knots[upper]!;
  return Math.min(0, y0 + ((product - x0) * (y1 - y0)) / (x1 - x0));
}

function isMonotone(knots: readonly (readonly [number, number])[]): boolean {
  return knots.every(([x, y], i) => {
    const [beforeX, beforeY] = knots[i - 1] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    return x > beforeX && y < beforeY;
  });
}
