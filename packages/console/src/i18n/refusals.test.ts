import { statuses } from '@wajah/contract';
import { expect, it } from 'vitest';
import { englishTitles, indonesianRefusals } from './refusals.ts';

it('every status of the server has a title in both languages, and advice in Indonesian', () => {
  const known = Object.values(statuses).map(({ status }) => status);
  for (const table of [indonesianRefusals, englishTitles]) {
    expect(Object.keys(table).sort()).toEqual([...new Set(known)].sort());
  }
});
