import type { Migration } from '../../migration.ts';

/** Statistics that normalise the scores of a gallery, sealed under its key, and whether they are used and updated. */
export const galleryCohorts: Migration = {
  number: 13,
  name: 'gallery cohorts',
  sql: `
    ALTER TABLE galleries ADD COLUMN cohort_mode TEXT NOT NULL DEFAULT 'auto'
      CHECK (cohort_mode IN ('auto', 'frozen', 'off'));
    CREATE TABLE gallery_cohorts (
      gallery INTEGER PRIMARY KEY REFERENCES galleries ON DELETE CASCADE,
      version INTEGER NOT NULL,
      people INTEGER NOT NULL,
      sealed BLOB NOT NULL
    ) STRICT;
  `,
};
