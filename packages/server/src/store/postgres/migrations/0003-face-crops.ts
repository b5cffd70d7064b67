import type { Migration } from '../../migration.ts';

/** Stored face crops, and templates for the next embedding spec. */
export const faceCrops: Migration = {
  number: 3,
  name: 'face crops',
  sql: `
    -- Embedding spec of the templates in next_templates.
    ALTER TABLE galleries ADD COLUMN next_contract text;
    -- Embedding spec before the last template migration, and its time.
    ALTER TABLE galleries ADD COLUMN former_contract text;
    ALTER TABLE galleries ADD COLUMN carried_at bigint;

    CREATE TABLE face_crops (
      gallery bigint NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      -- grows in the order in which crops are added; there may be fewer templates than crops
      place bigint NOT NULL,
      crop bytea NOT NULL,
      PRIMARY KEY (gallery, user_id, place)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05);
    ALTER TABLE face_crops ALTER COLUMN crop SET STORAGE EXTERNAL;

    CREATE TABLE next_templates (
      gallery bigint NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      -- seq of the face that the template was extracted from; the face may have been replaced since
      seq bigint NOT NULL,
      -- null: the face is deleted by the migration
      template bytea,
      PRIMARY KEY (gallery, user_id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05);
    ALTER TABLE next_templates ALTER COLUMN template SET STORAGE EXTERNAL;
  `,
};
