import type { Migration } from '../../migration.ts';

/** The data key that a gallery had before, wrapped: while its rows are sealed anew, some are still sealed under it. */
export const formerGalleryKeys: Migration = {
  number: 11,
  name: 'former gallery keys',
  sql: `
    CREATE TABLE former_gallery_keys (
      gallery bigint PRIMARY KEY,
      wrapped_key bytea NOT NULL
    );
  `,
};
