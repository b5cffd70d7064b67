import type { Migration } from '../../migration.ts';

/** Threshold and calibration curve of a gallery; null: the server's. */
export const operatingPoints: Migration = {
  number: 2,
  name: 'operating points',
  sql: `
    ALTER TABLE galleries ADD COLUMN threshold REAL;
    ALTER TABLE galleries ADD COLUMN curve TEXT;
  `,
};
