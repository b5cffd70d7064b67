import { type AuditRow, toAuditEntry } from '../rows.ts';
import type { AuditStore } from '../store.ts';
import type { SqliteDatabase } from './connection/database.ts';

/** Records deleted in one transaction: about 5 ms. */
const slice = 2000;

export function sqliteAudit(db: SqliteDatabase): AuditStore {
  return {
    append: ({ at, event, clientId, trxId, facts }) =>
      db.write(() => {
        db.run(
          'INSERT INTO audit (at, event, client_id, trx_id, facts) VALUES (?, ?, ?, ?, ?)',
          at.getTime(),
          event,
          clientId,
          trxId,
          JSON.stringify(facts),
        );
      }),
    list: async (limit) =>
      db.all<AuditRow>('SELECT * FROM audit ORDER BY id DESC LIMIT ?', limit).map(toAuditEntry),
    prune: async (before) => {
      for (let all = 0; ; ) {
        const gone = await db.write(() =>
          db.run(
            'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY id LIMIT ?)',
            before.getTime(),
            slice,
          ),
        );
        all += gone;
        if (gone < slice) return all;
      }
    },
  };
}
