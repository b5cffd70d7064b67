import { type Gallery, row } from '../../events/row.ts';

export const expectedEvents = {
  expected_set: row<Gallery & { people: number; missing: number }>(),
  expected_linked: row<Gallery & { links: number }>(),
  expected_forgotten: row<Gallery & { people: number }>(),
  /** A session of a link has passed, and its face was not enrolled. */
  expected_refused: row<Gallery & { error: string }>(),
};
