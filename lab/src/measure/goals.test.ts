import { expect, it } from 'vitest';
import { plain, share } from './figure.ts';
import { goalsTable } from './goals.ts';

it('shows goals and results, and marks what was not measured', () => {
  const what = 'FNMR at FMR 1e-2';
  const { rows } = goalsTable([
    { title: 'Subset lfw', figures: [share(what, { events: 5, trials: 919 })] },
    {
      title: 'Claimed and measured FMR',
      figures: [
        plain('claimed FMR 1e-1 (similarity 0.375)', 'measured 1.2e-1', '12 of 100 pairs; +0.08 decades'),
      ],
    },
    { title: 'Region ea', figures: [share(what, { events: 1, trials: 145 })] },
  ]);
  const of = (start: string) => rows.find(([what]) => what?.startsWith(start));
  expect(of('greyscale LFW: FNMR at FMR 1e-2')).toMatchObject({
    1: '≤ 1.5 %',
    2: '0.5 %',
    3: expect.stringMatching(/^5 of 919/),
  });
  expect(of('East Asian')).toMatchObject({
    1: '≥ 92 %',
    2: '99.3 %',
    3: expect.stringMatching(/^144 of 145/),
  });
  expect(of('claimed FMR 1e-1')?.slice(2)).toEqual(['+0.08 decades', 'measured 1.2e-1: 12 of 100 pairs']);
  expect(of('South-East Asian')?.slice(2)).toEqual(['–', 'no data']);
});
