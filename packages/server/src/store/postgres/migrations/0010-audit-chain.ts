import type { Migration } from '../../migration.ts';

/** Links of audit records. Records from before have none: the chain begins behind them. */
export const auditChain: Migration = {
  number: 10,
  name: 'audit chain',
  sql: `
    ALTER TABLE audit ADD COLUMN number bigint, ADD COLUMN salt bytea, ADD COLUMN digest bytea,
      ADD COLUMN hash bytea, ADD COLUMN seal bytea;
    CREATE UNIQUE INDEX audit_by_number ON audit (number);
    CREATE INDEX audit_of_client ON audit (client_id) WHERE client_id IS NOT NULL;
    CREATE TABLE audit_ends (
      name text COLLATE "C" PRIMARY KEY,
      number bigint NOT NULL,
      hash bytea NOT NULL,
      seal bytea NOT NULL
    ) WITH (fillfactor = 50);
    INSERT INTO audit_ends VALUES
      ('head', 0, decode(repeat('00', 32), 'hex'), ''), ('anchor', 0, decode(repeat('00', 32), 'hex'), '');
  `,
};
