import { expect, it } from 'vitest';
import { plain, share } from './figure.ts';
import { goalsTable } from './goals.ts';

it('shows goals and results, and marks what was not measured', () => {
  const what = 'FNMR at FMR 1e-2';
  const table = goalsTable([
    { title: 'Subset lfw', figures: [share(what, { events: 5, trials: 919 })] },
    {
      title: 'Claimed and measured FMR',
      figures: [
        plain('claimed FMR 1e-1 (similarity 0.375)', 'measured 1.2e-1', '12 of 100 pairs; +0.08 decades'),
      ],
    },
    { title: 'Region ea', figures: [share(what, { events: 1, trials: 145 })] },
  ]).split('\n');
  expect(table).toContainEqual(
    expect.stringMatching(/^\| greyscale LFW: FNMR at FMR 1e-2 \| ≤ 1\.5 % \| 0\.5 % \| 5 of 919/),
  );
  expect(table).toContainEqual(expect.stringMatching(/^\| East Asian.* ≥ 92 % \| 99\.3 % \| 144 of 145/));
  expect(table).toContainEqual(
    expect.stringMatching(/ 0\.3 decades \| \+0\.08 decades \| measured 1\.2e-1: 12 of 100 pairs \|$/),
  );
  expect(table).toContainEqual(expect.stringMatching(/^\| South-East Asian.* \| – \| no data \|$/));
});
