import { bytesOf, type SessionRow, toEarlierSession } from '../rows.ts';
import type { SessionStore } from '../session-store.ts';
import {
  eraseTemplate,
  historyValues,
  insertSession,
  markFailed,
  pruneSessions,
  selectHistory,
  selectTemplate,
  sessionValues,
  sqlSessions,
} from '../sql/sessions.ts';
import { writeEvent } from '../webhooks/sqlite.ts';
import type { SqliteDatabase } from './connection/database.ts';

export function sqliteSessions(db: SqliteDatabase): SessionStore {
  return {
    ...sqlSessions(db.executor),
    open: (history, decide) =>
      db.write(() => {
        const rows = db.all<SessionRow>(selectHistory(history), ...historyValues(history));
        const decision = decide(rows.map(toEarlierSession));
        if (decision.create) db.run(insertSession, ...sessionValues(decision.create));
        return decision;
      }),
    markFailed: (clientId, id, event) =>
      db.write(() => {
        db.run(markFailed, id, clientId);
        writeEvent(db, event);
      }),
    consumeTemplate: async (clientId, id, at) => {
      const row = await db.write(() => {
        const found = db.get<{ template: Uint8Array }>(selectTemplate, id, clientId, at.getTime());
        if (found) db.run(eraseTemplate, id);
        return found;
      });
      if (!row) return null;
      db.purge();
      return bytesOf(row.template);
    },
    prune: async (now, before) => {
      if (await pruneSessions(db.executor, now, before)) db.purge();
    },
  };
}
