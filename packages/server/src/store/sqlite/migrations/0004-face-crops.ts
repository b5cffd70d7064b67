import type { Migration } from '../../migration.ts';

/**
 * Stored face crops, and templates for the next embedding spec. Rows of both are never updated, as those of faces (see
 * 0001-initial.ts). They have no reference to the face, since a replaced face is a new row: the statements that erase
 * a face erase them too.
 */
export const faceCrops: Migration = {
  number: 4,
  name: 'face crops',
  sql: `
    -- Embedding spec of the templates in next_templates.
    ALTER TABLE galleries ADD COLUMN next_contract TEXT;
    -- Embedding spec before the last template migration, and its time.
    ALTER TABLE galleries ADD COLUMN former_contract TEXT;
    ALTER TABLE galleries ADD COLUMN carried_at INTEGER;

    CREATE TABLE face_crops (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      -- grows in the order in which crops are added; there may be fewer templates than crops
      place INTEGER NOT NULL,
      crop BLOB NOT NULL,
      UNIQUE (gallery, user_id, place)
    ) STRICT;

    CREATE TABLE next_templates (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      -- seq of the face that the template was extracted from; the face may have been replaced since
      seq INTEGER NOT NULL,
      -- null: the face is deleted by the migration
      template BLOB,
      UNIQUE (gallery, user_id)
    ) STRICT;
  `,
};
