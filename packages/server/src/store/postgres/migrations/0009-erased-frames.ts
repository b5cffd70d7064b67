import type { Migration } from '../../migration.ts';

/** Ids of erased frames, which servers then erase from memory. */
export const erasedFrames: Migration = {
  number: 9,
  name: 'erased frames',
  sql: `
    CREATE TABLE erased_frames (id bigint PRIMARY KEY, erased_at bigint NOT NULL);
    CREATE INDEX erased_frames_by_age ON erased_frames (erased_at);
    CREATE FUNCTION note_erased_frames() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO erased_frames SELECT id, 1000 * extract(epoch FROM clock_timestamp())::bigint FROM gone
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END
    $$;
    -- fires for rows that a foreign key erases, too
    CREATE TRIGGER liveness_frames_erased AFTER DELETE ON liveness_frames
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_erased_frames();
  `,
};
