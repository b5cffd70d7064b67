import type { Migration } from '../../../migration.ts';

/** Addresses that receive events, and the events that wait for them. Payloads name user_id. */
export const webhooks: Migration = {
  number: 16,
  name: 'webhooks',
  sql: `
    CREATE TABLE webhook_endpoints (
      id TEXT PRIMARY KEY,
      client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
      url TEXT NOT NULL,
      -- names with a comma around each; empty: all
      types TEXT NOT NULL,
      -- sealed
      secret BLOB NOT NULL,
      enabled INTEGER NOT NULL,
      disabled_reason TEXT,
      created_at INTEGER NOT NULL,
      dropped INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX webhook_endpoints_by_client ON webhook_endpoints (client_id);
    CREATE TABLE webhook_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      endpoint TEXT NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
      client_id TEXT NOT NULL,
      type TEXT NOT NULL,
      event_id TEXT NOT NULL,
      gallery_id TEXT,
      user_id TEXT,
      payload TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      -- pending, delivered or dead
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      -- when it is sent next or its lease ends; of a delivery that is done, when that was
      next_at INTEGER NOT NULL,
      error TEXT
    ) STRICT;
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint, state, next_at);
    CREATE INDEX webhook_deliveries_by_user ON webhook_deliveries (client_id, gallery_id, user_id);
    CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
  `,
};
