import {
  type ActivityStore,
  type GalleryScoreCount,
  maxRefusedCalls,
  type RefusedQuery,
} from '../activity-store.ts';
import { type RefusedRow, toRefusedCall } from '../rows.ts';
import type { SqlExecutor } from './executor.ts';

/** Parameters: `refusedValues`. Skips clients that do not exist or registered later. */
export const insertRefusedCall = `
  INSERT INTO refused_calls (client_id, at, route, status, detail, trx_id, gallery_id, user_id, similarity,
    spoof_score, ms)
  SELECT client_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM clients
   WHERE client_id = $1 AND registered_at <= $2`;

/** Deletes all but the newest `maxRefusedCalls` of a client. */
export const trimRefusedCalls = `
  DELETE FROM refused_calls WHERE client_id = $1 AND id <=
    (SELECT id FROM refused_calls WHERE client_id = $1 ORDER BY id DESC LIMIT 1 OFFSET ${maxRefusedCalls})`;

export function sqlRefusedCalls(db: SqlExecutor): ActivityStore['refusedCalls'] {
  return async (clientId, query) => {
    const conditions = conditionsOf(query);
    const values: (string | number)[] = [clientId, query.limit];
    const where = conditions.map(({ sql, given }) => {
      const places = given.map((value) => `$${values.push(value)}`);
      return `AND ${sql(places.join(', '))}`;
    });
    const sql = `SELECT * FROM refused_calls WHERE client_id = $1 ${where.join(' ')} ORDER BY id DESC LIMIT $2`;
    const rows = await db.all<RefusedRow & { readonly id: number }>(sql, ...values);
    return rows.map((row) => ({ id: row.id, call: toRefusedCall(row) }));
  };
}

export function eraseRefusedOf(db: SqlExecutor): ActivityStore['eraseRefusedOf'] {
  const sql = 'DELETE FROM refused_calls WHERE client_id = $1 AND user_id = $2';
  return (clientId, userId) => db.erase(sql, clientId, userId);
}

export function sqlScores(db: SqlExecutor): ActivityStore['scoresOf'] {
  return (gallery, since) =>
    db.all<Pick<GalleryScoreCount, 'comparison' | 'bin' | 'count'>>(
      `SELECT comparison, bin, CAST(sum(count) AS bigint) AS count FROM gallery_scores
       WHERE gallery = $1 AND day >= $2 GROUP BY comparison, bin`,
      gallery,
      since.getTime(),
    );
}

interface Condition {
  readonly sql: (places: string) => string;
  readonly given: readonly (string | number)[];
}

function conditionsOf({
  before,
  from,
  to,
  status,
  route,
  userId,
  galleryId,
  among,
}: RefusedQuery): Condition[] {
  const single: [comparison: string, value: string | number | undefined][] = [
    ['id <', before],
    ['at >=', from?.getTime()],
    ['at <', to?.getTime()],
    ['status =', status],
    ['route =', route],
    ['user_id =', userId],
    ['gallery_id =', galleryId],
  ];
  const conditions = single.flatMap(([comparison, value]): Condition[] =>
    value === undefined ? [] : [{ sql: (place) => `${comparison} ${place}`, given: [value] }],
  );
  if (among) {
    const operator = among.isOne ? 'IN' : 'NOT IN';
    conditions.push({ sql: (places) => `status ${operator} (${places})`, given: among.statuses });
  }
  return conditions;
}
