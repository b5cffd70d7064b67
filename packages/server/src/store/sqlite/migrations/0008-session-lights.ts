import type { Migration } from '../../migration.ts';

/** The lights that a liveness session shows on the person's screen. */
export const sessionLights: Migration = {
  number: 8,
  name: 'session lights',
  sql: `
    -- JSON, indices of colours; null: the session shows no lights.
    ALTER TABLE liveness_sessions ADD COLUMN lights TEXT;
  `,
};
