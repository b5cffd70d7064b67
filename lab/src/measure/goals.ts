import { type Figure, type ReportSection, share } from './figure.ts';
import type { ResultTable } from './tables.ts';

/** A goal of recognition, and the section and figure that show whether it is reached. */
interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly title: string;
  readonly figure: RegExp;
  /** The goal is about one minus the figure. */
  readonly complement?: true;
}

const fnmr = (fmr: string, goal: string): Goal => ({
  what: `greyscale LFW: FNMR at FMR ${fmr}`,
  goal,
  title: 'Subset lfw',
  figure: new RegExp(`^FNMR at FMR ${fmr}$`),
});

const matched = (people: string, region: string, goal: string): Goal => ({
  what: `${people}: 1 − FNMR at FMR 1e-2, impostor pairs of the same region`,
  goal,
  title: `Region ${region}`,
  figure: /^FNMR at FMR 1e-2$/,
  complement: true,
});

const colour = (what: string, goal: string, figure: RegExp): Goal => ({
  what: `colour pictures, one reference of each person: ${what}`,
  goal,
  title: 'Enrolment: public and deepface',
  figure,
});

const selfies = (what: string, goal: string, figure: RegExp): Goal => ({
  what: `selfies with a card: ${what}`,
  goal,
  title: 'Selfies with a card (composed)',
  figure,
});

const goals: readonly Goal[] = [
  fnmr('1e-2', '≤ 1.5 %'),
  fnmr('1e-3', '≤ 6 %'),
  fnmr('1e-4', '≤ 15 %'),
  matched('South-East Asian', 'sea', '≥ 96 %'),
  matched('East Asian', 'ea', '≥ 92 %'),
  colour('probes verified (1 − FNMR)', '≥ 97 %', /^verified/),
  colour('probes identified correctly (1 − FNIR)', '≥ 92 %', /^identified correctly/),
  colour('probes identified as another person', '0', /^identified as/),
  ...['1e-1', '1e-2', '1e-3'].map(
    (fmr): Goal => ({
      what: `claimed FMR ${fmr}: log10(measured FMR ÷ claimed FMR)`,
      goal: '≤ 0.3 decades',
      title: 'Claimed and measured FMR',
      figure: new RegExp(`^claimed FMR ${fmr} `),
    }),
  ),
  selfies('holder and card face selected', '≥ 95 %', /^holder and card face selected$/),
  selfies('holder selected twice', '0', /^holder selected twice/),
];

/** Table of goals and what was reached. */
export function goalsTable(sections: readonly ReportSection[]): ResultTable {
  const rows = goals.map(({ what, goal, title, figure, complement }) => {
    const section = sections.find((one) => one.title === title);
    const found = section?.figures.find((one) => figure.test(one.what));
    const { value, evidence } = !found ? missing : complement ? complementOf(found) : inDecades(found);
    return [what, goal, value, evidence];
  });
  return {
    title: 'Goals and results',
    columns: ['metric', 'goal', 'reached', 'counts; 95 % interval'],
    rows,
  };
}

const missing = { value: '–', evidence: 'no data' };

/** Of a claimed FMR the distance from the measured one is the value; other figures as they are. */
function inDecades({ what, value, evidence }: Figure): Figure {
  const [, counts, decades] = /^(.+); (\S+ decades)$/.exec(evidence) ?? [];
  if (counts === undefined || decades === undefined) return { what, value, evidence };
  return { what, value: decades, evidence: `${value}: ${counts}` };
}

function complementOf(figure: Figure): Figure {
  if (!figure.share) return figure;
  const { events, trials } = figure.share;
  return share(figure.what, { events: trials - events, trials });
}
