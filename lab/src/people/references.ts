import { innerProduct, similarityOf } from '@wajah/engine';
import { type Figure, type ReportSection, share } from '../measure/figure.ts';
import { countAtLeast, fnmrAtFmr } from '../metrics/scores.ts';
import { type AcquiredSample, acquired, byIdentity, type Sample } from './templates.ts';
import type { DecisionPolicy } from './verification.ts';

/** Score of a probe compared with several templates of one person. */
type Rule = (templates: readonly Float32Array[], probe: Float32Array) => number;

const rules: Readonly<Record<string, Rule>> = {
  'highest score': (templates, probe) => Math.max(...templates.map((one) => innerProduct(one, probe))),
  'mean score': (templates, probe) =>
    templates.reduce((sum, one) => sum + innerProduct(one, probe), 0) / templates.length,
  'mean template': (templates, probe) => innerProduct(meanTemplate(templates), probe),
};

/** Mean of templates, scaled to unit length. */
function meanTemplate(templates: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(templates[0]!.length);
  for (const one of templates) for (let i = 0; i < sum.length; i++) sum[i]! += one[i]!;
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/**
 * FNMR by the number of references of a person (1 to `most`) and the rule that joins their scores. Everybody has more
 * than `most` pictures, and the pictures beyond them are the probes, so that all rows have the same probes.
 */
export function referenceCountSections(
  samples: readonly Sample[],
  operation: DecisionPolicy,
  most = 3,
): ReportSection[] {
  const people = [...byIdentity(acquired(samples)).values()].filter((own) => own.length > most);
  if (people.length < 2) return [];
  const probes = people.flatMap((own) => own.slice(most));
  const title = 'Several references enrolled';
  const about = `${people.length} people, ${probes.length} probes`;
  const sections: ReportSection[] = [];
  for (let count = 1; count <= most; count++) {
    for (const [name, rule] of Object.entries(rules)) {
      if (count === 1 && name !== 'highest score') continue;
      const row = count === 1 ? '1 reference' : `${count} references, ${name}`;
      const figures = ruleFigures(people, probes, count, rule, operation);
      sections.push({
        title: `${title}: ${row}`,
        table: { title: `${title} (${about})`, row },
        figures,
      });
    }
  }
  return sections;
}

function ruleFigures(
  people: readonly AcquiredSample[][],
  probes: readonly AcquiredSample[],
  count: number,
  rule: Rule,
  { threshold, curve }: DecisionPolicy,
): Figure[] {
  const genuine: number[] = [];
  const impostor = new Float64Array(people.length * probes.length);
  let impostors = 0;
  for (const own of people) {
    const templates = own.slice(0, count).map(({ template }) => template);
    for (const probe of probes) {
      const score = rule(templates, probe.template);
      if (probe.identity === own[0]!.identity) genuine.push(score);
      else impostor[impostors++] = score;
    }
  }
  const sorted = impostor.subarray(0, impostors).sort();
  const figures = [1e-2, 1e-3, 1e-4]
    .filter((rate) => impostors * rate >= 3)
    .map((rate) =>
      share(`FNMR at FMR ${rate.toExponential(0)}`, fnmrAtFmr(genuine, sorted, rate).falseNonMatches),
    );
  if (!curve) return figures;
  const over = countAtLeast(
    sorted.map((score) => similarityOf(curve, score)),
    threshold,
  );
  const kept = countAtLeast(
    genuine.map((score) => similarityOf(curve, score)),
    threshold,
  );
  return [
    ...figures,
    share(`FMR at similarity ${threshold}`, over),
    share(`FNMR at similarity ${threshold}`, {
      events: kept.trials - kept.events,
      trials: kept.trials,
    }),
  ];
}
