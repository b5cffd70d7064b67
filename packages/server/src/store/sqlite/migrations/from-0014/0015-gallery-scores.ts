import type { Migration } from '../../../migration.ts';

/** Counts of the best similarities of a gallery's probes, by day. No personal data. */
export const galleryScores: Migration = {
  number: 15,
  name: 'gallery scores',
  sql: `
    CREATE TABLE gallery_scores (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      -- milliseconds since 1970 of its beginning, UTC
      day INTEGER NOT NULL,
      -- verify or identify
      comparison TEXT NOT NULL,
      bin INTEGER NOT NULL,
      count INTEGER NOT NULL,
      UNIQUE (gallery, day, comparison, bin)
    ) STRICT;
    CREATE INDEX gallery_scores_by_age ON gallery_scores (day);
  `,
};
