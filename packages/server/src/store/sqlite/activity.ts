import { setImmediate as nextTurn } from 'node:timers/promises';
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
import type { SqliteDatabase } from './connection/database.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Counts written in one transaction: about 2 ms. */
const writeSlice = 100;
/** Rows deleted in one transaction: about 3 ms. */
const deleteSlice = 500;

export function sqliteActivity(db: SqliteDatabase): ActivityStore {
  return {
    async add(counts, refused) {
      // Refused calls first, in one transaction: an erasure after it finds them.
      await db.write(() => insertRefused(db, refused));
      for (let at = 0; at < counts.length; at += writeSlice) {
        const slice = counts.slice(at, at + writeSlice);
        await db.write(() => {
          for (const count of slice) addTo(db, count);
        });
      }
    },
    async addScores(counts) {
      for (let at = 0; at < counts.length; at += writeSlice) {
        const slice = counts.slice(at, at + writeSlice);
        await db.write(() => {
          for (const count of slice) addScores(db, count);
        });
      }
    },
    series: (clientId, range) => series(db, clientId, range),
    refusedCalls: sqlRefusedCalls(db.executor),
    eraseRefusedOf: eraseRefusedOf(db.executor),
    scoresOf: sqlScores(db.executor),
    async prune(steps, refused) {
      for (const { seconds, before } of steps) {
        await deleteInSlices(
          db,
          `${pruned} WHERE seconds = ? AND start < ? LIMIT ?)`,
          seconds,
          before.getTime(),
        );
      }
      const scores =
        'DELETE FROM gallery_scores WHERE id IN (SELECT id FROM gallery_scores WHERE day < ? LIMIT ?)';
      await deleteInSlices(db, scores, refused.getTime() - dayMs);
      await eraseFormerClients(db);
      const sql = 'DELETE FROM refused_calls WHERE id IN (SELECT id FROM refused_calls WHERE at < ? LIMIT ?)';
      if ((await deleteInSlices(db, sql, refused.getTime())) > 0) db.purge();
    },
  };
}

const key = 'client_id, seconds, start, route, measure, outcome, bin';
const pruned = `DELETE FROM activity WHERE (${key}) IN (SELECT ${key} FROM activity`;

/** Erases all counts of a client, in slices. */
export async function eraseActivity(db: SqliteDatabase, clientId: string): Promise<void> {
  await deleteInSlices(db, `${pruned} WHERE client_id = ? LIMIT ?)`, clientId);
}

/** Counts of deleted clients, left by a process that ended during the erasure. */
async function eraseFormerClients(db: SqliteDatabase): Promise<void> {
  const next = 'SELECT client_id FROM activity WHERE client_id > ? ORDER BY client_id LIMIT 1';
  for (let last = ''; ; ) {
    const found = db.get<{ client_id: string }>(next, last)?.client_id;
    if (found === undefined) return;
    if (!db.get('SELECT 1 FROM clients WHERE client_id = ?', found)) await eraseActivity(db, found);
    last = found;
  }
}

/** @param sql whose last parameter is the maximum number of rows */
async function deleteInSlices(
  db: SqliteDatabase,
  sql: string,
  ...values: (string | number)[]
): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await db.write(() => db.run(sql, ...values, deleteSlice), { erases: true });
    total += deleted;
    if (deleted < deleteSlice) return total;
    await nextTurn();
  }
}

function addTo(db: SqliteDatabase, { clientId, ...count }: ActivityCount): void {
  db.run(
    `INSERT INTO activity SELECT ?, ?, ?, ?, ?, ?, ?, ?
       WHERE EXISTS (SELECT 1 FROM clients WHERE client_id = ? AND registered_at IS NOT NULL)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    clientId,
    count.seconds,
    count.start,
    count.route,
    count.measure,
    count.outcome,
    count.bin,
    count.count,
    clientId,
  );
}

function addScores(db: SqliteDatabase, { gallery, day, comparison, bin, count }: GalleryScoreCount): void {
  db.run(
    `INSERT INTO gallery_scores (gallery, day, comparison, bin, count) SELECT id, ?, ?, ?, ? FROM galleries
       WHERE id = ? AND client_id IS NOT NULL
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    ...[day, comparison, bin, count, gallery],
  );
}

function insertRefused(db: SqliteDatabase, calls: readonly RefusedCall[]): void {
  for (const call of calls) db.run(insertRefusedCall, ...refusedValues(call));
  for (const clientId of new Set(calls.map((call) => call.clientId))) db.run(trimRefusedCalls, clientId);
}

/** Counts read in one turn of the event loop: about 1 ms. */
const readCounts = 800;
/** Maximum number of time steps in one query, where counts are sparse. */
const readSteps = 60;

type SummedRow = Omit<BucketCount, 'bucket'> & { readonly read: number };

/** Yields to the event loop between queries, whose length adapts to the density of counts. */
async function* series(
  db: SqliteDatabase,
  clientId: string,
  { seconds, from, bucketMs, buckets }: SeriesRange,
): AsyncGenerator<BucketCount[]> {
  const length = seconds * 1000;
  let steps = 1;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const end = from + (bucket + 1) * bucketMs;
    for (let start = end - bucketMs, next = start; start < end; start = next) {
      next = Math.min(end, start + steps * length);
      const rows = db.all<SummedRow>(
        `SELECT route, measure, outcome, bin, sum(count) AS count, count(*) AS read FROM activity
         WHERE client_id = ? AND seconds = ? AND start >= ? AND start < ? GROUP BY 1, 2, 3, 4`,
        clientId,
        seconds,
        start,
        next,
      );
      const density = rows.reduce((sum, { read }) => sum + read, 0) / ((next - start) / length);
      steps = Math.max(1, Math.min(2 * steps, readSteps, Math.floor(readCounts / density)));
      if (rows.length > 0) yield rows.map(({ read: _, ...row }) => ({ ...row, bucket }));
      await nextTurn();
    }
  }
}
