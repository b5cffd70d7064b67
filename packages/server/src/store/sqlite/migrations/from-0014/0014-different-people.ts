import type { Migration } from '../../../migration.ts';

/**
 * Pairs of users of a gallery that are marked as different people, in the order of their user_ids. They have no
 * reference to the faces, since a replaced face is a new row.
 */
export const differentPeople: Migration = {
  number: 14,
  name: 'different people',
  sql: `
    CREATE TABLE different_people (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_a TEXT NOT NULL,
      user_b TEXT NOT NULL,
      UNIQUE (gallery, user_a, user_b)
    ) STRICT;
    CREATE INDEX different_people_b ON different_people (gallery, user_b);
  `,
};
