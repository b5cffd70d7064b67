import type { Migration } from '../../migration.ts';

/** Operators, what tokens may do, and what was called. */
export const activity: Migration = {
  number: 5,
  name: 'activity',
  sql: `
    -- Whether the client may see how the server is.
    ALTER TABLE clients ADD COLUMN operator INTEGER NOT NULL DEFAULT 0;

    -- JSON; null: everything
    ALTER TABLE api_tokens ADD COLUMN scopes TEXT;
    ALTER TABLE api_tokens ADD COLUMN last_used_at INTEGER;

    -- Without a reference to the client: there can be so many that they are erased in slices.
    CREATE TABLE activity (
      client_id TEXT NOT NULL,
      -- length of the step of time, and its beginning
      seconds INTEGER NOT NULL,
      start INTEGER NOT NULL,
      route TEXT NOT NULL,
      measure TEXT NOT NULL,
      outcome TEXT NOT NULL,
      bin INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (client_id, seconds, start, route, measure, outcome, bin)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX activity_by_age ON activity (seconds, start);

    CREATE TABLE refused_calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
      at INTEGER NOT NULL,
      route TEXT NOT NULL,
      status TEXT NOT NULL,
      detail TEXT,
      trx_id TEXT NOT NULL,
      gallery_id TEXT,
      user_id TEXT,
      similarity REAL,
      spoof_score REAL,
      ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX refused_calls_of_client ON refused_calls (client_id, id);
    CREATE INDEX refused_calls_by_age ON refused_calls (at);
  `,
};
