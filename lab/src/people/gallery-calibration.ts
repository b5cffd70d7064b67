import { type CalibrationCurve, type EmbeddingSpec, similarityOf } from '@wajah/engine';
import type { ImpostorProducts } from '@wajah/tools';
import { type Bins, fitFewPairs, totalOf } from '../calibration/from-counts.ts';
import { type Figure, plain, share } from '../measure/figure.ts';

/**
 * Two users of a gallery count as one person who is enrolled twice from this similarity on, an FMR of 1e-5, and from so many
 * deviations above the median: the pack's own curve, which is to be replaced, may claim too little.
 */
const SAME_PERSON = { similarity: 0.875, deviations: 5 };
/** Similarities whose FMR is reported. */
const REPORTED = [0.375, 0.5, 0.625, 0.75];

/**
 * A calibration from the people of galleries: two users of a gallery are an impostor pair.
 * @param prior the pack's own curve, which goes on where the counts end
 * @throws Error when no gallery has two people of the pack
 */
export function calibrationOfGalleries(
  contract: EmbeddingSpec,
  measured: ImpostorProducts,
  prior: CalibrationCurve,
): { calibration: { contract: EmbeddingSpec; curve: CalibrationCurve }; figures: Figure[] } {
  const impostors = withoutSamePerson(measured.bins, prior);
  const pairs = totalOf(impostors);
  if (pairs === 0) throw new Error('no gallery has two people whose templates are of the pack in use');
  const samePerson = totalOf(measured.bins) - pairs;
  const { galleries, otherGalleries, people } = measured;
  const curve: CalibrationCurve = {
    pack: contract.pack,
    evidence: {
      data: 'users of the galleries of the server; two users of a gallery are an impostor pair',
      galleries,
      people,
      impostorPairs: pairs,
      samePerson,
      measuredTo: impostors.at(-1)![0],
    },
    ...fitFewPairs(impostors, people, prior),
    ...(prior.comparison && { comparison: prior.comparison }),
  };
  const figures = [
    plain('galleries', String(galleries), `${otherGalleries} of other packs, or unreadable, left out`),
    plain('people', String(people), 'at most 512 of a gallery'),
    plain('impostor pairs', String(pairs), `${samePerson} more count as one person, enrolled twice`),
    ...REPORTED.flatMap((similarity) => figuresAt(similarity, impostors, prior, curve)),
  ];
  return { calibration: { contract, curve }, figures };
}

function withoutSamePerson(bins: Bins, prior: CalibrationCurve): Bins {
  const [median, high] = [quantile(bins, 0.5), quantile(bins, 0.8413)];
  const least = median + SAME_PERSON.deviations * (high - median);
  return bins.filter(([product]) => product < least || similarityOf(prior, product) < SAME_PERSON.similarity);
}

/** Product that a share of the pairs is at or below; few enrolled twice do not move it. */
function quantile(bins: Bins, share: number): number {
  const wanted = share * totalOf(bins);
  let below = 0;
  for (const [product, count] of bins) {
    below += count;
    if (below >= wanted) return product;
  }
  return 0;
}

/** FMR of the pack's own curve, which is replaced, and of the new one. */
function figuresAt(similarity: number, bins: Bins, ...curves: CalibrationCurve[]): Figure[] {
  const claim = `claim 1 in ${Math.round(10 ** ((similarity - 0.25) / 0.125))}`;
  return curves.map((curve, i) => {
    const events = totalOf(bins.filter(([product]) => similarityOf(curve, product) >= similarity));
    const of = i === 0 ? "the pack's curve" : 'the new curve';
    return share(`FMR at similarity ${similarity}, ${claim}, ${of}`, { events, trials: totalOf(bins) });
  });
}
