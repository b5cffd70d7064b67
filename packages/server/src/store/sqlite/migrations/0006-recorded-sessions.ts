import type { Migration } from '../../migration.ts';

/** Recorded liveness sessions. */
export const recordedSessions: Migration = {
  number: 6,
  name: 'recorded sessions',
  sql: `
    -- No reference to the client: the pictures are so large that they are erased in slices.
    CREATE TABLE recorded_sessions (
      id TEXT PRIMARY KEY,
      client_id TEXT NOT NULL,
      recorded_at INTEGER NOT NULL,
      -- 0 unfinished, 1 complete, 2 to be erased
      state INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      label TEXT,
      species TEXT,
      -- sealed
      judgement BLOB NOT NULL
    ) STRICT;
    CREATE INDEX recorded_sessions_of_client ON recorded_sessions (client_id);
    CREATE INDEX recorded_sessions_by_age ON recorded_sessions (recorded_at);
    CREATE INDEX recorded_sessions_by_size ON recorded_sessions (bytes);
    CREATE INDEX recorded_sessions_in_work ON recorded_sessions (state) WHERE state <> 1;

    -- Keyed digests of the people and galleries of a session.
    CREATE TABLE recorded_subjects (
      digest BLOB NOT NULL,
      session TEXT NOT NULL,
      PRIMARY KEY (digest, session)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX recorded_subjects_of_session ON recorded_subjects (session);

    CREATE TABLE recorded_parts (
      id INTEGER PRIMARY KEY,
      session TEXT NOT NULL,
      part INTEGER NOT NULL,
      sealed BLOB NOT NULL,
      UNIQUE (session, part)
    ) STRICT;
  `,
};
