import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayMs } from '../lib/time.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { clientsIn, eraseInSlices } from './erase.ts';
import type {
  ActivityCount,
  ActivityStore,
  BucketCount,
  GalleryScoreCount,
  RefusedCall,
  SeriesRange,
} from './ports.ts';
import { type RowMapper, rowMapper, where } from './rows.ts';

/** Refused calls stored per client. */
export const maxRefusedCalls = 1000;

const refusals = rowMapper<RefusedCall>({
  clientId: 'text',
  at: 'time',
  route: 'text',
  status: 'text',
  error: 'text',
  params: 'json',
  detail: 'text',
  trxId: 'text',
  galleryId: 'text',
  userId: 'text',
  similarity: 'real',
  spoofScore: 'real',
  ms: 'int',
});
const refusedColumns = Object.keys(refusals.columns);

/** Parameters: values of `refusals`. Skips clients that do not exist or registered later. */
const insertRefusedCall = `
  INSERT INTO refused_calls (${refusedColumns})
  SELECT client_id, ${refusedColumns.slice(1).map((_, i) => `$${i + 2}`)} FROM clients
   WHERE client_id = $1 AND registered_at <= $2`;

/** Deletes all but the newest `maxRefusedCalls` of a client. */
const trimRefusedCalls = `
  DELETE FROM refused_calls WHERE client_id = $1 AND id <=
    (SELECT id FROM refused_calls WHERE client_id = $1 ORDER BY id DESC LIMIT 1 OFFSET ${maxRefusedCalls})`;

const activities = rowMapper<ActivityCount>({
  clientId: 'text',
  seconds: 'int',
  start: 'int',
  route: 'text',
  status: 'text',
  latency: 'int',
  count: 'int',
});
const activityKey = 'client_id, seconds, start, route, status, latency';

const addCounts = `
  INSERT INTO activity (${activityKey}, count)
    SELECT c.client_id, n.seconds, n.start, n.route, n.status, n.latency, n.count
      FROM :rows JOIN clients c ON c.client_id = n.client_id WHERE c.registered_at IS NOT NULL
    ON CONFLICT (${activityKey}) DO UPDATE SET count = activity.count + excluded.count`;

const scores = rowMapper<GalleryScoreCount>({
  gallery: 'int',
  day: 'int',
  comparison: 'text',
  bin: 'int',
  count: 'int',
});

const addScores = `
  INSERT INTO gallery_scores (gallery, day, comparison, bin, count)
    SELECT g.id, n.day, n.comparison, n.bin, n.count FROM :rows JOIN galleries g ON g.id = n.gallery
     WHERE g.client_id IS NOT NULL
    ON CONFLICT (gallery, day, comparison, bin) DO UPDATE SET count = gallery_scores.count + excluded.count`;

/** Counts written in one transaction: about 2 ms. */
const writeSlice = 100;

export function createActivityStore(db: Database): ActivityStore {
  return { ...countStore(db), ...refusalReader(db) };
}

function countStore(db: Database) {
  /** In a fixed order, so that servers that write the same counts cannot deadlock. */
  const addAll = async <T>(sql: string, { columns, values }: RowMapper<T>, counts: readonly T[]) => {
    const ordered = counts.map(values).sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1));
    for (let at = 0; at < ordered.length; at += writeSlice)
      await db.runAll(sql, columns, ordered.slice(at, at + writeSlice));
  };
  return {
    async add(counts, refused) {
      // Refused calls first, in one transaction: an erasure after it finds them.
      if (refused.length > 0) await db.transaction((session) => insertRefused(session, refused));
      await addAll(addCounts, activities, counts);
    },
    series: (clientId, range) => series(db, clientId, range),
    addScores: (counts) => addAll(addScores, scores, counts),
    scoresOf(gallery, since) {
      const sql = `SELECT comparison, bin, CAST(sum(count) AS bigint) AS count FROM gallery_scores
        WHERE gallery = $1 AND day >= $2 GROUP BY comparison, bin`;
      type Sum = Pick<GalleryScoreCount, 'comparison' | 'bin' | 'count'>;
      return db.all<Sum>(sql, gallery, since.getTime());
    },
    async prune(steps, refused) {
      for (const { seconds, before } of steps)
        await eraseInSlices(db, 'activity', 'seconds = $1 AND start < $2', seconds, before.getTime());
      await eraseInSlices(db, 'gallery_scores', 'day < $1', refused.getTime() - dayMs);
      for await (const { clientId, since } of clientsIn(db, 'activity'))
        if (since === null) await eraseActivity(db, clientId);
      if ((await eraseInSlices(db, 'refused_calls', 'at < $1', refused.getTime())) > 0) db.purge();
    },
  } satisfies Partial<ActivityStore>;
}

function refusalReader(db: Database) {
  return {
    async refusedCalls(clientId, query) {
      const { limit, before, from, to, status, route, userId, galleryId, among } = query;
      const values: SqlValue[] = [clientId, limit];
      const conditions = where(values, {
        'id < ?': before,
        'at >= ?': from,
        'at < ?': to,
        'status = ?': status,
        'route = ?': route,
        'user_id = ?': userId,
        'gallery_id = ?': galleryId,
      });
      const statuses = among?.statuses.map((name) => `$${values.push(name)}`);
      const listed = among ? `AND status ${among.isOne ? 'IN' : 'NOT IN'} (${statuses})` : '';
      const sql = `SELECT * FROM refused_calls WHERE client_id = $1 AND ${conditions} ${listed}
        ORDER BY id DESC LIMIT $2`;
      const rows = await db.all<{ id: number }>(sql, ...values);
      return rows.map((row) => ({ id: row.id, call: refusals.read(row) }));
    },
    eraseRefusedOf(clientId, userId) {
      const sql = 'DELETE FROM refused_calls WHERE client_id = $1 AND user_id = $2';
      return db.erase(sql, clientId, userId);
    },
  } satisfies Partial<ActivityStore>;
}

/** Erases all counts of a client. */
export async function eraseActivity(db: Database, clientId: string): Promise<void> {
  await eraseInSlices(db, 'activity', 'client_id = $1', clientId);
}

async function insertRefused(session: Session, calls: readonly RefusedCall[]): Promise<void> {
  for (const call of calls) await session.run(insertRefusedCall, ...refusals.values(call));
  for (const clientId of new Set(calls.map((call) => call.clientId)))
    await session.run(trimRefusedCalls, clientId);
}

/** What one query of a series may read. The embedded store reads on the event loop, so each takes about 1 ms. */
const readCounts = 1000;
/** Maximum number of time steps in one query of the embedded store, and of buckets in one of PostgreSQL. */
const readSteps = 60;
const readBuckets = 25;

type SummedRow = BucketCount & { readonly read: number };

/** Yields to the event loop between queries, whose length adapts to the density of counts. */
async function* series(
  db: Database,
  clientId: string,
  { seconds, from, bucketMs, buckets }: SeriesRange,
): AsyncGenerator<BucketCount[]> {
  const { kind } = db.dialect;
  // PostgreSQL adds up by itself: only its answer counts.
  const unit = kind === 'sqlite' ? seconds * 1000 : bucketMs;
  const most = kind === 'sqlite' ? readSteps : readBuckets;
  const end = from + buckets * bucketMs;
  for (let start = from, units = 1; start < end; await nextTurn()) {
    const until = Math.min(end, start + units * unit);
    const rows = await db.all<SummedRow>(
      `SELECT (start - CAST($3 AS bigint)) / CAST($4 AS bigint) AS bucket, route, status, latency,
         CAST(sum(count) AS bigint) AS count, count(*) AS read
       FROM activity WHERE client_id = $1 AND seconds = $2 AND start >= $5 AND start < $6 GROUP BY 1, 2, 3, 4`,
      ...[clientId, seconds, from, bucketMs, start, until],
    );
    const read = kind === 'sqlite' ? rows.reduce((sum, row) => sum + row.read, 0) : rows.length;
    const density = read / ((until - start) / unit);
    units = Math.max(1, Math.min(4 * units, most, Math.floor(readCounts / density)));
    if (rows.length > 0) yield rows.map(({ read: _, ...row }) => row);
    start = until;
  }
}
