import type { Migration } from '../../migration.ts';

/** Liveness sessions, their submitted frames, and galleries that require liveness. */
export const livenessSessions: Migration = {
  number: 3,
  name: 'liveness sessions',
  sql: `
    ALTER TABLE galleries ADD COLUMN require_liveness INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE liveness_sessions (
      id TEXT PRIMARY KEY,
      client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
      -- JSON
      steps TEXT NOT NULL,
      nonce TEXT NOT NULL,
      gallery_id TEXT,
      user_id TEXT,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      claimed_at INTEGER,
      -- sealed; null after it was consumed or has expired
      template BLOB,
      template_until INTEGER
    ) STRICT;
    CREATE INDEX liveness_sessions_of_client ON liveness_sessions (client_id);
    CREATE INDEX liveness_sessions_by_expiry ON liveness_sessions (expires_at);
    CREATE INDEX liveness_templates_by_expiry ON liveness_sessions (template_until) WHERE template IS NOT NULL;

    CREATE TABLE liveness_frames (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
      session TEXT NOT NULL,
      digest BLOB NOT NULL,
      fingerprint BLOB,
      sent_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX liveness_frames_of_client ON liveness_frames (client_id, sent_at);
    CREATE INDEX liveness_frames_by_age ON liveness_frames (sent_at);
  `,
};
