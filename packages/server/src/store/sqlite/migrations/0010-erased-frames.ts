import type { Migration } from '../../migration.ts';

/** Ids of erased frames, which servers then erase from memory. */
export const erasedFrames: Migration = {
  number: 10,
  name: 'erased frames',
  sql: `
    CREATE TABLE erased_frames (id INTEGER PRIMARY KEY, erased_at INTEGER NOT NULL) STRICT;
    CREATE INDEX erased_frames_by_age ON erased_frames (erased_at);
    -- fires for rows that a foreign key erases, too
    CREATE TRIGGER liveness_frames_erased AFTER DELETE ON liveness_frames BEGIN
      INSERT OR REPLACE INTO erased_frames VALUES (old.id, 1000 * CAST(strftime('%s', 'now') AS INTEGER));
    END;
  `,
};
