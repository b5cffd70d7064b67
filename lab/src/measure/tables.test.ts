import { expect, it } from 'vitest';
import { plain, share } from './figure.ts';
import { tables } from './tables.ts';

it('joins sections with the same figures of different parts into one table', () => {
  const missed = (events: number) => share('FNMR at FMR 1e-2', { events, trials: 100 });
  const made = tables([
    { title: 'Data', figures: [plain('pictures', '4', '2 people')] },
    { title: 'Part a', table: { title: 'Parts', row: 'a' }, figures: [plain('pairs', '7', ''), missed(5)] },
    { title: 'Part b', table: { title: 'Parts', row: 'b' }, figures: [missed(0)] },
  ]);
  expect(made).toEqual([
    {
      title: 'Data',
      columns: ['metric', 'value', 'counts; 95 % interval'],
      rows: [['pictures', '4', '2 people']],
    },
    {
      title: 'Parts',
      columns: ['', 'pairs', 'FNMR at FMR 1e-2'],
      rows: [
        ['a', '7', '5.0 %; 5 of 100; 1.6–11.3 %'],
        ['b', '–', '0.0 %; 0 of 100; 0.0–3.6 %'],
      ],
    },
  ]);
});
