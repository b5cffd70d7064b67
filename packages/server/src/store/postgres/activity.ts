import type {
  ActivityCount,
  ActivityStore,
  BucketCount,
  GalleryScoreCount,
  RefusedCall,
  SeriesRange,
} from '../activity-store.ts';
import { refusedValues } from '../rows.ts';
import {
  eraseRefusedOf,
  insertRefusedCall,
  sqlRefusedCalls,
  sqlScores,
  trimRefusedCalls,
} from '../sql/activity.ts';
import type { PostgresDatabase, Session } from './connection/database.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Counts written in one statement. */
const writeSlice = 500;

export function postgresActivity(db: PostgresDatabase): ActivityStore {
  return {
    async add(counts, refused) {
      if (refused.length > 0) await db.transaction((session) => insertRefused(session, refused));
      // In a fixed order, so that servers that write the same counts cannot deadlock.
      const ordered = counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      for (let at = 0; at < ordered.length; at += writeSlice) {
        await addTo(db, ordered.slice(at, at + writeSlice));
      }
    },
    async addScores(counts) {
      const ordered = counts.toSorted((a, b) => (scoreKeyOf(a) < scoreKeyOf(b) ? -1 : 1));
      for (let at = 0; at < ordered.length; at += writeSlice) {
        await addScores(db, ordered.slice(at, at + writeSlice));
      }
    },
    series: (clientId, range) => series(db, clientId, range),
    refusedCalls: sqlRefusedCalls(db),
    eraseRefusedOf: eraseRefusedOf(db),
    scoresOf: sqlScores(db),
    async prune(steps, refused) {
      for (const { seconds, before } of steps) {
        await db.run('DELETE FROM activity WHERE seconds = $1 AND start < $2', seconds, before.getTime());
      }
      await db.run('DELETE FROM gallery_scores WHERE day < $1', refused.getTime() - dayMs);
      await db.run('DELETE FROM activity a WHERE client_id NOT IN (SELECT client_id FROM clients)');
      await db.run('DELETE FROM refused_calls WHERE at < $1', refused.getTime());
    },
  };
}

function keyOf({ clientId, seconds, start, route, measure, outcome, bin }: ActivityCount): string {
  return [clientId, seconds, start, route, measure, outcome, bin].join('\n');
}

function scoreKeyOf({ gallery, day, comparison, bin }: GalleryScoreCount): string {
  return [gallery, day, comparison, bin].join('\n');
}

async function addScores(db: PostgresDatabase, counts: readonly GalleryScoreCount[]): Promise<void> {
  await db.run(
    `INSERT INTO gallery_scores
       SELECT n.* FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[])
         AS n (gallery, day, comparison, bin, count)
       JOIN galleries g ON g.id = n.gallery AND g.client_id IS NOT NULL
     ON CONFLICT (gallery, day, comparison, bin) DO UPDATE SET count = gallery_scores.count + excluded.count`,
    counts.map((one) => one.gallery),
    counts.map((one) => one.day),
    counts.map((one) => one.comparison),
    counts.map((one) => one.bin),
    counts.map((one) => one.count),
  );
}

async function addTo(db: PostgresDatabase, counts: readonly ActivityCount[]): Promise<void> {
  await db.run(
    `INSERT INTO activity
       SELECT n.* FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[],
         $8::bigint[]) AS n (client_id, seconds, start, route, measure, outcome, bin, count)
       JOIN clients c ON c.client_id = n.client_id COLLATE "C" AND c.registered_at IS NOT NULL
     ON CONFLICT (client_id, seconds, start, route, measure, outcome, bin)
       DO UPDATE SET count = activity.count + excluded.count`,
    counts.map((one) => one.clientId),
    counts.map((one) => one.seconds),
    counts.map((one) => one.start),
    counts.map((one) => one.route),
    counts.map((one) => one.measure),
    counts.map((one) => one.outcome),
    counts.map((one) => one.bin),
    counts.map((one) => one.count),
  );
}

async function insertRefused(session: Session, calls: readonly RefusedCall[]): Promise<void> {
  for (const call of calls) await session.run(insertRefusedCall, ...refusedValues(call));
  for (const clientId of new Set(calls.map((call) => call.clientId)))
    await session.run(trimRefusedCalls, clientId);
}

/** Counts read by one statement: the driver parses them in 1 or 2 ms, which blocks the event loop. */
const readCounts = 1000;
/** Maximum number of buckets in one statement, where counts are sparse. */
const readBuckets = 25;

async function* series(
  db: PostgresDatabase,
  clientId: string,
  { seconds, from, bucketMs, buckets }: SeriesRange,
): AsyncGenerator<BucketCount[]> {
  let step = 1;
  for (let first = 0, next = first; first < buckets; first = next) {
    next = Math.min(buckets, first + step);
    const counts = await db.all<BucketCount>(
      `SELECT (start - $3) / $4 AS bucket, route, measure, outcome, bin, sum(count)::bigint AS count FROM activity
       WHERE client_id = $1 AND seconds = $2 AND start >= $5 AND start < $6 GROUP BY 1, 2, 3, 4, 5`,
      clientId,
      seconds,
      from,
      bucketMs,
      from + first * bucketMs,
      from + next * bucketMs,
    );
    step = Math.max(
      1,
      Math.min(4 * step, readBuckets, Math.floor((readCounts * (next - first)) / counts.length)),
    );
    yield counts;
  }
}
