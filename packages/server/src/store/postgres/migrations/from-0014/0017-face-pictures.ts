import type { Migration } from '../../../migration.ts';

/** Ids of pictures, names of people without a picture, and what a token is bound to. */
export const facePictures: Migration = {
  number: 17,
  name: 'face pictures',
  sql: `
    -- Ids are given when they are needed.
    CREATE TABLE face_pictures (
      gallery bigint NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      -- position among the templates of the face
      place bigint NOT NULL,
      picture_id text COLLATE "C" NOT NULL,
      PRIMARY KEY (gallery, user_id, place),
      UNIQUE (gallery, picture_id)
    );

    CREATE TABLE named_subjects (
      gallery bigint NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      PRIMARY KEY (gallery, user_id)
    );

    -- The service of a compatible interface, and its gallery; null: a token of the service's own interface
    ALTER TABLE api_tokens ADD COLUMN service text COLLATE "C";
    ALTER TABLE api_tokens ADD COLUMN gallery_id text COLLATE "C";
  `,
};
