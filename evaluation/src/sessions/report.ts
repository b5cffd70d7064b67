import { type Figure, percent, plain, type ReportSection } from '../measure/figure.ts';
import { clusteredInterval, type PersonCount } from '../metrics/bounds.ts';
import type { SessionGroup, SessionOutcome } from './outcome.ts';

/**
 * BPCER of honest sessions and APCER of each attack species, the worst first (ISO/IEC 30107-3), then the checks that
 * refused sessions.
 */
export function sessionSections(groups: readonly SessionGroup[]): ReportSection[] {
  const held = groups.filter(({ outcomes }) => outcomes.length > 0);
  const honest = held.filter(({ kind }) => kind === 'honest');
  const attacks = held.filter(({ kind }) => kind === 'attack').sort((a, b) => passRate(b) - passRate(a));
  const species = attacks.map(({ name, outcomes }) => errorFigure(name, outcomes, ({ passed }) => passed));
  const pooled = [
    pooledFigure(
      'all animated stills',
      attacks.filter(({ animated }) => animated),
    ),
    pooledFigure('all attacks', attacks),
  ].flat();
  const refused = honest.map(({ name, outcomes }) => errorFigure(name, outcomes, ({ passed }) => !passed));
  return [
    {
      title: 'Liveness sessions: APCER by attack species, the worst first',
      figures: [...species, ...pooled],
    },
    { title: 'Liveness sessions: BPCER', figures: refused },
    { title: 'Liveness sessions: checks that refused', figures: held.map(reasonFigure) },
  ].filter(({ figures }) => figures.length > 0);
}

function passRate({ outcomes }: SessionGroup): number {
  return outcomes.filter(({ passed }) => passed).length / outcomes.length;
}

function pooledFigure(name: string, groups: readonly SessionGroup[]): Figure[] {
  const outcomes = groups.flatMap((group) => group.outcomes);
  return groups.length > 1 ? [errorFigure(name, outcomes, ({ passed }) => passed)] : [];
}

function errorFigure(
  what: string,
  outcomes: readonly SessionOutcome[],
  isError: (outcome: SessionOutcome) => boolean,
): Figure {
  const people = countsByPerson(outcomes, isError);
  const events = outcomes.filter(isError).length;
  const { low, high } = clusteredInterval(people);
  return {
    what,
    value: `${percent(events / outcomes.length)} %`,
    evidence: `${events} of ${outcomes.length}, ${people.length} people; ${percent(low)}–${percent(high)} %`,
    share: { events, trials: outcomes.length, low, high },
  };
}

function countsByPerson(
  outcomes: readonly SessionOutcome[],
  isError: (outcome: SessionOutcome) => boolean,
): PersonCount[] {
  const people = new Map<string, PersonCount>();
  for (const outcome of outcomes) {
    const { events, trials } = people.get(outcome.person) ?? { events: 0, trials: 0 };
    people.set(outcome.person, { events: events + Number(isError(outcome)), trials: trials + 1 });
  }
  return [...people.values()];
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
