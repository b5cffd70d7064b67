import { type Figure, plain, type ReportSection } from '../measure/figure.ts';
import { personFigure } from '../measure/person-figure.ts';
import { rocArea } from '../metrics/scores.ts';
import { type Presentation, SPECIES, type Species } from './presentation.ts';
import type { Response, Verdict } from './response.ts';

/** What the responses are of. */
interface Configuration {
  /** As in a title: `with the pack pad`. */
  readonly name: string;
  readonly threshold: number;
}

/**
 * Error rates at the default threshold: APCER of each attack species, the worst first, BPCER by camera and framing, both
 * by collection, and pooled figures last. Generated faces are no presentation attacks: they have a row and are left out
 * of everything else.
 */
export function presentationSections(
  responses: readonly Response[],
  { name, threshold }: Configuration,
): ReportSection[] {
  const at = `${name} (threshold ${threshold.toFixed(2)})`;
  const counted = responses.filter(({ species }) => species !== 'generated');
  const table = (title: string, rows: readonly Row[]) =>
    rows.map(({ row, figures }) => ({
      title: `${title}, ${at}: ${row}`,
      table: { title: `${title}, ${at}`, row },
      figures,
    }));
  return [
    ...table('APCER by attack species, the worst first', speciesRows(responses)),
    ...table('BPCER by camera and framing', cameraRows(counted)),
    ...table('By collection', collectionRows(counted)),
    { title: `Pooled, ${at}`, figures: pooledFigures(counted) },
  ];
}

interface Row {
  readonly row: string;
  readonly figures: readonly Figure[];
}

const attacksOf = (responses: readonly Response[]) => responses.filter(({ species }) => species !== null);
const bonaFideOf = (responses: readonly Response[]) => responses.filter(({ species }) => species === null);

/** Rows of the attacks of each species and framing; the areas are against the bona fide presentations of the framing. */
function speciesRows(responses: readonly Response[]): Row[] {
  const rows = [...groupBy(attacksOf(responses), ({ species, framing }) => `${species}, ${framing}`)];
  const sorted = rows.sort(([, a], [, b]) => rank(b) - rank(a));
  return sorted.map(([row, attacks]) => {
    const framing = attacks[0]?.framing;
    const others = bonaFideOf(responses).filter((one) => one.framing === framing);
    return {
      row: row.startsWith('generated') ? `${row} (no presentation attack)` : row,
      figures: [...attackFigures(attacks), areaOf('ROC area', attacks, others), ...notDetected(attacks)],
    };
  });
}

/** Orders species by APCER with unclear pictures accepted, then by the number of pictures; generated faces last. */
function rank(attacks: readonly Response[]): number {
  const rate = rateOf('', attacks.map(unclearPasses), 'bona fide').share;
  if (attacks[0]?.species === 'generated') return -1;
  return rate ? rate.events / rate.trials + attacks.length * 1e-9 : 0;
}

function cameraRows(responses: readonly Response[]): Row[] {
  const groups = groupBy(bonaFideOf(responses), ({ camera, framing }) => `${camera}, ${framing}`);
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([row, some]) => ({ row, figures: bonaFideFigures(some) }));
}

function bonaFideFigures(bonaFide: readonly Response[]): Figure[] {
  return [
    rateOf('BPCER', bonaFide, 'attack'),
    rateOf('unclear', bonaFide, 'unclear'),
    ...notDetected(bonaFide),
  ];
}

function collectionRows(responses: readonly Response[]): Row[] {
  const groups = groupBy(responses, ({ collection }) => collection);
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([row, some]) => {
      const [attacks, bonaFide] = [attacksOf(some), bonaFideOf(some)];
      return {
        row: `\`${row}\``,
        figures: [
          rateOf('BPCER', bonaFide, 'attack'),
          rateOf('unclear, bona fide', bonaFide, 'unclear'),
          ...attackFigures(attacks),
          areaOf('ROC area', attacks, bonaFide),
          ...notDetected(some),
        ],
      };
    });
}

/** An unclear picture is no attack to a single call by default, and a session asks for a better one. */
function attackFigures(attacks: readonly Response[]): Figure[] {
  return [
    rateOf('APCER, unclear accepted', attacks.map(unclearPasses), 'bona fide'),
    rateOf('APCER, unclear refused', attacks, 'bona fide'),
  ];
}

/** Failures to acquire, where there are any; pooled figures have the counts in any case. */
function notDetected(responses: readonly Response[]): Figure[] {
  const figure = rateOf('face not detected', responses, 'none');
  return figure.share && figure.share.events > 0 ? [figure] : [];
}

function pooledFigures(responses: readonly Response[]): Figure[] {
  const [attacks, bonaFide] = [attacksOf(responses), bonaFideOf(responses)];
  const framed = (some: readonly Response[], framing: Presentation['framing']) =>
    some.filter((one) => one.framing === framing);
  return [
    worstSpecies(attacks),
    rateOf('BPCER, frames', framed(bonaFide, 'frame'), 'attack'),
    rateOf('BPCER, crops', framed(bonaFide, 'crop'), 'attack'),
    rateOf('BPCER, all', bonaFide, 'attack'),
    ...attackFigures(attacks),
    rateOf('unclear, attacks', attacks, 'unclear'),
    rateOf('unclear, bona fide', bonaFide, 'unclear'),
    rateOf('face not detected, attacks', attacks, 'none'),
    rateOf('face not detected, bona fide', bonaFide, 'none'),
    areaOf('ROC area, frames', framed(attacks, 'frame'), framed(bonaFide, 'frame')),
    areaOf('ROC area, crops', framed(attacks, 'crop'), framed(bonaFide, 'crop')),
    areaOf('ROC area, all', attacks, bonaFide),
  ];
}

/** By default an unclear picture is not refused as an attack. */
function unclearPasses(response: Response): Response {
  return response.verdict === 'unclear' ? { ...response, verdict: 'bona fide' } : response;
}

/** APCER of the species with the highest one, which ISO/IEC 30107-3 takes as that of the system. */
function worstSpecies(attacks: readonly Response[]): Figure {
  const groups = [...groupBy(attacks, ({ species }) => species ?? '')].sort(
    ([, a], [, b]) => rank(b) - rank(a),
  );
  const [worst] = groups;
  const what = 'APCER of the worst species, unclear accepted';
  if (!worst) return plain(what, '–', 'no data');
  return rateOf(
    `${what}: ${SPECIES.find((one: Species) => one === worst[0])}`,
    worst[1].map(unclearPasses),
    'bona fide',
  );
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * Share of the responses with a verdict, of those with a detected face: APCER for `bona fide` of attacks, BPCER for
 * `attack` of bona fide presentations (ISO/IEC 30107-3). The interval is about people: one vote each.
 */
function rateOf(what: string, responses: readonly Response[], verdict: Verdict): Figure {
  const trials = verdict === 'none' ? responses : responses.filter((one) => one.verdict !== 'none');
  return personFigure(what, trials, (one) => one.verdict === verdict);
}

/** Area under the ROC curve of attacks against bona fide presentations with a face. */
function areaOf(what: string, attacks: readonly Response[], bonaFide: readonly Response[]): Figure {
  const [positives, negatives] = [scoresOf(attacks), scoresOf(bonaFide)];
  if (positives.length === 0 || negatives.length === 0) return plain(what, '–', 'no data');
  const evidence = `${positives.length} attack and ${negatives.length} bona fide pictures`;
  return plain(what, rocArea(positives, negatives).toFixed(3), evidence);
}

function scoresOf(responses: readonly Response[]): number[] {
  return responses.flatMap(({ score }) => (score === null ? [] : [score]));
}
