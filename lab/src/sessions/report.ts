import { type Figure, plain, type ReportSection } from '../measure/figure.ts';
import { personFigure } from '../measure/person-figure.ts';
import type { SessionGroup } from './outcome.ts';

/**
 * BPCER of honest sessions and APCER of each attack species, the worst first (ISO/IEC 30107-3), then the checks that
 * refused sessions, and what each of them decides alone.
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
    { title: `Liveness sessions: checks that refused, ${judgedWith}`, figures: held.map(checksFigure) },
    { title: `Liveness sessions: what each check decides, ${judgedWith}`, figures: ablation(held) },
  ].filter(({ figures }) => figures.length > 0);
}

function passRate({ outcomes }: SessionGroup): number {
  return outcomes.filter(({ passed }) => passed).length / outcomes.length;
}

function pooledFigure(name: string, groups: readonly SessionGroup[]): Figure[] {
  const outcomes = groups.flatMap((group) => group.outcomes);
  return groups.length > 1 ? [personFigure(name, outcomes, ({ passed }) => passed)] : [];
}

/** How many sessions each check refused, and how many of these alone; the most first. */
function checksFigure({ name, outcomes }: SessionGroup): Figure {
  const names = [...new Set(outcomes.flatMap(({ failed }) => failed))];
  const list = names
    .map((check) => ({ check, ...countOf(check, outcomes) }))
    .sort((a, b) => b.all - a.all)
    .map(({ check, all, alone }) => `${check} ${all}${alone === 0 ? '' : ` (${alone} alone)`}`);
  const refused = outcomes.filter(({ passed }) => !passed).length;
  return plain(name, `${refused} of ${outcomes.length}`, list.join(', ') || 'none');
}

/** Ablation: what each check refuses of honest sessions and of attacks, and what would pass without it. */
function ablation(groups: readonly SessionGroup[]): Figure[] {
  const [honest, attacks] = (['honest', 'attack'] as const).map((kind) =>
    groups.filter((group) => group.kind === kind),
  );
  const sessions = (some: readonly SessionGroup[]) => some.flatMap(({ outcomes }) => outcomes);
  const names = [...new Set(sessions(groups).flatMap(({ failed }) => failed))];
  return names
    .map((name) => {
      const [of, refused] = [countOf(name, sessions(attacks!)), countOf(name, sessions(honest!))];
      const species = attacks!.flatMap((group) => {
        const { alone } = countOf(name, group.outcomes);
        return alone === 0 ? [] : `${group.name} ${alone} of ${group.outcomes.length}`;
      });
      const evidence = `${of.all} attacks and ${refused.all} honest sessions refused, ${refused.alone} honest alone; alone: ${species.join(', ') || 'none'}`;
      return { alone: of.alone, figure: plain(name, `${of.alone} attacks alone`, evidence) };
    })
    .sort((a, b) => b.alone - a.alone)
    .map(({ figure }) => figure);
}

/** Sessions that a check refuses, and those that it alone refuses. */
function countOf(check: string, outcomes: SessionGroup['outcomes']) {
  const refused = outcomes.filter(({ failed }) => failed.includes(check));
  return { all: refused.length, alone: refused.filter(({ failed }) => failed.length === 1).length };
}
