import { statuses } from '@wajah/contract';
import { expect, it } from 'vitest';
import { indonesianRefusals } from './refusals.ts';

it('every status of the server has a title and advice in Indonesian', () => {
  const known = Object.values(statuses).map(({ status }) => status);
  expect(Object.keys(indonesianRefusals).sort()).toEqual([...new Set(known)].sort());
});
