import { type AuditRow, toAuditEntry } from '../rows.ts';
import type { AuditStore } from '../store.ts';
import type { PostgresDatabase } from './connection/database.ts';

/** Records deleted in one statement. */
const slice = 10_000;

export function postgresAudit(db: PostgresDatabase): AuditStore {
  return {
    append: async ({ at, event, clientId, trxId, facts }) => {
      await db.run(
        'INSERT INTO audit (at, event, client_id, trx_id, facts) VALUES ($1, $2, $3, $4, $5)',
        at.getTime(),
        event,
        clientId,
        trxId,
        JSON.stringify(facts),
      );
    },
    list: async (limit) =>
      (await db.all<AuditRow>('SELECT * FROM audit ORDER BY id DESC LIMIT $1', limit)).map(toAuditEntry),
    prune: async (before) => {
      for (let all = 0; ; ) {
        const gone = await db.run(
          'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < $1 LIMIT $2)',
          before.getTime(),
          slice,
        );
        all += gone;
        if (gone < slice) return all;
      }
    },
  };
}
