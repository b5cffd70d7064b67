import { type ActivityStore, maxRefusedCalls } from '../activity-store.ts';
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

export function sqlRefusedCalls(db: SqlExecutor): Pick<ActivityStore, 'refusedCalls' | 'refusedCallsOf'> {
  return {
    refusedCalls: async (clientId, limit) => {
      const sql = 'SELECT * FROM refused_calls WHERE client_id = $1 ORDER BY id DESC LIMIT $2';
      return (await db.all<RefusedRow>(sql, clientId, limit)).map(toRefusedCall);
    },
    refusedCallsOf: async ({ clientId, galleryId, userId }, limit) => {
      const sql = `SELECT * FROM refused_calls WHERE client_id = $1 AND gallery_id = $2 AND user_id = $3
         ORDER BY id DESC LIMIT $4`;
      return (await db.all<RefusedRow>(sql, clientId, galleryId, userId, limit)).map(toRefusedCall);
    },
  };
}
