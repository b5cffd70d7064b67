import type { EvaluationCommands } from '@wajah/tools';
import { type Figure, percent, plain, type ReportSection, share, tally } from '../measure/figure.ts';
import { exactInterval } from '../metrics/bounds.ts';
import { countAtLeast, countBelow, rate, rocArea, thresholdAtBpcer } from '../metrics/scores.ts';

type Request = Parameters<EvaluationCommands['evaluateRecorded']>[0];
type Sample = Request['sessions'][number];
type Scored = Sample & { readonly spoofScore: number };

/** Share of bona fide sessions that a threshold may refuse. */
const bpcerTargets = [0.01, 0.02, 0.05];

/** Checks that do not look for attacks: they find that the challenge was not performed, or by whom. */
const otherChecks = ['order', 'time', 'step', 'quality', 'user'];

/**
 * APCER by species and BPCER (ISO/IEC 30107-3) of labelled sessions: as they were judged, and by their spoof scores at
 * a threshold; and the thresholds with a given BPCER.
 * @throws Error without a labelled session
 */
export function evaluateRecorded({
  sessions,
  threshold,
}: Request): ReturnType<EvaluationCommands['evaluateRecorded']> {
  const pack = sessions.at(-1)?.pack;
  if (pack === undefined) throw new Error('no session is labelled');
  // Scores of different packs and releases are not comparable.
  const samples = sessions.filter((sample) => sample.pack === pack);
  const scored = samples.filter((sample): sample is Scored => sample.spoofScore !== null);
  const inForce = threshold ?? samples.at(-1)!.spoofThreshold;
  const others = sessions.length - samples.length;
  const unscored = samples.length - scored.length;
  return {
    sections: [
      { title: 'Sessions, as they were judged', figures: judgedFigures(samples) },
      {
        title: `Spoof score of a session at the threshold ${inForce}`,
        figures: scoreFigures(scored, inForce),
      },
      ...thresholdSection(scored),
    ],
    notes: [
      `Sessions judged with ${pack}${others > 0 ? `; ${others} judged with others are left out` : ''}${unscored > 0 ? `; ${unscored} have no spoof score, because no PAD networks were installed or no step was judged` : ''}.`,
      'Intervals are exact (Clopper–Pearson, 95 %) and take sessions for independent: several sessions of one person, camera or print count for less. With no error in n sessions the rate is at most 3/n (rule of three, 95 %).',
    ],
  };
}

const isBonaFide = ({ attack }: Sample) => attack === null;

function speciesOf(samples: readonly Sample[]): string[] {
  return [...new Set(samples.flatMap(({ attack }) => attack ?? []))].sort();
}

function judgedFigures(samples: readonly Sample[]): Figure[] {
  const bonaFide = samples.filter(isBonaFide);
  const refused = (sample: Sample) => checksOf(sample).some((check) => !otherChecks.includes(check));
  const failed = ({ passed }: Sample) => !passed;
  const byDevice = groups(bonaFide, ({ device }) => device ?? 'not named');
  const people = [...groups(bonaFide, ({ person }) => person).values()];
  return [
    bounded('BPCER: bona fide sessions refused by a check for attacks', bonaFide, refused),
    bounded('bona fide sessions not passed, for any reason', bonaFide, failed),
    ...[...new Set(bonaFide.flatMap(checksOf))]
      .sort()
      .map((check) =>
        bounded(`bona fide sessions that fail the check ${check}`, bonaFide, (one) =>
          checksOf(one).includes(check),
        ),
      ),
    ...(byDevice.size > 1 ? [...byDevice] : []).map(([device, own]) =>
      bounded(`BPCER, camera ${device}`, own, refused),
    ),
    bounded('people with a bona fide session refused', people, (own) => own.some(refused)),
    ...speciesOf(samples).map((species) =>
      bounded(`APCER, ${species}: attacks that passed`, ofSpecies(samples, species), ({ passed }) => passed),
    ),
    ...worst(samples, (own) => tally(own, ({ passed }) => passed)),
  ];
}

function scoreFigures(samples: readonly Scored[], threshold: number): Figure[] {
  const bonaFide = samples.filter(isBonaFide);
  const attacks = samples.filter((sample) => !isBonaFide(sample));
  const passes = ({ spoofScore }: Scored) => spoofScore < threshold;
  const area =
    bonaFide.length > 0 && attacks.length > 0
      ? [
          plain(
            'ROC area',
            rocArea(scoresOf(attacks), scoresOf(bonaFide)).toFixed(3),
            `${attacks.length} attacks, ${bonaFide.length} bona fide`,
          ),
        ]
      : [];
  return [
    bounded('BPCER', bonaFide, (sample) => !passes(sample)),
    ...[...groups(bonaFide, ({ device }) => device)].map(([device, own]) =>
      bounded(`BPCER, camera ${device}`, own, (sample) => !passes(sample)),
    ),
    ...speciesOf(samples).map((species) => bounded(`APCER, ${species}`, ofSpecies(samples, species), passes)),
    ...worst(samples, (own) => tally(own, passes)),
    ...area,
  ];
}

/** Each threshold with what it costs; none without bona fide sessions. */
function thresholdSection(samples: readonly Scored[]): ReportSection[] {
  const bonaFide = scoresOf(samples.filter(isBonaFide));
  if (bonaFide.length === 0) return [];
  const figures = bpcerTargets.map((target) => {
    const what = `threshold for a BPCER of ${percent(target)} %`;
    // Rounded up, as it is printed: a score at the threshold is refused.
    const threshold = Math.min(1, Math.ceil(1000 * thresholdAtBpcer(bonaFide, target)) / 1000);
    const refused = countAtLeast(bonaFide, threshold);
    const { low, high } = exactInterval(refused.events, refused.trials);
    const attacks = speciesOf(samples).map((species) => {
      const { events, trials } = countBelow(scoresOf(ofSpecies(samples, species)), threshold);
      return `${species} ${events} of ${trials}`;
    });
    const supported =
      bonaFide.length * target >= 3 ? '' : `; needs ${Math.ceil(3 / target)} bona fide sessions to be shown`;
    const passing = attacks.length === 0 ? '' : `; attacks that pass: ${attacks.join(', ')}`;
    const evidence = `refuses ${refused.events} of ${refused.trials} bona fide, ${percent(low)}–${percent(high)} %${passing}${supported}`;
    return plain(what, threshold.toFixed(3), evidence);
  });
  return [{ title: 'Thresholds that follow (WAJAH_SPOOF_THRESHOLD)', figures }];
}

/** A share of events; without any, also the bound by the rule of three. */
function bounded<T>(what: string, items: readonly T[], condition: (item: T) => boolean): Figure {
  const figure = share(what, tally(items, condition));
  if (items.length === 0 || figure.share?.events !== 0) return figure;
  const bound = percent(Math.min(1, 3 / items.length));
  return { ...figure, evidence: `${figure.evidence}; at most ${bound} % by the rule of three` };
}

/** The species with the highest APCER, which is the APCER of the system (ISO/IEC 30107-3, 13.2.4). */
function worst<T extends Sample>(
  samples: readonly T[],
  passed: (own: readonly T[]) => ReturnType<typeof tally>,
): Figure[] {
  const [first] = speciesOf(samples)
    .map((species) => ({ species, count: passed(ofSpecies(samples, species)) }))
    .sort((a, b) => rate(b.count) - rate(a.count));
  return first ? [share(`APCER, highest: ${first.species}`, first.count)] : [];
}

const ofSpecies = <T extends Sample>(samples: readonly T[], species: string) =>
  samples.filter(({ attack }) => attack === species);

const scoresOf = (samples: readonly Scored[]) => samples.map(({ spoofScore }) => spoofScore);

/** Names of the checks that failed. */
const checksOf = ({ reasons }: Sample) => reasons.map((reason) => reason.slice(0, reason.indexOf(':')));

/** Items by a name; those without one are left out. */
function groups<T>(items: readonly T[], nameOf: (item: T) => string | null): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    if (name !== null) found.set(name, [...(found.get(name) ?? []), item]);
  }
  return found;
}
