import type { Migration } from '../../migration.ts';

/** Links of audit records. Records from before have none: the chain begins behind them. */
export const auditChain: Migration = {
  number: 11,
  name: 'audit chain',
  sql: `
    ALTER TABLE audit ADD COLUMN number INTEGER;
    ALTER TABLE audit ADD COLUMN salt BLOB;
    ALTER TABLE audit ADD COLUMN digest BLOB;
    ALTER TABLE audit ADD COLUMN hash BLOB;
    ALTER TABLE audit ADD COLUMN seal BLOB;
    CREATE UNIQUE INDEX audit_by_number ON audit (number);
    CREATE INDEX audit_of_client ON audit (client_id) WHERE client_id IS NOT NULL;
    CREATE TABLE audit_ends (
      name TEXT PRIMARY KEY,
      number INTEGER NOT NULL,
      hash BLOB NOT NULL,
      seal BLOB NOT NULL
    ) STRICT;
    INSERT INTO audit_ends VALUES ('head', 0, zeroblob(32), x''), ('anchor', 0, zeroblob(32), x'');
  `,
};
