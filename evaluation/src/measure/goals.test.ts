import { expect, it } from 'vitest';
import { share } from './figure.ts';
import { goalsTable } from './goals.ts';

it('puts what was reached beside what was asked, and says what was not measured', () => {
  const what = 'not matched where 1 in 100 strangers is (FNMR at FMR 1e-2)';
  const table = goalsTable([
    { title: 'Subset lfw', figures: [share(what, { events: 5, trials: 919 })] },
    { title: 'Region ea', figures: [share(what, { events: 1, trials: 145 })] },
  ]).split('\n');
  expect(table).toContainEqual(
    expect.stringMatching(/^\| greyscale LFW.* 100 strangers .* ≤ 1\.5 % \| 0\.5 % \| 5 of 919/),
  );
  expect(table).toContainEqual(expect.stringMatching(/^\| East Asian.* ≥ 92 % \| 99\.3 % \| 144 of 145/));
  expect(table).toContainEqual(expect.stringMatching(/^\| South-East Asian.* \| – \| no data \|$/));
});
