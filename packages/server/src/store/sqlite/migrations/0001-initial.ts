import type { Migration } from '../../migration.ts';

/**
 * SQLite can leave copies of rows that it moves between pages, and an erasure does not reach them. Faces are therefore
 * never updated and have a rowid that only grows, and keys never change their length: neither is moved.
 */
export const initial: Migration = {
  number: 1,
  name: 'initial',
  sql: `
    CREATE TABLE clients (
      client_id TEXT PRIMARY KEY,
      password_hash TEXT,
      created_at INTEGER NOT NULL,
      registered_at INTEGER,
      quota_hits INTEGER NOT NULL,
      quota_faces INTEGER NOT NULL,
      quota_galleries INTEGER NOT NULL,
      used_hits INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE galleries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- null: to be erased
      client_id TEXT REFERENCES clients ON DELETE SET NULL,
      gallery_id TEXT NOT NULL,
      contract TEXT,
      version INTEGER NOT NULL DEFAULT 0,
      faces INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      UNIQUE (client_id, gallery_id)
    ) STRICT;

    -- Rows are never deleted: a key is erased by overwriting it with zeros of its length.
    CREATE TABLE gallery_keys (
      gallery INTEGER PRIMARY KEY,
      wrapped_key BLOB NOT NULL
    ) STRICT;

    CREATE TABLE faces (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      template BLOB NOT NULL,
      seq INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (gallery, user_id),
      UNIQUE (gallery, seq)
    ) STRICT;

    CREATE TABLE api_tokens (
      id TEXT PRIMARY KEY,
      client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
      name TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER
    ) STRICT;
    CREATE INDEX api_tokens_of_client ON api_tokens (client_id);

    CREATE TABLE revoked_jwts (
      jti TEXT PRIMARY KEY,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX revoked_jwts_by_expiry ON revoked_jwts (expires_at);

    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT;

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      event TEXT NOT NULL,
      client_id TEXT,
      trx_id TEXT,
      facts TEXT NOT NULL
    ) STRICT;
  `,
};
