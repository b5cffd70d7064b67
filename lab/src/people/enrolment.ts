import { innerProduct, similarityOf } from '@wajah/engine';
import { type Figure, plain, type ReportSection, share, tally } from '../measure/figure.ts';
import { identifyThreshold } from './identification.ts';
import { byIdentity, type Sample } from './templates.ts';
import type { DecisionPolicy } from './verification.ts';

/** Collections of colour pictures that make up one gallery. */
const GALLERIES: readonly (readonly string[])[] = [['public'], ['deepface'], ['public', 'deepface'], ['bbt']];

/**
 * Verification and identification at the service's thresholds: the first picture of each person of a collection is the
 * reference, the others are probes. A probe without a face counts as a non-match.
 */
export function enrolmentSections(samples: readonly Sample[], operation: DecisionPolicy): ReportSection[] {
  const there = new Set(samples.map(({ subset }) => subset));
  return GALLERIES.filter((subsets) => subsets.every((name) => there.has(name))).flatMap((subsets) => {
    const row = subsets.join(' and ');
    const figures = enrolmentFigures(
      samples.filter(({ subset }) => subsets.includes(subset)),
      operation,
    );
    const title = `Enrolment: ${subsets.join(' and ')}`;
    return figures.length === 0 ? [] : [{ title, table: { title: 'One reference enrolled', row }, figures }];
  });
}

function enrolmentFigures(samples: readonly Sample[], { threshold, curve }: DecisionPolicy): Figure[] {
  if (curve === null) return [];
  const people = [...byIdentity(samples).values()];
  const gallery = people.flatMap(([first]) =>
    first?.template ? [{ ...first, template: first.template }] : [],
  );
  const probes = people.flatMap((own) => own.slice(1));
  if (probes.length === 0) return [];
  const asked = identifyThreshold({ threshold }, gallery.length);
  const answers = probes.map(({ identity, template }) => {
    const ranked = gallery.map((one) => ({
      right: one.identity === identity,
      similarity: template ? similarityOf(curve, innerProduct(one.template, template)) : 0,
    }));
    const best = ranked.reduce((a, b) => (b.similarity > a.similarity ? b : a));
    const own = ranked.find(({ right }) => right)?.similarity ?? 0;
    return { own, right: best.right, named: best.similarity >= asked };
  });
  return [
    plain('people', String(gallery.length), `${probes.length} probes`),
    share(
      `verified at similarity ${threshold} (1 − FNMR)`,
      tally(answers, ({ own }) => own >= threshold),
    ),
    plain('identification threshold (similarity)', asked.toFixed(3), ''),
    share(
      'identified correctly (1 − FNIR)',
      tally(answers, ({ right, named }) => right && named),
    ),
    share(
      'identified as another person',
      tally(answers, ({ right, named }) => !right && named),
    ),
  ];
}
