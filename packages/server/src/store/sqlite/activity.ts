import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ActivityCount,
  type ActivityStore,
  type BucketCount,
  maxRefusedCalls,
  type RefusedCall,
  type SeriesRange,
} from '../activity-store.ts';
import { type RefusedRow, refusedValues, toRefusedCall } from '../rows-activity.ts';
import type { SqliteDatabase } from './connection/database.ts';

/** Counts written in one transaction: about 2 ms. */
const writeSlice = 100;
/** Rows deleted in one transaction: about 3 ms. */
const deleteSlice = 500;

export function sqliteActivity(db: SqliteDatabase): ActivityStore {
  return {
    async add(counts, refused) {
      // The refused calls first, and at once: an erasure that comes after them finds them.
      await db.write(() => keep(db, refused));
      for (let at = 0; at < counts.length; at += writeSlice) {
        const slice = counts.slice(at, at + writeSlice);
        await db.write(() => {
          for (const count of slice) addTo(db, count);
        });
      }
    },
    series: (clientId, range) => series(db, clientId, range),
    refusedCalls: async (clientId, limit) =>
      db
        .all<RefusedRow>(
          'SELECT * FROM refused_calls WHERE client_id = ? ORDER BY id DESC LIMIT ?',
          clientId,
          limit,
        )
        .map(toRefusedCall),
    async prune(steps, refused) {
      for (const { seconds, before } of steps) {
        await inSlices(db, `${pruned} WHERE seconds = ? AND start < ? LIMIT ?)`, seconds, before.getTime());
      }
      await erasePastClients(db);
      const sql = 'DELETE FROM refused_calls WHERE id IN (SELECT id FROM refused_calls WHERE at < ? LIMIT ?)';
      if ((await inSlices(db, sql, refused.getTime())) > 0) db.purge();
    },
  };
}

const key = 'client_id, seconds, start, route, measure, outcome, bin';
const pruned = `DELETE FROM activity WHERE (${key}) IN (SELECT ${key} FROM activity`;

/** Erases the counts of a client in slices, for they can be many. */
export async function eraseActivity(db: SqliteDatabase, clientId: string): Promise<void> {
  await inSlices(db, `${pruned} WHERE client_id = ? LIMIT ?)`, clientId);
}

/** Counts of clients that are no more, left by a process that ended while it erased them. */
async function erasePastClients(db: SqliteDatabase): Promise<void> {
  const next = 'SELECT client_id FROM activity WHERE client_id > ? ORDER BY client_id LIMIT 1';
  for (let last = ''; ; ) {
    const found = db.get<{ client_id: string }>(next, last)?.client_id;
    if (found === undefined) return;
    if (!db.get('SELECT 1 FROM clients WHERE client_id = ?', found)) await eraseActivity(db, found);
    last = found;
  }
}

/** @param sql whose last value is how many rows at most */
async function inSlices(db: SqliteDatabase, sql: string, ...values: (string | number)[]): Promise<number> {
  for (let all = 0; ; ) {
    const gone = await db.write(() => db.run(sql, ...values, deleteSlice));
    all += gone;
    if (gone < deleteSlice) return all;
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

function keep(db: SqliteDatabase, calls: readonly RefusedCall[]): void {
  for (const call of calls) {
    db.run(
      `INSERT INTO refused_calls (client_id, at, route, status, detail, trx_id, gallery_id, user_id, similarity,
         spoof_score, ms)
       SELECT client_id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM clients
       WHERE client_id = ?1 AND registered_at <= ?2`,
      ...refusedValues(call),
    );
  }
  for (const clientId of new Set(calls.map((call) => call.clientId))) {
    db.run(
      `DELETE FROM refused_calls WHERE client_id = ?1 AND id <=
         (SELECT id FROM refused_calls WHERE client_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      clientId,
      maxRefusedCalls,
    );
  }
}

/** Counts read in one turn of the event loop: about 1 ms. */
const readCounts = 800;
/** Steps of time at most: where hardly anything was called. */
const readSteps = 60;

type SummedRow = Omit<BucketCount, 'bucket'> & { readonly read: number };

/** In turns: what a busy client called in a month is more than can be read in one. */
async function* series(
  db: SqliteDatabase,
  clientId: string,
  { seconds, from, bucketMs: width, buckets }: SeriesRange,
): AsyncGenerator<BucketCount[]> {
  const length = seconds * 1000;
  let steps = 1;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const end = from + (bucket + 1) * width;
    for (let start = end - width, next = start; start < end; start = next) {
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
