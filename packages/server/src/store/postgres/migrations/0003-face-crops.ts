import type { Migration } from '../../migration.ts';

/** Pictures of faces that are kept with their templates, and templates that wait for another model pack. */
export const faceCrops: Migration = {
  number: 3,
  name: 'face crops',
  sql: `
    -- The contract of the templates that are made ready in next_templates.
    ALTER TABLE galleries ADD COLUMN next_contract text;
    -- The contract that it had before it was carried over to another pack, and when that was.
    ALTER TABLE galleries ADD COLUMN former_contract text;
    ALTER TABLE galleries ADD COLUMN carried_at bigint;

    CREATE TABLE face_crops (
      gallery bigint NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      -- counts up in the order in which they were added; a template need not be there for each
      place bigint NOT NULL,
      crop bytea NOT NULL,
      PRIMARY KEY (gallery, user_id, place)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05);
    ALTER TABLE face_crops ALTER COLUMN crop SET STORAGE EXTERNAL;

    CREATE TABLE next_templates (
      gallery bigint NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      -- of the face that it was made of: an older one is not that of the face any more
      seq bigint NOT NULL,
      -- null: the operator leaves this person out
      template bytea,
      PRIMARY KEY (gallery, user_id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05);
    ALTER TABLE next_templates ALTER COLUMN template SET STORAGE EXTERNAL;
  `,
};
