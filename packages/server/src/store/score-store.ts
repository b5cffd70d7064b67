import { dayMs } from '../lib/time.ts';
import { addCounts } from './add-counts.ts';
import type { Database } from './database/session.ts';
import { eraseInSlices } from './erase.ts';
import type { Comparison, GalleryScoreCount, LastSearch, ScoreStore } from './ports/scores.ts';
import { rowMapper } from './rows.ts';

const comparisons: readonly string[] = ['verify', 'identify'] satisfies Comparison[];
const scores = rowMapper<GalleryScoreCount>(
  'gallery_scores',
  { gallery: 'int', day: 'int', comparison: 'text', bin: 'int', count: 'int' },
  {},
  { comparison: (name) => comparisons.includes(name) },
);

const addScores = `
  INSERT INTO gallery_scores (gallery, day, comparison, bin, count)
    SELECT g.id, n.day, n.comparison, n.bin, n.count FROM :rows JOIN galleries g ON g.id = n.gallery
     WHERE g.client_id IS NOT NULL
    ON CONFLICT (gallery, day, comparison, bin) DO UPDATE SET count = gallery_scores.count + excluded.count`;

const selectLast = `
  SELECT id AS gallery, client_id AS "clientId", gallery_id AS "galleryId", (
      SELECT day FROM gallery_scores WHERE gallery = g.id AND comparison = 'identify' ORDER BY day DESC LIMIT 1
    ) AS day FROM galleries g
   WHERE id > $1 AND client_id IS NOT NULL ORDER BY id LIMIT $2`;

export function createScoreStore(db: Database): ScoreStore {
  return {
    add: (counts) => addCounts(db, addScores, scores, counts),
    of(gallery, since) {
      const sql = `SELECT comparison, bin, CAST(sum(count) AS bigint) AS count FROM gallery_scores
        WHERE gallery = $1 AND day >= $2 AND count BETWEEN 1 AND 1000000000000
          AND comparison IN (${comparisons.map((name) => `'${name}'`)}) GROUP BY comparison, bin`;
      type Sum = Pick<GalleryScoreCount, 'comparison' | 'bin' | 'count'>;
      return db.all<Sum>(sql, gallery, since.getTime());
    },
    lastSearches: (after, limit) => db.all<LastSearch>(selectLast, after, limit),
    async prune(before) {
      await eraseInSlices(db, 'gallery_scores', 'day <= $1', before.getTime() - dayMs);
    },
  };
}
