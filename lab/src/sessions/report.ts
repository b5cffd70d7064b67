import { type Figure, plain, type ReportSection } from '../measure/figure.ts';
import { personFigure } from '../measure/person-figure.ts';
import type { SessionGroup } from './outcome.ts';

/**
 * BPCER of honest sessions and APCER of each attack species, the worst first (ISO/IEC 30107-3), then the checks that
 * refused sessions.
 * @param judgedWith the PAD pack, for the headings
 */
export function sessionSections(groups: readonly SessionGroup[], judgedWith: string): ReportSection[] {
  const held = groups.filter(({ outcomes }) => outcomes.length > 0);
  const honest = held.filter(({ kind }) => kind === 'honest');
  const attacks = held.filter(({ kind }) => kind === 'attack').sort((a, b) => passRate(b) - passRate(a));
  const species = attacks.map(({ name, outcomes }) => personFigure(name, outcomes, ({ passed }) => passed));
  const pooled = [
    pooledFigure(
      'all animated stills',
      attacks.filter(({ animated }) => animated),
    ),
    pooledFigure('all attacks', attacks),
  ].flat();
  const refused = honest.map(({ name, outcomes }) => personFigure(name, outcomes, ({ passed }) => !passed));
  return [
    {
      title: `Liveness sessions: APCER by attack species, the worst first, ${judgedWith}`,
      figures: [...species, ...pooled],
    },
    { title: `Liveness sessions: BPCER, ${judgedWith}`, figures: refused },
    { title: `Liveness sessions: checks that refused, ${judgedWith}`, figures: held.map(reasonFigure) },
  ].filter(({ figures }) => figures.length > 0);
}

function passRate({ outcomes }: SessionGroup): number {
  return outcomes.filter(({ passed }) => passed).length / outcomes.length;
}

function pooledFigure(name: string, groups: readonly SessionGroup[]): Figure[] {
  const outcomes = groups.flatMap((group) => group.outcomes);
  return groups.length > 1 ? [personFigure(name, outcomes, ({ passed }) => passed)] : [];
}

/** How many sessions each check refused, the most first; a session may be refused by several. */
function reasonFigure({ name, outcomes }: SessionGroup): Figure {
  const counts = new Map<string, number>();
  for (const reason of outcomes.flatMap(({ reasons }) => reasons)) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const list = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${reason} ${count}`);
  const refused = outcomes.filter(({ passed }) => !passed).length;
  return plain(name, `${refused} of ${outcomes.length}`, list.join(', ') || 'none');
}
