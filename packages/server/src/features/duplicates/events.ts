import { type Cohort, type Gallery, row } from '../../events/row.ts';

export const duplicateEvents = {
  /** People of a gallery were compared: `pairs` were found, above the similarity `threshold`. */
  duplicates_searched: row<
    Gallery & Cohort & { people: number; compared: number; pairs: number; threshold: number }
  >(),
  /** Two users were marked as different people, or the mark was taken back. */
  people_marked_different: row<Gallery & { different: boolean }>(),
};
