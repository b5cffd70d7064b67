import type { Migration } from '../../migration.ts';

/**
 * Pictures of faces that are kept with their templates, and templates that wait for another model pack. Both are
 * appended and never changed, for the reason that faces are. A face's own rows go with it by the statements that
 * erase the face, not by a reference: a face that is replaced is a new row.
 */
export const faceCrops: Migration = {
  number: 4,
  name: 'face crops',
  sql: `
    -- The contract of the templates that are made ready in next_templates.
    ALTER TABLE galleries ADD COLUMN next_contract TEXT;
    -- The contract that it had before it was carried over to another pack, and when that was.
    ALTER TABLE galleries ADD COLUMN former_contract TEXT;
    ALTER TABLE galleries ADD COLUMN carried_at INTEGER;

    CREATE TABLE face_crops (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      -- counts up in the order in which they were added; a template need not be there for each
      place INTEGER NOT NULL,
      crop BLOB NOT NULL,
      UNIQUE (gallery, user_id, place)
    ) STRICT;

    CREATE TABLE next_templates (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      -- of the face that it was made of: an older one is not that of the face any more
      seq INTEGER NOT NULL,
      -- null: the operator leaves this person out
      template BLOB,
      UNIQUE (gallery, user_id)
    ) STRICT;
  `,
};
