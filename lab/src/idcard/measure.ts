import { type CalibrationCurve, comparisonSimilarityOf, innerProduct } from '@wajah/engine';
import { type Figure, plain, type ReportSection, share, tally } from '../measure/figure.ts';
import { countAtLeast, countBelow, fnmrAtFmr } from '../metrics/scores.ts';
import type { AcquiredSample } from '../people/templates.ts';
import { type Card, personOf } from './cards.ts';

/** Similarity thresholds that an operator may set. */
const THRESHOLDS = [0.5, 0.55, 0.6, 0.625, 0.7, 0.75] as const;

/** Card portraits compared with pictures of their holders (genuine) and of everybody else (impostor). */
export function cardSections(
  cards: readonly Card[],
  photos: readonly AcquiredSample[],
  curve: CalibrationCurve | null,
): ReportSection[] {
  return (['flat', 'photo'] as const).map((variant) => ({
    title:
      variant === 'flat'
        ? 'Drawn cards compared with photographs'
        : 'Photographed cards compared with photographs',
    figures: figuresOf(
      cards.filter((card) => card.variant === variant),
      photos,
      curve,
    ),
  }));
}

type Pair = readonly [card: Float32Array, photo: Float32Array];

function figuresOf(
  cards: readonly Card[],
  photos: readonly AcquiredSample[],
  curve: CalibrationCurve | null,
): Figure[] {
  const genuinePairs: Pair[] = [];
  const impostorPairs: Pair[] = [];
  let blind = 0;
  for (const { template, own, name } of cards) {
    if (!template) blind += own.length;
    else {
      for (const photo of own) genuinePairs.push([template, photo.template]);
      const others = photos.filter((photo) => personOf(photo.identity) !== name);
      for (const photo of others) impostorPairs.push([template, photo.template]);
    }
  }
  const genuine = genuinePairs.map((pair) => innerProduct(...pair));
  const impostor = Float64Array.from(impostorPairs, (pair) => innerProduct(...pair)).sort();
  const figures = [
    share(
      'failure to acquire: no face detected on the card',
      tally(cards, ({ template }) => template === null),
    ),
    plain(
      'pairs',
      `${genuine.length + blind} genuine`,
      `${impostor.length} impostor; without the picture that is printed on the card`,
    ),
  ];
  if (genuine.length === 0 || impostor.length === 0) return figures;
  for (const rate of [1e-1, 1e-2, 1e-3].filter((one) => impostor.length * one >= 3)) {
    const { events, trials } = fnmrAtFmr(genuine, impostor, rate).falseNonMatches;
    figures.push(
      share(`FNMR at FMR ${rate.toExponential(0)}`, { events: events + blind, trials: trials + blind }),
    );
  }
  if (!curve) return figures;
  const genuineSimilarities = genuinePairs.map((pair) => comparisonSimilarityOf(curve, ...pair));
  const impostorSimilarities = impostorPairs.map((pair) => comparisonSimilarityOf(curve, ...pair));
  for (const threshold of THRESHOLDS) {
    const { events, trials } = countBelow(genuineSimilarities, threshold);
    figures.push(
      share(`FNMR at similarity ${threshold}`, { events: events + blind, trials: trials + blind }),
      share(`FMR at similarity ${threshold}`, countAtLeast(impostorSimilarities, threshold)),
    );
  }
  return figures;
}
