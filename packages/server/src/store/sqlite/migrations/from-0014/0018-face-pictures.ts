import type { Migration } from '../../../migration.ts';

/** Ids of pictures, names of people without a picture, and what a token is bound to. */
export const facePictures: Migration = {
  number: 18,
  name: 'face pictures',
  sql: `
    -- No reference to the faces, since a face is a new row with each change. Ids are given when they are needed.
    CREATE TABLE face_pictures (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      -- position among the templates of the face
      place INTEGER NOT NULL,
      picture_id TEXT NOT NULL,
      UNIQUE (gallery, user_id, place),
      UNIQUE (gallery, picture_id)
    ) STRICT;

    CREATE TABLE named_subjects (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      UNIQUE (gallery, user_id)
    ) STRICT;

    -- The service of a compatible interface, and its gallery; null: a token of the service's own interface
    ALTER TABLE api_tokens ADD COLUMN service TEXT;
    ALTER TABLE api_tokens ADD COLUMN gallery_id TEXT;
  `,
};
