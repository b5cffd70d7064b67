import { dayMs } from '../../lib/time.ts';
import { addCounts } from '../../store/add-counts.ts';
import type { Database, Session, SqlValue } from '../../store/database/session.ts';
import { eraseInSlices } from '../../store/erase.ts';
import { rowMapper, where } from '../../store/rows.ts';
import type { ActivityStore, CallCount, CountedDays, RefusedCall, StoredRefusedCall } from './ports.ts';

/** Refused calls stored per client. */
export const maxRefusedCalls = 1000;

const refusals = rowMapper<RefusedCall>('refused_calls', {
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
});
const storedRefusals = rowMapper<StoredRefusedCall>('refused_calls', { id: 'int', call: refusals.read });
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

const callCounts = rowMapper<CallCount>('call_counts', {
  clientId: 'text',
  day: 'int',
  route: 'text',
  status: 'text',
  count: 'int',
});
const countKey = 'client_id, day, route, status';

const insertCounts = `
  INSERT INTO call_counts (${countKey}, count)
    SELECT c.client_id, n.day, n.route, n.status, n.count
      FROM :rows JOIN clients c ON c.client_id = n.client_id WHERE c.registered_at IS NOT NULL
    ON CONFLICT (${countKey}) DO UPDATE SET count = call_counts.count + excluded.count`;

export function createActivityStore(db: Database): ActivityStore {
  return { ...countStore(db), ...refusalReader(db) };
}

function countStore(db: Database) {
  return {
    async add(counts, refused) {
      // Refused calls first, in one transaction: an erasure after it finds them.
      if (refused.length > 0) await db.transaction((session) => insertRefused(session, refused));
      await addCounts(db, insertCounts, callCounts, counts);
    },
    countsByDay: (clientId, days, route) => sums<'day' | 'status'>(db, 'day, status', clientId, days, route),
    countsByRoute: (clientId, days) => sums<'route' | 'status'>(db, 'route, status', clientId, days),
    async prune(before) {
      await eraseInSlices(db, 'call_counts', 'day <= $1', before.getTime() - dayMs);
      // Written while another server unregistered them.
      const unregistered = 'client_id IN (SELECT client_id FROM clients WHERE registered_at IS NULL)';
      await eraseInSlices(db, 'call_counts', unregistered);
      if ((await eraseInSlices(db, 'refused_calls', 'at < $1', before.getTime())) > 0) db.purge();
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
      return storedRefusals.all(db, sql, ...values);
    },
    eraseRefusedOf(clientId, userId) {
      const sql = 'DELETE FROM refused_calls WHERE client_id = $1 AND user_id = $2';
      return db.erase(sql, clientId, userId);
    },
  } satisfies Partial<ActivityStore>;
}

async function insertRefused(session: Session, calls: readonly RefusedCall[]): Promise<void> {
  for (const call of calls) await session.run(insertRefusedCall, ...refusals.values(call));
  for (const clientId of new Set(calls.map((call) => call.clientId)))
    await session.run(trimRefusedCalls, clientId);
}

/** Sums of the calls of a client by two columns, in their order. */
function sums<Column extends keyof CallCount>(
  db: Database,
  columns: string,
  clientId: string,
  { from, to }: CountedDays,
  route: string | null = null,
) {
  return db.all<Pick<CallCount, Column | 'count'>>(
    `SELECT ${columns}, CAST(sum(count) AS bigint) AS count FROM call_counts
      WHERE client_id = $1 AND day >= $2 AND day < $3 AND route = coalesce($4, route)
        AND count BETWEEN 1 AND 1000000000000 GROUP BY 1, 2 ORDER BY 1, 2`,
    ...[clientId, from.getTime(), to.getTime(), route],
  );
}
