import type { Migration } from '../../migration.ts';

/** Statistics that normalise the scores of a gallery, sealed under its key, and whether they are used and updated. */
export const galleryCohorts: Migration = {
  number: 12,
  name: 'gallery cohorts',
  sql: `
    ALTER TABLE galleries ADD COLUMN cohort_mode text COLLATE "C" NOT NULL DEFAULT 'auto'
      CHECK (cohort_mode IN ('auto', 'frozen', 'off'));
    CREATE TABLE gallery_cohorts (
      gallery bigint PRIMARY KEY REFERENCES galleries ON DELETE CASCADE,
      version bigint NOT NULL,
      people integer NOT NULL,
      sealed bytea NOT NULL
    );
  `,
};
