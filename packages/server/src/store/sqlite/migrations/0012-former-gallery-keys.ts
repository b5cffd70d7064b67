import type { Migration } from '../../migration.ts';

/** The data key that a gallery had before, wrapped: while its rows are sealed anew, some are still sealed under it. */
export const formerGalleryKeys: Migration = {
  number: 12,
  name: 'former gallery keys',
  sql: `
    -- Rows are never deleted, as those of gallery_keys; zeros are no key.
    CREATE TABLE former_gallery_keys (
      gallery INTEGER PRIMARY KEY,
      wrapped_key BLOB NOT NULL
    ) STRICT;
  `,
};
