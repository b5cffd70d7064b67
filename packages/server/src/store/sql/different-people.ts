import type { DifferentPeopleStore } from '../crop-store.ts';
import type { SqlExecutor } from './executor.ts';

/** @param lock of the faces, so that neither is erased until the mark is written; empty where writes have an order */
export function sqlDifferentPeople(db: SqlExecutor, lock: '' | 'FOR KEY SHARE'): DifferentPeopleStore {
  const insert = `
    INSERT INTO different_people (gallery, user_a, user_b)
      SELECT a.gallery, a.user_id, b.user_id FROM faces a JOIN faces b ON b.gallery = a.gallery
       WHERE a.gallery = $1 AND a.user_id = $2 AND b.user_id = $3 ${lock}
      ON CONFLICT DO NOTHING`;
  const mark = 'FROM different_people WHERE gallery = $1 AND user_a = $2 AND user_b = $3';
  return {
    mark: async (gallery, users) => void (await db.run(insert, gallery, ...users.toSorted())),
    unmark: async (gallery, users) => void (await db.erase(`DELETE ${mark}`, gallery, ...users.toSorted())),
    listOf: async (gallery, userId) => {
      const sql = `SELECT user_b AS other FROM different_people WHERE gallery = $1 AND user_a = $2
        UNION SELECT user_a AS other FROM different_people WHERE gallery = $1 AND user_b = $2 ORDER BY other`;
      return (await db.all<{ other: string }>(sql, gallery, userId)).map(({ other }) => other);
    },
    isMarked: async (gallery, users) =>
      (await db.get(`SELECT 1 AS found ${mark}`, gallery, ...users.toSorted())) !== undefined,
  };
}
