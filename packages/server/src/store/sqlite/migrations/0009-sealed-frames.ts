import type { Migration } from '../../migration.ts';

/**
 * Frames of passed sessions, each sealed by itself. Frames of earlier versions were masked with one pad for each client;
 * they are dropped.
 */
export const sealedFrames: Migration = {
  number: 9,
  name: 'sealed frames',
  sql: `
    DROP TABLE liveness_frames;
    CREATE TABLE liveness_frames (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
      session TEXT NOT NULL,
      -- the user of the session; null: it named none
      gallery_id TEXT,
      user_id TEXT,
      sent_at INTEGER NOT NULL,
      -- keyed digest of the picture's bytes
      digest BLOB NOT NULL,
      -- sealed; null: no face was found
      hash BLOB,
      detail BLOB
    ) STRICT;
    CREATE INDEX liveness_frames_of_client ON liveness_frames (client_id, session);
    CREATE INDEX liveness_frames_by_age ON liveness_frames (sent_at);
    CREATE INDEX liveness_frames_by_digest ON liveness_frames (digest);
  `,
};
