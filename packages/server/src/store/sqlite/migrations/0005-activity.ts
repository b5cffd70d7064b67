import type { Migration } from '../../migration.ts';

/** Operators, scopes of API tokens, and activity. */
export const activity: Migration = {
  number: 5,
  name: 'activity',
  sql: `
    -- Whether the client may read the status of the server.
    ALTER TABLE clients ADD COLUMN operator INTEGER NOT NULL DEFAULT 0;

    -- JSON; null: all scopes
    ALTER TABLE api_tokens ADD COLUMN scopes TEXT;
    ALTER TABLE api_tokens ADD COLUMN last_used_at INTEGER;

    -- No reference to the client: there can be so many rows that they are erased in slices.
    CREATE TABLE activity (
      client_id TEXT NOT NULL,
      -- length of the time step, and its start
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
