import type { Migration } from '../../migration.ts';

/** Pairs of users of a gallery that are marked as different people, in the order of their user_ids. */
export const differentPeople: Migration = {
  number: 13,
  name: 'different people',
  sql: `
    CREATE TABLE different_people (
      gallery bigint NOT NULL,
      user_a text COLLATE "C" NOT NULL,
      user_b text COLLATE "C" NOT NULL,
      PRIMARY KEY (gallery, user_a, user_b)
    );
    CREATE INDEX different_people_b ON different_people (gallery, user_b);
  `,
};
