import type { Migration } from '../../migration.ts';

/** Whom a liveness session is for, and its outcome: limits of open and failed sessions. */
export const sessionSubjects: Migration = {
  number: 6,
  name: 'session subjects',
  sql: `
    -- Keyed digest of an end user; null: of nobody in particular.
    ALTER TABLE liveness_sessions ADD COLUMN subject bytea;
    -- 1, 0; null until it is judged
    ALTER TABLE liveness_sessions ADD COLUMN passed bigint;
    DROP INDEX liveness_sessions_of_client;
    CREATE INDEX liveness_sessions_of_subject ON liveness_sessions (client_id, subject, created_at);
  `,
};
