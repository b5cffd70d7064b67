import { expect, it } from 'vitest';
import { differences } from './sample.ts';

const sample = (...rows: (readonly [string, string])[]) => ({
  title: '',
  columns: ['picture', 'numbers'],
  rows,
});

it('names pictures with other numbers, another count of them, or of one sample alone', () => {
  const kept = sample(['a', '1 0.5'], ['b', '1 0.5'], ['c', '1 0.5'], ['d', '0']);
  const now = sample(['a', '1 0.5003'], ['b', '1 0.51'], ['c', '1'], ['e', '0']);
  expect(differences(kept, kept)).toEqual([]);
  expect(differences(kept, now)).toEqual(['b', 'c', 'e', 'd']);
});
