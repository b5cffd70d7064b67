import { type Figure, share } from './figure.ts';
import type { ReportSection } from './report-section.ts';

/** A figure that recognition is meant to reach, and where it is found. */
interface Goal {
  readonly what: string;
  readonly asked: string;
  /** Of the section. */
  readonly title: string;
  readonly figure: RegExp;
  /** Matched is what is asked for, and not matched what was counted. */
  readonly turned?: true;
}

const notMatched = (words: string, rate: string, asked: string): Goal => ({
  what: `greyscale LFW: pairs of one person not matched where 1 in ${words} strangers is`,
  asked,
  title: 'Subset lfw',
  figure: new RegExp(`FNMR at FMR ${rate}\\)`),
});

const matched = (people: string, region: string, asked: string): Goal => ({
  what: `${people}: pairs of one person matched where 1 in 100 strangers of the region is`,
  asked,
  title: `Region ${region}`,
  figure: /FNMR at FMR 1e-2\)/,
  turned: true,
});

const colour = (what: string, asked: string, figure: RegExp): Goal => ({
  what: `colour pictures, one enrolled of each person: others ${what}`,
  asked,
  title: 'Enrolment: public and deepface',
  figure,
});

const selfies = (what: string, asked: string, figure: RegExp): Goal => ({
  what: `selfies with a card: ${what}`,
  asked,
  title: 'Selfies with a card (composed)',
  figure,
});

const goals: readonly Goal[] = [
  notMatched('100', '1e-2', '≤ 1.5 %'),
  notMatched('1,000', '1e-3', '≤ 6 %'),
  notMatched('10,000', '1e-4', '≤ 15 %'),
  matched('South-East Asian', 'sea', '≥ 96 %'),
  matched('East Asian', 'ea', '≥ 92 %'),
  colour('verified', '≥ 97 %', /^verified/),
  colour('identified right', '≥ 92 %', /^identified right/),
  colour('identified as somebody else', '0', /^identified as/),
  ...['10', '100', '1000'].map(
    (rate): Goal => ({
      what: `a similarity that claims 1 stranger in ${rate}: distance from what was measured`,
      asked: '≤ 0.3 decades',
      title: 'What similarity claims',
      figure: new RegExp(`^claimed 1 in ${rate} `),
    }),
  ),
  selfies('the right two faces found', '≥ 95 %', /^the right two/),
  selfies('the person compared with the person', '0', /^person compared/),
];

/**
 * What was asked for beside what was reached, as a table.
 * @param sections of all that was measured
 */
export function goalsTable(sections: readonly ReportSection[]): string {
  const rows = goals.map(({ what, asked, title, figure, turned }) => {
    const section = sections.find((one) => one.title === title);
    const found = section?.figures.find((one) => figure.test(one.what));
    const { value, evidence } = !found ? missing : turned ? turnedAround(found) : inDecades(found);
    return `| ${what} | ${asked} | ${value} | ${evidence} |`;
  });
  return ['| | asked | reached | evidence, 95 % interval |', '|---|---|---|---|', ...rows].join('\n');
}

const missing = { value: '–', evidence: 'no data' };

/** Of a claim the distance from what was measured is what counts; other figures as they are. */
function inDecades({ what, value, evidence }: Figure): Figure {
  const [, counts, decades] = /^(.+); (\S+ decades)$/.exec(evidence) ?? [];
  if (counts === undefined || decades === undefined) return { what, value, evidence };
  return { what, value: decades, evidence: `${value}: ${counts}` };
}

function turnedAround(figure: Figure): Figure {
  if (!figure.share) return figure;
  const { events, trials } = figure.share;
  return share(figure.what, { events: trials - events, trials });
}
