import type { AuditEntry, AuditStore } from '../store.ts';
import { dateOf, type SqliteDatabase } from './database.ts';

interface AuditRow {
  readonly at: number;
  readonly event: string;
  readonly client_id: string | null;
  readonly trx_id: string | null;
  readonly facts: string;
}

export function sqliteAudit(db: SqliteDatabase): AuditStore {
  return {
    append: async ({ at, event, clientId, trxId, facts }) => {
      db.run(
        'INSERT INTO audit (at, event, client_id, trx_id, facts) VALUES (?, ?, ?, ?, ?)',
        at.getTime(),
        event,
        clientId,
        trxId,
        JSON.stringify(facts),
      );
    },
    list: async (limit) =>
      db.all<AuditRow>('SELECT * FROM audit ORDER BY id DESC LIMIT ?', limit).map(toEntry),
  };
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    at: dateOf(row.at),
    event: row.event,
    clientId: row.client_id,
    trxId: row.trx_id,
    facts: JSON.parse(row.facts) as AuditEntry['facts'],
  };
}
