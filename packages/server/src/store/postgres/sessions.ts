import { type SessionRow, toEarlierSession } from '../rows.ts';
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
import { writeEvent } from '../webhooks/postgres.ts';
import type { PostgresDatabase } from './connection/database.ts';

export function postgresSessions(db: PostgresDatabase): SessionStore {
  return {
    ...sqlSessions(db),
    open: (history, decide) =>
      db.transaction(async (session) => {
        // A subject without sessions has no row to lock.
        const key = `wajah session ${history.clientId} ${Buffer.from(history.subject ?? []).toString('hex')}`;
        await session.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', key);
        const rows = await session.all<SessionRow>(selectHistory(history), ...historyValues(history));
        const decision = decide(rows.map(toEarlierSession));
        if (decision.create) await session.run(insertSession, ...sessionValues(decision.create));
        return decision;
      }),
    markFailed: (clientId, id, event) =>
      db.transaction(async (session) => {
        await session.run(markFailed, id, clientId);
        await writeEvent(session, event);
      }),
    consumeTemplate: (clientId, id, at) =>
      db.transaction(async (session) => {
        const sql = `${selectTemplate} FOR UPDATE`;
        const row = await session.get<{ template: Uint8Array }>(sql, id, clientId, at.getTime());
        if (row) await session.run(eraseTemplate, id);
        return row?.template ?? null;
      }),
    prune: async (now, before) => void (await pruneSessions(db, now, before)),
  };
}
