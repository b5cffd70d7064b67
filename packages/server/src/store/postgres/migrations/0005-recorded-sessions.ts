import type { Migration } from '../../migration.ts';

/** Recorded liveness sessions. */
export const recordedSessions: Migration = {
  number: 5,
  name: 'recorded sessions',
  sql: `
    -- No reference to the client: the pictures are so large that they are erased in slices.
    CREATE TABLE recorded_sessions (
      id text COLLATE "C" PRIMARY KEY,
      client_id text COLLATE "C" NOT NULL,
      recorded_at bigint NOT NULL,
      -- 0 unfinished, 1 complete, 2 to be erased
      state bigint NOT NULL,
      bytes bigint NOT NULL,
      label text,
      species text,
      -- sealed
      judgement bytea NOT NULL
    );
    CREATE INDEX recorded_sessions_of_client ON recorded_sessions (client_id);
    CREATE INDEX recorded_sessions_by_age ON recorded_sessions (recorded_at);
    CREATE INDEX recorded_sessions_by_size ON recorded_sessions (bytes);
    CREATE INDEX recorded_sessions_in_work ON recorded_sessions (state) WHERE state <> 1;

    -- Keyed digests of the people and galleries of a session.
    CREATE TABLE recorded_subjects (
      digest bytea NOT NULL,
      session text COLLATE "C" NOT NULL,
      PRIMARY KEY (digest, session)
    );
    CREATE INDEX recorded_subjects_of_session ON recorded_subjects (session);

    CREATE TABLE recorded_parts (
      session text COLLATE "C" NOT NULL,
      part bigint NOT NULL,
      sealed bytea NOT NULL,
      PRIMARY KEY (session, part)
    );
    -- Sealed bytes do not compress.
    ALTER TABLE recorded_parts ALTER COLUMN sealed SET STORAGE EXTERNAL;
  `,
};
