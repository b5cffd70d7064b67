import type { Migration } from '../../../migration.ts';

/** Counts of the best similarities of a gallery's probes, by day. No personal data. */
export const galleryScores: Migration = {
  number: 14,
  name: 'gallery scores',
  sql: `
    CREATE TABLE gallery_scores (
      gallery bigint NOT NULL,
      -- milliseconds since 1970 of its beginning, UTC
      day bigint NOT NULL,
      -- verify or identify
      comparison text COLLATE "C" NOT NULL,
      bin bigint NOT NULL,
      count bigint NOT NULL,
      PRIMARY KEY (gallery, day, comparison, bin)
    );
    CREATE INDEX gallery_scores_by_age ON gallery_scores (day);
  `,
};
